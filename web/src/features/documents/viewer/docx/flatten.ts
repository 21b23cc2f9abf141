import { allOf, childOf, isOn, unwrap } from './xml.ts';

/** Around text that is part of the document. docx-preview leaves out the text in most of them. */
const transparent = ['ins', 'moveTo', 'smartTag', 'customXml', 'bdo', 'dir', 'sdtContent'];

/** No part of the text: what was deleted, and files of other formats. */
const removed = ['del', 'moveFrom', 'altChunk', 'sdtPr', 'sdtEndPr', 'customXmlPr', 'smartTagPr'];

const has = (element: Element | undefined, ...names: string[]) =>
  element !== undefined && names.some((name) => element.getElementsByTagNameNS('*', name).length > 0);

/** The first version with something that can be drawn: a picture or a text box, then an older picture. */
function bestOf(alternatives: Element): Element | undefined {
  const choices = [...alternatives.children].filter(({ localName }) => localName === 'Choice');
  const fallback = childOf(alternatives, 'Fallback');
  return (
    choices.find((choice) => has(choice, 'pic', 'txbxContent')) ??
    (has(fallback, 'imagedata', 'pic', 'txbxContent') ? fallback : (choices[0] ?? fallback))
  );
}

/** Leaves paragraphs, tables and runs, without what is around them or exists twice. */
export function flatten(root: Element): void {
  // The innermost first.
  for (const alternatives of allOf(root, 'AlternateContent').reverse()) {
    const best = bestOf(alternatives);
    for (const other of [...alternatives.children]) if (other !== best) other.remove();
    if (best) unwrap(best);
    unwrap(alternatives);
  }
  for (const name of removed) {
    for (const element of allOf(root, name)) {
      if (element.namespaceURI === root.namespaceURI) element.remove();
    }
  }
  for (const name of [...transparent, 'sdt']) {
    for (const element of allOf(root, name)) {
      if (element.namespaceURI === root.namespaceURI) unwrap(element);
    }
  }
  for (const run of allOf(root, 'r')) {
    if (isOn(childOf(childOf(run, 'rPr'), 'vanish'))) run.remove();
  }
}
