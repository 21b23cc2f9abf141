import JSZip from 'jszip';
import { markFields } from './fields.ts';
import { flatten } from './flatten.ts';
import { marginsOf } from './page-setup.ts';
import { simplifyDrawings } from './pictures.ts';
import { allOf, attributeOf, childOf, firstOf, isOn, parseXml } from './xml.ts';

/** What browsers draw; not the Windows metafiles that older programs embed. */
const drawableFile = /\.(png|jpe?g|jfif|gif|bmp|webp|svg|ico|avif)$/i;

/** Where a part is stored, and where its relationships are. */
function pathFrom(folder: string, target: string): string {
  return URL.parse(target, `http://docx/${folder}`)?.pathname.slice(1) ?? '';
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const relationshipsOf = (path: string) => `${folderOf(path)}_rels/${path.slice(folderOf(path).length)}.rels`;

type Relation = { id: string; type: string; path: string };

/** A DOCX that refers to nothing outside of it, and is made of what docx-preview draws well. */
export class DocxPackage {
  private readonly zip: JSZip;
  private main = 'word/document.xml';

  private constructor(zip: JSZip) {
    this.zip = zip;
  }

  static async open(file: Blob): Promise<DocxPackage> {
    const opened = new DocxPackage(await JSZip.loadAsync(file));
    await opened.removeOutsideReferences();
    const main = (await opened.relationsOf('')).find(({ type }) => type.endsWith('/officeDocument'));
    if (main) opened.main = main.path;
    return opened;
  }

  /** The addresses of links stay: they are shown and never opened. */
  private async removeOutsideReferences(): Promise<void> {
    for (const { name } of this.zip.file(/\.rels$/)) {
      const list = await this.read(name);
      for (const relation of list ? allOf(list.documentElement, 'Relationship') : []) {
        const isLink = attributeOf(relation, 'Type')?.endsWith('/hyperlink');
        if (attributeOf(relation, 'TargetMode') === 'External' && !isLink) relation.remove();
      }
      if (list) this.write(name, list);
    }
  }

  private async read(path: string): Promise<XMLDocument | undefined> {
    const text = await this.zip.file(path)?.async('string');
    return text === undefined ? undefined : parseXml(text);
  }

  /** Only this process reads the package again, so nothing is compressed. */
  private write(path: string, content: XMLDocument): void {
    this.zip.file(path, new XMLSerializer().serializeToString(content), { compression: 'STORE' });
  }

  private async relationsOf(path: string): Promise<Relation[]> {
    const list = await this.read(relationshipsOf(path));
    return (list ? allOf(list.documentElement, 'Relationship') : []).map((relation) => ({
      id: attributeOf(relation, 'Id') ?? '',
      type: attributeOf(relation, 'Type') ?? '',
      path: pathFrom(folderOf(path), attributeOf(relation, 'Target') ?? ''),
    }));
  }

  private async pictureIdsOf(path: string): Promise<Set<string>> {
    const relations = await this.relationsOf(path);
    const drawable = relations.filter((each) => drawableFile.test(each.path) && this.zip.file(each.path));
    return new Set(drawable.map(({ id }) => id));
  }

  private async simplify(path: string, content: XMLDocument): Promise<void> {
    const root = content.documentElement;
    flatten(root);
    markFields(root);
    const section = firstOf(root, 'sectPr');
    const margins = section ? marginsOf(section) : { left: 0, top: 0 };
    simplifyDrawings(root, await this.pictureIdsOf(path), margins);
  }

  /** Takes the body out, whose pages are drawn one after the other, and prepares all other parts. */
  async takeBody(): Promise<{ body: Element; root: Element }> {
    const content = await this.read(this.main);
    const root = content?.documentElement;
    const body = childOf(root, 'body');
    if (!content || !root || !body) throw new Error('There is no document in the package.');
    await this.simplify(this.main, content);
    body.remove();
    const empty = root.cloneNode(false) as Element;
    empty.append(body.cloneNode(false));
    const stub = content.cloneNode(false) as XMLDocument;
    stub.append(stub.importNode(empty, true));
    this.write(this.main, stub);
    const margins = /\/(header|footer|footnotes|endnotes)$/;
    for (const relation of await this.relationsOf(this.main)) {
      if (!margins.test(relation.type)) continue;
      const part = await this.read(relation.path);
      if (!part) continue;
      await this.simplify(relation.path, part);
      this.write(relation.path, part);
    }
    return { body, root };
  }

  private async partOfType(type: string): Promise<{ path: string; content: XMLDocument } | undefined> {
    const relation = (await this.relationsOf(this.main)).find((each) => each.type.endsWith(`/${type}`));
    const content = relation && (await this.read(relation.path));
    return content && { path: relation.path, content };
  }

  async hasEvenHeaders(): Promise<boolean> {
    const settings = await this.partOfType('settings');
    return isOn(childOf(settings?.content.documentElement, 'evenAndOddHeaders'));
  }

  /** The styles whose paragraphs begin a page. Removes the property: pages are divided before they are drawn. */
  async takePageBreakStyles(): Promise<Set<string>> {
    const styles = await this.partOfType('styles');
    const breaking = new Map<string, boolean>();
    const bases = new Map<string, string>();
    for (const style of styles ? allOf(styles.content.documentElement, 'style') : []) {
      const id = attributeOf(style, 'styleId') ?? '';
      const own = firstOf(style, 'pageBreakBefore');
      if (own) breaking.set(id, isOn(own));
      own?.remove();
      bases.set(id, attributeOf(childOf(style, 'basedOn'), 'val') ?? '');
    }
    if (styles && breaking.size > 0) this.write(styles.path, styles.content);
    return new Set([...bases.keys()].filter((id) => inherits(id, breaking, bases)));
  }

  /** For docx-preview. What was not changed is not compressed again. */
  toBytes(): Promise<Uint8Array> {
    return this.zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
  }
}

/** Word allows fewer levels. */
const maxLevels = 20;

function inherits(id: string, values: Map<string, boolean>, bases: Map<string, string>): boolean {
  let at: string | undefined = id;
  for (let level = 0; at && level < maxLevels; level += 1) {
    const own = values.get(at);
    if (own !== undefined) return own;
    at = bases.get(at);
  }
  return false;
}
