import { allOf, attributeOf, makeElement, styleRun, unwrap } from './xml.ts';

/** The classes of what depends on the page it is drawn on. */
export const pageClasses = { number: 'page-number', count: 'page-count', note: 'note-number' } as const;

function classOf(instruction: string): string | undefined {
  const name = /^\s*([A-Z]+)/i.exec(instruction)?.[1]?.toUpperCase();
  if (name === 'PAGE') return pageClasses.number;
  return name === 'NUMPAGES' || name === 'SECTIONPAGES' ? pageClasses.count : undefined;
}

const makeResult = (owner: Document, style: string) => {
  const run = makeElement(owner, '<w:r><w:t>1</w:t></w:r>');
  styleRun(run, style);
  return run;
};

type Field = { instruction: string; isResult: boolean; marked: boolean };

/** A run may contain the codes of a field and its result; docx-preview draws none of such a run. */
function splitRun(run: Element): void {
  const codes = [...run.children].filter(
    ({ localName }) => localName === 'fldChar' || localName === 'instrText',
  );
  if (codes.length === 0 || run.getElementsByTagNameNS('*', 't').length === 0) return;
  for (const child of [...run.children]) {
    if (child.localName === 'rPr') continue;
    const part = run.cloneNode(false) as Element;
    part.append(child);
    run.before(part);
  }
  run.remove();
}

/** Marks the numbers of pages, whose values in the file are those of one page only. */
export function markFields(root: Element): void {
  for (const simple of allOf(root, 'fldSimple')) {
    const style = classOf(attributeOf(simple, 'instr') ?? '');
    if (style) simple.replaceChildren(makeResult(root.ownerDocument, style));
    unwrap(simple);
  }
  for (const run of allOf(root, 'r')) splitRun(run);
  const open: Field[] = [];
  for (const run of allOf(root, 'r')) {
    for (const child of [...run.children]) readCode(run, child, open);
  }
  for (const name of ['footnoteReference', 'endnoteReference']) {
    for (const reference of allOf(root, name)) {
      if (reference.parentElement) styleRun(reference.parentElement, pageClasses.note);
    }
  }
}

function readCode(run: Element, child: Element, open: Field[]): void {
  const field = open.at(-1);
  const style = field && classOf(field.instruction);
  const type = child.localName === 'fldChar' ? attributeOf(child, 'fldCharType') : child.localName;
  switch (type) {
    case 'begin':
      open.push({ instruction: '', isResult: false, marked: false });
      break;
    case 'instrText':
      if (field) field.instruction += child.textContent;
      break;
    case 'separate':
      if (field) field.isResult = true;
      break;
    case 'end':
      // Some programs write no result.
      if (field && style && !field.marked) run.after(makeResult(run.ownerDocument, style));
      open.pop();
      break;
    case 't':
      if (!field?.isResult || !style) break;
      if (field.marked) child.remove();
      else styleRun(run, style);
      field.marked = true;
  }
}
