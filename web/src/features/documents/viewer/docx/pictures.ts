import {
  drawingMarkup,
  emuPerPoint,
  emuPerTwip,
  type Margins,
  type Picture,
  type Placement,
  pictureOf,
  placementOf,
  type Size,
} from './drawing.ts';
import { allOf, attributeOf, childOf, firstOf, makeElement, numberOf } from './xml.ts';

/** Smaller shapes are lines and ornaments. */
const smallestFrame = 36 * emuPerPoint;

const pointsPer: Record<string, number> = { pt: 1, in: 72, cm: 28.35, mm: 2.835, px: 0.75, pc: 12 };

function lengthIn(style: string, name: string): number {
  const found = new RegExp(`(?:^|;)\\s*${name}:\\s*([\\d.]{1,9})(pt|in|cm|mm|px|pc)?`).exec(style);
  return Number(found?.[1] ?? 0) * (pointsPer[found?.[2] ?? 'px'] ?? 1) * emuPerPoint;
}

/** Of a shape in VML, the language of drawings in older files. */
function sizeOfShape(shape: Element | null): Size {
  const style = attributeOf(shape ?? undefined, 'style') ?? '';
  return { width: lengthIn(style, 'width'), height: lengthIn(style, 'height') };
}

/** Before the run, so that the text of the run keeps its place. */
function insert(run: Element, picture: Picture, placement: Placement): void {
  if (picture.width > 0 && picture.height > 0) {
    run.before(makeElement(run.ownerDocument, drawingMarkup(picture, placement)));
  }
}

const emptyFrame = (size: Size): Picture => ({ ...size, id: '', crop: '', rotation: 0 });

/** The text of a box becomes a framed table below its paragraph. */
function liftTextBox(content: Element, paragraph: Element, { width }: Size): void {
  if (content.children.length === 0) return;
  const twips = Math.round(width / emuPerTwip) || 4_000;
  const borders = ['top', 'left', 'bottom', 'right']
    .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`)
    .join('');
  const table = makeElement(
    content.ownerDocument,
    `<w:tbl><w:tblPr><w:tblW w:w="${twips}" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tr><w:tc><w:tcPr/></w:tc></w:tr></w:tbl>`,
  );
  const cell = firstOf(table, 'tc');
  while (content.firstElementChild) cell?.append(content.firstElementChild);
  paragraph.after(table);
}

const drawings = 'drawing pict object'.split(' ');

/** The drawing, not counting what is in a text box inside of it. */
const isOwn = (drawing: Element) => (part: Element) =>
  part.closest('*|drawing, *|pict, *|object') === drawing;

function convert(drawing: Element, drawable: ReadonlySet<string>, margins: Margins): void {
  const run = drawing.closest('*|r');
  const paragraph = run?.closest('*|p');
  if (!run || !paragraph) return;
  const boxes = allOf(drawing, 'txbxContent').filter(isOwn(drawing));
  const anchor = childOf(drawing, 'anchor') ?? childOf(drawing, 'inline');
  const extent = childOf(anchor, 'extent');
  const size = anchor
    ? { width: numberOf(extent, 'cx') ?? 0, height: numberOf(extent, 'cy') ?? 0 }
    : sizeOfShape(firstOf(drawing, 'shape') ?? null);
  const pictures = allOf(drawing, 'pic').filter(isOwn(drawing));
  for (const pic of pictures) {
    const placement: Placement =
      anchor && pictures.length === 1 ? placementOf(anchor, size, margins) : { kind: 'inline' };
    insert(run, pictureOf(pic, size, drawable), placement);
  }
  for (const image of allOf(drawing, 'imagedata').filter(isOwn(drawing))) {
    const id = attributeOf(image, 'id') ?? '';
    const picture = { ...emptyFrame(sizeOfShape(image.parentElement)), id: drawable.has(id) ? id : '' };
    insert(run, picture, { kind: 'inline' });
  }
  // A chart or a diagram.
  const data = anchor && firstOf(anchor, 'graphicData');
  const isOther =
    pictures.length === 0 && boxes.length === 0 && /chart|diagram/.test(attributeOf(data, 'uri') ?? '');
  if (isOther && Math.min(size.width, size.height) > smallestFrame)
    insert(run, emptyFrame(size), { kind: 'inline' });
  // The last is lifted first, because each one goes directly below the paragraph.
  for (const box of boxes.reverse()) liftTextBox(box, paragraph, size);
  drawing.remove();
}

/** Leaves pictures that are drawn in the text or behind it. `drawable` are the pictures that a browser can show. */
export function simplifyDrawings(root: Element, drawable: ReadonlySet<string>, margins: Margins): void {
  for (const name of drawings) {
    for (const drawing of allOf(root, name)) convert(drawing, drawable, margins);
  }
}
