import { extractionLimits } from '../../protocol.ts';
import { withMissingLines } from '../missing-lines.ts';
import { type Pdf, pdfium, readText, textAt, withMemory } from '../pdfium.ts';

const { charactersPerPage } = extractionLimits;
const bytesPerCharacter = 2;
const maxAnnotations = 1_000;

// Numbers of PDFium.
const subtypes = { link: 2, stamp: 13, ink: 15, popup: 16, widget: 20 };
const hidden = 2;
const fieldTypes = { comboBox: 4, listBox: 5, textField: 6 };
const forDisplay = 0;

function textOf(page: number): string {
  const { _FPDFText_LoadPage, _FPDFText_CountChars, _FPDFText_GetText, _FPDFText_ClosePage } = pdfium();
  const textPage = _FPDFText_LoadPage(page);
  if (textPage === 0) return '';
  try {
    const count = Math.min(_FPDFText_CountChars(textPage), charactersPerPage);
    if (count <= 0) return '';
    return withMemory((count + 1) * bytesPerCharacter, (buffer) => {
      const written = _FPDFText_GetText(textPage, 0, count, buffer);
      return textAt(buffer, Math.max(written - 1, 0) * bytesPerCharacter);
    });
  } finally {
    _FPDFText_ClosePage(textPage);
  }
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
  texts: string[] /** Whether any draws something on the page. */;
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

const linesOf = (text: string) => text.split(/[\r\n]+/);

export type PageContent = {
  /** What the page itself says. */
  own: string;
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
    return { own, ...annotations };
  });
  if (!content) return undefined;
  const { own, texts, areDrawn, hasPicture } = content;
  const drawn = areDrawn ? (pdf.withPage(index, textOf) ?? '') : '';
  const text = withMissingLines(withMissingLines(own, texts.flatMap(linesOf)), linesOf(drawn));
  return { own, text, hasPicture };
}
