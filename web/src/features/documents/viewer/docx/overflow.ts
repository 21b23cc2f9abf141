/** Below this many pixels, a page is not too long. */
const tolerance = 2;

/** A page that Word has laid out may be longer here, where other fonts are used. */
const laidOutFactor = 1.5;

/** Of the paper, as it is drawn: the style is in points, and the page may be zoomed. */
function heightOf(page: HTMLElement): number {
  const scale = page.getBoundingClientRect().width / Number.parseFloat(page.style.width);
  return Number.parseFloat(page.style.minHeight) * scale;
}

const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;

/** The index of the first element below the limit, if another is above it. */
function firstBelow(elements: Element[], limit: number): number | undefined {
  const index = elements.findIndex((element) => bottomOf(element) > limit);
  return index < 0 ? undefined : index;
}

/** Moves the rows from one on into a copy of the table. */
function splitTable(table: HTMLTableElement, limit: number): HTMLElement | undefined {
  const rows = [...table.rows];
  const index = firstBelow(rows, limit);
  const row = index === undefined ? undefined : rows[index];
  // A cell that spans the rows would be cut.
  if (!index || !row || table.querySelector('td[rowspan]:not([rowspan="1"])')) return undefined;
  const rest = table.cloneNode(false) as HTMLTableElement;
  const columns = table.querySelector(':scope > colgroup')?.cloneNode(true);
  if (columns) rest.append(columns);
  for (const each of rows.slice(index)) rest.append(each);
  return rest;
}

/** The end of the page from the first block that does not fit; undefined if there is nothing to move. */
function takeEnd(article: HTMLElement, limit: number): Element[] | undefined {
  const blocks = [...article.children];
  const index = firstBelow(blocks, limit);
  const block = index === undefined ? undefined : blocks[index];
  if (index === undefined || !block) return undefined;
  const part = block.localName === 'table' ? splitTable(block as HTMLTableElement, limit) : undefined;
  if (part) return [part, ...blocks.slice(index + 1)];
  // A block that is longer than the page stays on it.
  const from = Math.max(index, 1);
  return from < blocks.length ? blocks.slice(from) : undefined;
}

/** The last page with its header, footer and an empty text. */
function emptyCopy(page: HTMLElement): { page: HTMLElement; article: HTMLElement } {
  const copy = page.cloneNode(false) as HTMLElement;
  const article = page.querySelector(':scope > article:last-of-type')?.cloneNode(false) as HTMLElement;
  const [header, footer] = ['header', 'footer'].map((name) =>
    page.querySelector(`:scope > ${name}`)?.cloneNode(true),
  );
  copy.append(...[header, article, footer].filter((part) => part !== undefined));
  return { page: copy, article };
}

/** Adds what continues a page to its last text. */
export function appendTo(page: HTMLElement, more: HTMLElement): void {
  const last = page.querySelector(':scope > article:last-of-type');
  const [first, ...others] = more.querySelectorAll(':scope > article');
  if (!last || !first) return;
  last.append(...first.childNodes);
  const footer = page.querySelector(':scope > footer');
  for (const part of [...others, ...more.querySelectorAll(':scope > ol')]) page.insertBefore(part, footer);
}

/** Divides the last page of a document that no program has laid out, and returns the new last page. */
export function divide(page: HTMLElement, isLaidOut: boolean): HTMLElement {
  const height = heightOf(page) * (isLaidOut ? laidOutFactor : 1);
  const box = page.getBoundingClientRect();
  if (!(height > 0) || box.height <= height + tolerance) return page;
  const article = page.querySelector<HTMLElement>(':scope > article:last-of-type');
  if (!article || article.style.columnCount) return page;
  const scale = box.width / Number.parseFloat(page.style.width);
  const limit = box.top + heightOf(page) - (Number.parseFloat(page.style.paddingBottom) || 0) * scale;
  const end = takeEnd(article, limit + tolerance);
  if (!end) return page;
  const next = emptyCopy(page);
  next.article.append(...end);
  page.after(next.page);
  return next.page;
}
