import { extractionLimits } from '../../protocol.ts';
import { withMissingLines } from '../missing-lines.ts';
import { type Pdf, pdfium, readText, withMemory } from '../pdfium.ts';
import { glyphsOf } from './pdf-glyphs.ts';
import { joinSpacedLetters } from './pdf-spaced-letters.ts';
import { removeUnmapped } from './pdf-unmapped.ts';
import { joinUnspacedLines } from './pdf-unspaced-lines.ts';
import { removeBlanksWithoutWidth, reverseLigatures, reverseMirroredWords } from './pdf-word-gaps.ts';

const { charactersPerPage } = extractionLimits;
const bytesPerCharacter = 2;
const maxAnnotations = 1_000;
const maxAnglesRead = 2_000;
const quarterTurn = Math.PI / 2;

// Numbers of PDFium.
const subtypes = { link: 2, stamp: 13, ink: 15, popup: 16, widget: 20 };
const hidden = 2;
const fieldTypes = { comboBox: 4, listBox: 5, textField: 6 };
const forDisplay = 0;

const linesOf = (text: string) => text.split(/[\r\n]+/);

function withTextPage<T>(page: number, use: (textPage: number, characters: number) => T): T | undefined {
  const textPage = pdfium()._FPDFText_LoadPage(page);
  if (textPage === 0) return undefined;
  try {
    return use(textPage, Math.min(pdfium()._FPDFText_CountChars(textPage), charactersPerPage));
  } finally {
    pdfium()._FPDFText_ClosePage(textPage);
  }
}

/** `isUnmapped`: something was left out, because its font does not say which letters it has. */
type TextOfPage = { text: string; isUnmapped: boolean };

const noText: TextOfPage = { text: '', isUnmapped: false };

/** The text as it is read with the page turned clockwise. */
function turnedTextOf(page: number, quarterTurns: number): TextOfPage {
  pdfium()._FPDFPage_SetRotation(page, quarterTurns);
  const read = (textPage: number, count: number) => {
    const glyphs = glyphsOf(textPage, count, quarterTurns);
    const isUnmapped = removeUnmapped(glyphs);
    reverseMirroredWords(glyphs);
    reverseLigatures(glyphs);
    removeBlanksWithoutWidth(glyphs);
    joinSpacedLetters(glyphs);
    joinUnspacedLines(glyphs);
    return { text: glyphs.characters.join(''), isUnmapped };
  };
  return withTextPage(page, read) ?? noText;
}

/** The turns that make its lines horizontal, the most frequent first. */
function turnsOf(page: number): number[] {
  const counts = [0, 0, 0, 0];
  withTextPage(page, (textPage, characters) => {
    const step = Math.ceil(characters / maxAnglesRead);
    for (let index = 0; index < characters; index += step) {
      const turns = Math.round(pdfium()._FPDFText_GetCharAngle(textPage, index) / quarterTurn) & 3;
      counts[turns] = (counts[turns] ?? 0) + 1;
    }
  });
  const count = (turns: number) => counts[turns] ?? 0;
  return [0, 1, 2, 3].filter((turns) => count(turns) > 0).sort((one, other) => count(other) - count(one));
}

/** PDFium mixes the letters of lines that are not horizontal. */
function textOf(page: number): TextOfPage {
  const [first = 0, ...others] = turnsOf(page);
  return others.reduce(
    (all, turns) => {
      const more = turnedTextOf(page, turns);
      const text = withMissingLines(all.text, linesOf(more.text));
      return { text, isUnmapped: all.isUnmapped || more.isUnmapped };
    },
    turnedTextOf(page, first),
  );
}

const contentsKey = Buffer.from('Contents\0');

function contentsOf(annotation: number): string {
  return withMemory(contentsKey.length, (key) => {
    pdfium().HEAPU8.set(contentsKey, key);
    return readText(charactersPerPage * bytesPerCharacter, (buffer, bytes) =>
      pdfium()._FPDFAnnot_GetStringValue(annotation, key, buffer, bytes),
    );
  });
}

const searchedFields = new Set(Object.values(fieldTypes));

/** What was typed or chosen. Marks of check boxes say nothing without the page around them. */
function fieldValueOf(form: number, annotation: number): string {
  if (!form || !searchedFields.has(pdfium()._FPDFAnnot_GetFormFieldType(form, annotation))) return '';
  return readText(charactersPerPage * bytesPerCharacter, (buffer, bytes) =>
    pdfium()._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes),
  );
}

/** Popups repeat the comment that they belong to. */
const silent = new Set([subtypes.link, subtypes.popup]);

type Annotations = {
  texts: string[];
  /** Whether any draws something on the page. */
  areDrawn: boolean;
  hasPicture: boolean;
};

function annotationsOf({ form }: Pdf, page: number): Annotations {
  const found: Annotations = { texts: [], areDrawn: false, hasPicture: false };
  const count = Math.min(pdfium()._FPDFPage_GetAnnotCount(page), maxAnnotations);
  let characters = 0;
  for (let index = 0; index < count && characters < charactersPerPage; index += 1) {
    const annotation = pdfium()._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const subtype = pdfium()._FPDFAnnot_GetSubtype(annotation);
      if (silent.has(subtype) || pdfium()._FPDFAnnot_GetFlags(annotation) & hidden) continue;
      const text = subtype === subtypes.widget ? fieldValueOf(form, annotation) : contentsOf(annotation);
      if (text) found.texts.push(text);
      characters += text.length;
      found.areDrawn = true;
      if (subtype === subtypes.stamp || subtype === subtypes.ink) found.hasPicture = true;
    } finally {
      pdfium()._FPDFPage_CloseAnnot(annotation);
    }
  }
  return found;
}

export type PageContent = {
  /** What the page itself says. */
  own: string;
  /** Whether some of that was left out, because its font does not say which letters it has. */
  isUnmapped: boolean;
  /** Also with the values of its form, comments, stamps. */
  text: string;
  /** Has annotations that are pictures. */
  hasPicture: boolean;
};

/** The text of a page. Changes the page: flattening makes the appearances of annotations part of it. */
export function readPageText(pdf: Pdf, index: number): PageContent | undefined {
  const content = pdf.withPage(index, (page) => {
    const own = textOf(page);
    const annotations = annotationsOf(pdf, page);
    if (annotations.areDrawn) pdfium()._FPDFPage_Flatten(page, forDisplay);
    return { own: own.text, isUnmapped: own.isUnmapped, ...annotations };
  });
  if (!content) return undefined;
  const { own, isUnmapped, texts, areDrawn, hasPicture } = content;
  const drawn = areDrawn ? (pdf.withPage(index, textOf) ?? noText) : noText;
  const text = withMissingLines(withMissingLines(own, texts.flatMap(linesOf)), linesOf(drawn.text));
  return { own, isUnmapped, text, hasPicture };
}
