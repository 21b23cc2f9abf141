/** The parts of a DOCX are matched by local names: producers choose prefixes, and strict files other namespaces. */

export function parseXml(text: string): XMLDocument {
  const parsed = new DOMParser().parseFromString(text.replace(/^\ufeff/, ''), 'application/xml');
  if (parsed.getElementsByTagName('parsererror').length > 0) throw new Error('A part is not XML.');
  return parsed;
}

/** In the order of the document, and not live. */
export const allOf = (root: Element, name: string): Element[] => [...root.getElementsByTagNameNS('*', name)];

export const childOf = (parent: Element | undefined, name: string): Element | undefined =>
  parent && [...parent.children].find(({ localName }) => localName === name);

/** The first descendant with this name. */
export const firstOf = (root: Element | undefined, name: string): Element | undefined =>
  root?.getElementsByTagNameNS('*', name)[0];

export const attributeOf = (element: Element | undefined, name: string): string | undefined =>
  element && [...element.attributes].find(({ localName }) => localName === name)?.value;

export const numberOf = (element: Element | undefined, name: string): number | undefined => {
  const number = Number.parseFloat(attributeOf(element, name) ?? '');
  return Number.isFinite(number) ? number : undefined;
};

/** Switches such as `<w:titlePg/>`, which are on unless they say otherwise. */
export const isOn = (element: Element | undefined): boolean =>
  element !== undefined && !['0', 'false', 'off'].includes(attributeOf(element, 'val') ?? '');

/** Without a spread: a body may have a hundred thousand children. */
export function unwrap(element: Element): void {
  while (element.firstChild) element.parentNode?.insertBefore(element.firstChild, element);
  element.remove();
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';

const namespaces = [
  `xmlns:w="${word}"`,
  `xmlns:wp="${drawing}/wordprocessingDrawing"`,
  `xmlns:a="${drawing}/main"`,
  `xmlns:pic="${drawing}/picture"`,
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
].join(' ');

/** An element of ours for the document. The markup has no text of the file. */
export function makeElement(owner: Document, markup: string): Element {
  const made = parseXml(`<x ${namespaces}>${markup}</x>`).documentElement.firstElementChild;
  if (!made) throw new Error('No element');
  return owner.importNode(made, true);
}

/** Names the style of a run, which becomes the class of its `span`. */
export function styleRun(run: Element, style: string): void {
  const owner = run.ownerDocument;
  let properties = childOf(run, 'rPr');
  if (!properties) {
    properties = makeElement(owner, '<w:rPr/>');
    run.prepend(properties);
  }
  childOf(properties, 'rStyle')?.remove();
  properties.prepend(makeElement(owner, `<w:rStyle w:val="${style}"/>`));
}
