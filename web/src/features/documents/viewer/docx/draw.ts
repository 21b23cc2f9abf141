import { defaultOptions, type HElement, parseAsync, renderDocument, type WordDocument } from 'docx-preview';
import { DocxPackage } from './package.ts';
import { widthOf } from './page-setup.ts';
import { PageSplitter, type Sheet } from './pages.ts';
import { attributeOf, childOf, firstOf, isOn, makeElement } from './xml.ts';

/** A document without a window: it loads nothing and runs nothing. */
const inert = document.implementation.createHTMLDocument('');

/** What docx-preview makes and must not leave this document. */
const forbidden = new Set(['script', 'iframe', 'frame', 'object', 'embed', 'link', 'base', 'meta', 'form']);

/** docx-preview makes its elements by this function, which puts them into the document without a window. */
function makeNode(part: HElement | Node | string): Node {
  if (typeof part === 'string') return inert.createTextNode(part);
  if (part instanceof Node) return part;
  const { ns, tagName, className, style, children, ...properties } = part;
  if (tagName === '#comment' || forbidden.has(tagName.toLowerCase())) return inert.createTextNode('');
  const made =
    tagName === '#fragment'
      ? inert.createDocumentFragment()
      : (inert.createElementNS(ns ?? 'http://www.w3.org/1999/xhtml', tagName) as HTMLElement);
  if ('style' in made) {
    if (className) made.setAttribute('class', className);
    if (typeof style === 'string') made.setAttribute('style', style);
    else Object.assign(made.style, style);
    for (const [name, value] of Object.entries(properties)) {
      if (value !== undefined) Object.assign(made, { [name]: value });
    }
  }
  for (const child of children ?? []) made.appendChild(makeNode(child));
  return made;
}

const options = {
  ...defaultOptions,
  h: makeNode,
  inWrapper: false,
  // The content policy of the frame allows no fonts.
  ignoreFonts: true,
  // The library would break a page at each section otherwise. The marks are used and removed before.
  ignoreLastRenderedPageBreak: false,
  renderAltChunks: false,
  useBase64URL: true,
};

/** In place of what cannot be shown. */
const emptyFrame = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none" viewBox="0 0 10 10"><path d="M0 0L10 10M10 0L0 10" stroke="#c5cdd0" vector-effect="non-scaling-stroke"/><rect width="10" height="10" fill="none" stroke="#8a969b" stroke-width="2" vector-effect="non-scaling-stroke"/></svg>',
)}`;

/** A link shows its address; one inside the document still works. */
function disarm(content: Element): void {
  for (const link of content.querySelectorAll('a')) {
    const address = link.getAttribute('href') ?? '';
    link.removeAttribute('href');
    if (address.startsWith('#')) link.dataset.target = address.slice(1);
    else if (address) link.title = address;
  }
  for (const image of content.querySelectorAll('img')) image.alt = '';
}

/** Replacements for Word's symbol fonts, which few systems have. */
const bullets: Record<string, string> = { '\uf0b7': '•', '\uf0a7': '▪', '\uf0d8': '➢', '\uf0fc': '✓' };

function replaceBullets(style: Element): void {
  style.textContent = style.textContent.replace(/[\uf000-\uf0ff]/g, (sign) => bullets[sign] ?? '•');
}

/** A page as it was drawn, and whether it continues the one before. */
export type DrawnPage = { page: HTMLElement; isContinued: boolean };

/** A document that is drawn page by page. */
export class DocxDrawing {
  private readonly parsed: WordDocument;
  private readonly root: Element;
  private readonly sheets: Generator<Sheet>;
  /** Of the widest page, in CSS pixels. */
  readonly width: number;
  /** Whether Word has left marks where its pages begin. */
  readonly isLaidOut: boolean;
  private hasStyles = false;

  private constructor(parsed: WordDocument, root: Element, body: Element, pages: PagesOfDocument) {
    this.parsed = parsed;
    this.root = root;
    this.isLaidOut = firstOf(body, 'lastRenderedPageBreak') !== undefined;
    if (!childOf(body, 'sectPr')) body.append(makeElement(body.ownerDocument, '<w:sectPr/>'));
    const sections = [...body.children].flatMap((block) => {
      const section = block.localName === 'sectPr' ? block : childOf(childOf(block, 'pPr'), 'sectPr');
      return section ? [section] : [];
    });
    this.sheets = new PageSplitter(sections, pages).split(body);
    this.width = Math.max(...sections.map(widthOf));
  }

  static async open(file: Blob): Promise<DocxDrawing> {
    const prepared = await DocxPackage.open(file);
    const { body, root } = await prepared.takeBody();
    const breaking = await prepared.takePageBreakStyles();
    const hasEvenHeaders = await prepared.hasEvenHeaders();
    const parsed = await parseAsync(await prepared.toBytes(), options);
    const load: (...args: unknown[]) => Promise<string | null> = parsed.loadDocumentImage.bind(parsed);
    // For a missing picture the library sets the URL `null`.
    parsed.loadDocumentImage = async (...args: unknown[]) => (await load(...args)) ?? emptyFrame;
    const loadBullet: (id: string) => Promise<string | null> = parsed.loadNumberingImage.bind(parsed);
    parsed.loadNumberingImage = async (id: string) => (await loadBullet(id)) ?? 'data:,';
    const breaksBefore = (paragraph: Element) => {
      const properties = childOf(paragraph, 'pPr');
      const own = childOf(properties, 'pageBreakBefore');
      return own ? isOn(own) : breaking.has(attributeOf(childOf(properties, 'pStyle'), 'val') ?? '');
    };
    return new DocxDrawing(parsed, root, body, { hasEvenHeaders, breaksBefore });
  }

  /** Undefined after the last page. Styles come with the first. */
  async next(): Promise<{ styles: Element[]; pages: DrawnPage[] } | undefined> {
    const { value: sheet, done } = this.sheets.next();
    if (done) return undefined;
    this.parsed.documentPart.parseXml(this.wrap(sheet));
    const nodes: Node[] = await renderDocument(this.parsed, options);
    const elements = nodes.filter((node): node is HTMLElement => node instanceof Element);
    const pages = elements.filter(({ localName }) => localName === 'section');
    for (const page of pages) disarm(page);
    return {
      styles: this.stylesOf(elements),
      pages: pages.map((page, index) => ({ page, isContinued: sheet.isContinued && index === 0 })),
    };
  }

  private wrap({ blocks, setup }: Sheet): Element {
    const root = this.root.cloneNode(false) as Element;
    const body = makeElement(root.ownerDocument, '<w:body/>');
    for (const block of blocks) body.append(block);
    body.append(setup);
    root.append(body);
    return root;
  }

  private stylesOf(elements: HTMLElement[]): Element[] {
    if (this.hasStyles) return [];
    this.hasStyles = true;
    const styles = elements.filter(({ localName }) => localName === 'style');
    for (const style of styles) replaceBullets(style);
    // The library would write them again for each page.
    this.parsed.numberingPart = null;
    this.parsed.themePart = null;
    return styles;
  }
}

type PagesOfDocument = ConstructorParameters<typeof PageSplitter>[1];
