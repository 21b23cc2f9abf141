import { completeSection, continuesPage, inheritHeaders, setupOf } from './page-setup.ts';
import { allOf, attributeOf, childOf, firstOf, isOn, makeElement } from './xml.ts';

/** What is drawn at once. */
export type Sheet = {
  blocks: Element[];
  /** The section with the header and footer of this page. */
  setup: Element;
  /** Continues the page before it, which is long. */
  isContinued: boolean;
};

/** More would take too long to draw at once. */
const blocksAtOnce = 40;

/** A split moves all that follows, so their number is limited. */
const maxSplits = 200;

const breaksIn = (block: Element) =>
  [...block.querySelectorAll('*|br, *|lastRenderedPageBreak')]
    .filter((each) => each.localName !== 'br' || attributeOf(each, 'type') === 'page')
    .slice(0, maxSplits);

const hasContent = (block: Element) =>
  block.localName !== 'p' ||
  block.textContent.trim() !== '' ||
  block.querySelector('*|drawing, *|sym') !== null;

/** The part of a paragraph from a break on, which becomes a paragraph without number and indent. */
function splitParagraph(paragraph: Element, at: Element): Element {
  const range = paragraph.ownerDocument.createRange();
  range.setStartAfter(at);
  range.setEndAfter(paragraph.lastChild ?? at);
  const rest = paragraph.cloneNode(false) as Element;
  rest.append(range.extractContents());
  const style = childOf(at.closest('*|r') ?? undefined, 'rPr')?.cloneNode(true);
  const run = firstOf(rest, 'r');
  if (style && run && !childOf(run, 'rPr')) run.prepend(style);
  const properties = childOf(paragraph, 'pPr');
  if (properties) {
    const copied = properties.cloneNode(true) as Element;
    // The section ends with the rest.
    childOf(properties, 'sectPr')?.remove();
    for (const name of ['numPr', 'ind', 'pageBreakBefore']) childOf(copied, name)?.remove();
    if (childOf(properties, 'numPr')) copied.append(makeElement(paragraph.ownerDocument, noNumber));
    rest.prepend(copied);
  }
  return rest;
}

const noNumber = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';

/** The rows from one on, below the header of the table. */
function splitTable(table: Element, at: Element): Element {
  const rest = table.cloneNode(false) as Element;
  for (const name of ['tblPr', 'tblGrid']) {
    const copied = childOf(table, name)?.cloneNode(true);
    if (copied) rest.append(copied);
  }
  const rows = [...table.children].filter(({ localName }) => localName === 'tr');
  for (const row of rows) {
    if (!isOn(childOf(childOf(row, 'trPr'), 'tblHeader'))) break;
    rest.append(row.cloneNode(true));
  }
  for (const row of rows.slice(rows.indexOf(at))) rest.append(row);
  return rest;
}

/** The row after the first with which Word began a page. Cells that continue above it cannot be split. */
function rowOfBreak(table: Element): Element | undefined {
  const rows = [...table.children].filter(({ localName }) => localName === 'tr');
  return rows.find(
    (row, index) =>
      index > 0 &&
      firstOf(row, 'lastRenderedPageBreak') !== undefined &&
      allOf(row, 'vMerge').every((merge) => attributeOf(merge, 'val') === 'restart'),
  );
}

type Pages = { hasEvenHeaders: boolean; breaksBefore: (paragraph: Element) => boolean };

/** Divides a body at its page breaks, at those of Word's last layout, and where sections begin. */
export class PageSplitter {
  private readonly pages: Pages;
  private readonly sections: Element[];
  private section = 0;
  private blocks: Element[] = [];
  private sheetNumber = 1;
  private isFirst = true;
  private isContinued = false;

  constructor(sections: Element[], pages: Pages) {
    this.sections = sections.map(completeSection);
    inheritHeaders(this.sections);
    this.pages = pages;
  }

  *split(body: Element): Generator<Sheet> {
    for (const block of [...body.children]) {
      if (block.localName === 'tbl') yield* this.addTable(block);
      else if (block.localName === 'p') yield* this.addParagraph(block);
      if (this.blocks.length >= blocksAtOnce) yield* this.flush(true);
    }
    if (!this.isEmpty || this.sheetNumber === 1) yield* this.flush(false);
  }

  private setup(section: Element): Element {
    const { hasEvenHeaders } = this.pages;
    return setupOf(section, { isFirst: this.isFirst, number: this.sheetNumber, hasEvenHeaders });
  }

  private *flush(isContinued: boolean): Generator<Sheet> {
    const section = this.sections[this.section];
    if (!section) return;
    const sheet = { blocks: this.blocks, setup: this.setup(section), isContinued: this.isContinued };
    this.blocks = [];
    this.isContinued = isContinued;
    if (!isContinued) {
      this.sheetNumber += 1;
      this.isFirst = false;
    }
    yield sheet;
  }

  /** Nothing to see has been added since the last break. */
  private get isEmpty(): boolean {
    return !this.isContinued && !this.blocks.some(hasContent);
  }

  private *addTable(table: Element): Generator<Sheet> {
    let rest = table;
    const begins = firstOf(childOf(table, 'tr'), 'lastRenderedPageBreak') !== undefined;
    if (begins && !this.isEmpty) yield* this.flush(false);
    for (let count = 0; count < maxSplits; count += 1) {
      const row = rowOfBreak(rest);
      if (!row) break;
      const next = splitTable(rest, row);
      this.blocks.push(rest);
      yield* this.flush(false);
      for (const mark of allOf(row, 'lastRenderedPageBreak')) mark.remove();
      rest = next;
    }
    this.blocks.push(rest);
  }

  private *addParagraph(paragraph: Element): Generator<Sheet> {
    const properties = childOf(paragraph, 'pPr');
    if (this.pages.breaksBefore(paragraph) && !this.isEmpty) yield* this.flush(false);
    childOf(properties, 'pageBreakBefore')?.remove();
    let rest = paragraph;
    for (const mark of breaksIn(paragraph)) {
      const isOfWord = mark.localName !== 'br';
      const next = splitParagraph(rest, mark);
      mark.remove();
      if (hasContent(rest) || !isOfWord) {
        this.blocks.push(rest);
        yield* this.flush(false);
        rest = next;
      } else {
        // Nothing of the paragraph is above the break: it moves to the next page as a whole.
        rest.append(...[...next.childNodes].filter((node) => node !== childOf(next, 'pPr')));
        const end = firstOf(childOf(next, 'pPr'), 'sectPr');
        if (end) childOf(rest, 'pPr')?.append(end);
        if (!this.isEmpty) yield* this.flush(false);
      }
    }
    yield* this.endParagraph(rest, rest !== paragraph);
  }

  private *endParagraph(paragraph: Element, isRest: boolean): Generator<Sheet> {
    const end = firstOf(childOf(paragraph, 'pPr'), 'sectPr');
    const [here, next] = [this.sections[this.section], this.sections[this.section + 1]];
    const isSplit = end !== undefined && here !== undefined && next !== undefined;
    if (!isRest || hasContent(paragraph)) this.blocks.push(paragraph);
    if (!isSplit) return end?.remove();
    if (continuesPage(here, next)) {
      end.replaceWith(this.setup(here));
      this.section += 1;
      return;
    }
    end.remove();
    if (!this.isEmpty) yield* this.flush(false);
    this.section += 1;
    this.isFirst = true;
  }
}
