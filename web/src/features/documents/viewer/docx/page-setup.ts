import { emuPerTwip, type Margins } from './drawing.ts';
import { allOf, attributeOf, childOf, isOn, makeElement, numberOf } from './xml.ts';

/** As Word shows a document that does not say. */
const usualSize = '<w:pgSz w:w="12240" w:h="15840"/>';
const usualMargins =
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/>';

/** The properties of a section; those that are missing are added. */
export function completeSection(section: Element): Element {
  const size = childOf(section, 'pgSz');
  if (!(numberOf(size, 'w') && numberOf(size, 'h'))) {
    size?.remove();
    section.prepend(makeElement(section.ownerDocument, usualSize));
  }
  if (!childOf(section, 'pgMar')) section.append(makeElement(section.ownerDocument, usualMargins));
  return section;
}

const sizeOf = (section: Element) => {
  const size = childOf(section, 'pgSz');
  return `${attributeOf(size, 'w')} ${attributeOf(size, 'h')}`;
};

/** Whether the section continues on the page on which the one before it ends. */
export const continuesPage = (before: Element, section: Element): boolean => {
  const type = attributeOf(childOf(section, 'type'), 'val');
  return (type === 'continuous' || type === 'nextColumn') && sizeOf(before) === sizeOf(section);
};

export function marginsOf(section: Element): Margins {
  const margins = childOf(section, 'pgMar');
  return {
    left: (numberOf(margins, 'left') ?? 0) * emuPerTwip,
    top: (numberOf(margins, 'top') ?? 0) * emuPerTwip,
  };
}

/** In CSS pixels. */
export const widthOf = (section: Element): number =>
  ((numberOf(childOf(section, 'pgSz'), 'w') ?? 0) / 1440) * 96;

const kinds = ['default', 'first', 'even'] as const;
type Kind = (typeof kinds)[number];

const references = ['headerReference', 'footerReference'] as const;

const referenceIn = (section: Element | undefined, name: string, kind: Kind): Element | undefined =>
  section && allOf(section, name).find((each) => (attributeOf(each, 'type') ?? 'default') === kind);

/** A section without a header has that of the section before it. */
export function inheritHeaders(sections: Element[]): void {
  for (const [index, section] of sections.entries()) {
    for (const name of references) {
      for (const kind of kinds) {
        const inherited = referenceIn(sections[index - 1], name, kind)?.cloneNode();
        if (inherited && !referenceIn(section, name, kind)) section.prepend(inherited);
      }
    }
  }
}

type PageOfSection = { isFirst: boolean; number: number; hasEvenHeaders: boolean };

/** A copy for one page, with its header and footer as the only ones. */
export function setupOf(section: Element, { isFirst, number, hasEvenHeaders }: PageOfSection): Element {
  const setup = section.cloneNode(true) as Element;
  let kind: Kind = hasEvenHeaders && number % 2 === 0 ? 'even' : 'default';
  if (isFirst && isOn(childOf(setup, 'titlePg'))) kind = 'first';
  for (const name of references) {
    const reference = referenceIn(setup, name, kind);
    for (const each of allOf(setup, name)) each.remove();
    if (!reference) continue;
    for (const attribute of [...reference.attributes]) {
      if (attribute.localName === 'type') attribute.value = 'default';
    }
    setup.prepend(reference);
  }
  childOf(setup, 'titlePg')?.remove();
  return setup;
}
