import { attributeOf, childOf, firstOf, numberOf } from './xml.ts';

/** English Metric Units, in which drawings are measured. */
export const emuPerPoint = 12_700;
export const emuPerTwip = 635;

export type Size = { width: number; height: number };

/** A picture as it will be drawn. Without an id, an empty frame takes its place. */
export type Picture = Size & { id: string; crop: string; rotation: number };

/** Where text and picture are in relation to each other. A picture never covers text. */
export type Placement =
  | { kind: 'inline' }
  | { kind: 'left' | 'right' | 'block' }
  /** Behind the text, from the corner of the page or of the paragraph. */
  | { kind: 'on-page' | 'on-paragraph'; left: number; top: number };

const positionMarkup = (name: 'H' | 'V', value: string) =>
  `<wp:position${name} relativeFrom="page">${value}</wp:position${name}>`;

function placementMarkup(placement: Placement): string {
  switch (placement.kind) {
    case 'inline':
      return '';
    case 'left':
    case 'right':
      return positionMarkup('H', `<wp:align>${placement.kind}</wp:align>`);
    case 'block':
      return `${positionMarkup('H', '<wp:align>center</wp:align>')}<wp:wrapTopAndBottom/>`;
    default: {
      const offset = (value: number) => `<wp:posOffset>${Math.round(value)}</wp:posOffset>`;
      return `${positionMarkup('H', offset(placement.left))}${positionMarkup('V', offset(placement.top))}<wp:wrapNone/>`;
    }
  }
}

/** Written anew, because docx-preview fails at drawings that lack a part, and places groups by offsets inside them. */
export function drawingMarkup({ id, width, height, crop, rotation }: Picture, placement: Placement): string {
  const size = `cx="${Math.round(width)}" cy="${Math.round(height)}"`;
  const tag = placement.kind === 'inline' ? 'wp:inline' : 'wp:anchor';
  const embed = id.replace(/[^\w.-]/g, '');
  return `<w:r><w:rPr><w:rStyle w:val="picture-${placement.kind}"/></w:rPr><w:drawing><${tag}><wp:extent ${size}/>${placementMarkup(placement)}<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="${embed}"/>${crop}</pic:blipFill><pic:spPr><a:xfrm rot="${rotation}"><a:ext ${size}/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></${tag}></w:drawing></w:r>`;
}

/** The margins of a page, from its corner. */
export type Margins = { left: number; top: number };

const usualTextWidth = 6 * 72 * emuPerPoint;

/** From the corner of what text is placed in, if the position says so. */
function offsetOf(position: Element | undefined, margin: number): number {
  const offset = Number(childOf(position, 'posOffset')?.textContent ?? 0) || 0;
  return attributeOf(position, 'relativeFrom') === 'page' ? offset : offset + margin;
}

function sideOf(
  horizontal: Element | undefined,
  { width }: Size,
  margin: number,
): 'left' | 'right' | 'block' {
  const align = childOf(horizontal, 'align')?.textContent;
  if (align === 'center' || width > usualTextWidth * 0.6) return 'block';
  if (align) return align === 'right' || align === 'outside' ? 'right' : 'left';
  const middle = offsetOf(horizontal, margin) - margin + width / 2;
  return middle > usualTextWidth / 2 ? 'right' : 'left';
}

/** `anchor` is the wrapper of a drawing: `wp:inline` or `wp:anchor`. */
export function placementOf(anchor: Element, size: Size, margins: Margins): Placement {
  if (anchor.localName === 'inline') return { kind: 'inline' };
  const horizontal = childOf(anchor, 'positionH');
  const vertical = childOf(anchor, 'positionV');
  if (childOf(anchor, 'wrapTopAndBottom')) return { kind: 'block' };
  const isAligned = childOf(vertical, 'align') || childOf(horizontal, 'align');
  const isOver = childOf(anchor, 'wrapNone') || attributeOf(anchor, 'behindDoc') === '1';
  if (!isOver || isAligned) return { kind: sideOf(horizontal, size, margins.left) };
  const left = offsetOf(horizontal, margins.left);
  const isOfPage = ['page', 'margin', 'topMargin'].includes(attributeOf(vertical, 'relativeFrom') ?? '');
  if (isOfPage) return { kind: 'on-page', left, top: offsetOf(vertical, margins.top) };
  return { kind: 'on-paragraph', left: left - margins.left, top: offsetOf(vertical, 0) };
}

const cropOf = (pic: Element): string => {
  const crop = firstOf(pic, 'srcRect');
  const sides = ['l', 't', 'r', 'b'].map((side) => [side, Math.round(numberOf(crop, side) ?? 0)] as const);
  if (!crop || sides.every(([, value]) => value === 0)) return '';
  return `<a:srcRect ${sides.map(([side, value]) => `${side}="${value}"`).join(' ')}/>`;
};

/** How much smaller or larger a group is drawn than its parts are measured. */
function groupScale(group: Element | undefined, size: Size): number {
  const parts = firstOf(firstOf(childOf(group, 'grpSpPr'), 'xfrm'), 'chExt');
  const width = numberOf(parts, 'cx') ?? 0;
  return width > 0 ? size.width / width : 1;
}

export function pictureOf(pic: Element, whole: Size, drawable: ReadonlySet<string>): Picture {
  const transform = firstOf(childOf(pic, 'spPr'), 'xfrm');
  const own = childOf(transform, 'ext');
  const group = pic.closest('*|wgp') ?? undefined;
  const scale = groupScale(group, whole);
  const isPart = group !== undefined && own !== undefined;
  const id = attributeOf(firstOf(pic, 'blip'), 'embed') ?? '';
  return {
    id: drawable.has(id) ? id : '',
    width: isPart ? (numberOf(own, 'cx') ?? 0) * scale : whole.width,
    height: isPart ? (numberOf(own, 'cy') ?? 0) * scale : whole.height,
    crop: cropOf(pic),
    rotation: Math.round(numberOf(transform, 'rot') ?? 0),
  };
}
