import { PDFiumLibrary } from '@hyzyla/pdfium';
import { ProtectedError } from './port.ts';

/** The functions of PDFium that are used here. Documents, pages, annotations and buffers are addresses in its memory. */
export type Pdfium = {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _FPDF_LoadMemDocument(address: number, bytes: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_GetText(textPage: number, first: number, count: number, buffer: number): number;
  _FPDFText_GetUnicode(textPage: number, character: number): number;
  _FPDFText_GetLooseCharBox(textPage: number, character: number, box: number): number;
  _FPDFText_GetCharBox(
    textPage: number,
    character: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
  _FPDFText_HasUnicodeMapError(textPage: number, character: number): number;
  _FPDFText_GetCharAngle(textPage: number, character: number): number;
  _FPDFPage_SetRotation(page: number, quarterTurns: number): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFPage_Flatten(page: number, usage: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFDOC_InitFormFillEnvironment(document: number, callbacks: number): number;
  _FPDFDOC_ExitFormFillEnvironment(form: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: number, stride: number): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(bitmap: number, page: number, ...placeAndFlags: number[]): void;
  _FPDF_FFLDraw(form: number, bitmap: number, page: number, ...placeAndFlags: number[]): void;
};

let module: Pdfium | undefined;

/** Call it before anything else. */
export async function loadPdfium(): Promise<void> {
  // The package wraps few of the functions that its module has.
  module ??= ((await PDFiumLibrary.init()) as unknown as { module: Pdfium }).module;
}

export function pdfium(): Pdfium {
  if (!module) throw new Error('PDFium was not loaded');
  return module;
}

/** Lends memory of PDFium. */
export function withMemory<T>(bytes: number, use: (address: number) => T): T {
  const address = pdfium()._malloc(bytes);
  if (address === 0) throw new Error('PDFium has no memory left');
  try {
    return use(address);
  } finally {
    pdfium()._free(address);
  }
}

/** A copy, because the memory moves when it grows. */
export const bytesAt = (address: number, length: number) => pdfium().HEAPU8.slice(address, address + length);

const utf16 = new TextDecoder('utf-16le');
export const textAt = (address: number, bytes: number) => utf16.decode(bytesAt(address, bytes));

/** For functions that say how many bytes a text needs, its final NUL included, and fill a buffer. */
export function readText(maxBytes: number, read: (buffer: number, bytes: number) => number): string {
  const bytes = read(0, 0);
  if (bytes <= 2 || bytes > maxBytes) return '';
  return withMemory(bytes, (buffer) => {
    read(buffer, bytes);
    return textAt(buffer, bytes - 2);
  });
}

export type Pdf = {
  pageCount: number;
  /** The environment of its form; 0 if it has none. */
  form: number;
  /** Undefined if the page is damaged, which does not affect the others. */
  withPage<T>(index: number, use: (page: number) => T): T | undefined;
  close(): void;
};

const passwordRequired = 4;
const unsupportedSecurity = 5;
// PDFium takes a structure of callbacks, all of which may be missing. The build has no JavaScript.
const callbackBytes = 256;
const callbackVersion = 2;

function openForm(document: number): { form: number; callbacks: number } {
  if (pdfium()._FPDF_GetFormType(document) === 0) return { form: 0, callbacks: 0 };
  const callbacks = pdfium()._malloc(callbackBytes);
  pdfium().HEAPU8.fill(0, callbacks, callbacks + callbackBytes);
  pdfium().HEAPU8[callbacks] = callbackVersion;
  return { form: pdfium()._FPDFDOC_InitFormFillEnvironment(document, callbacks), callbacks };
}

/** Throws `ProtectedError` if a password is needed. */
export function openPdf(bytes: Uint8Array): Pdf {
  const { _malloc, _free, _FPDF_LoadMemDocument, _FPDF_GetLastError } = pdfium();
  const file = _malloc(bytes.length);
  pdfium().HEAPU8.set(bytes, file);
  const document = _FPDF_LoadMemDocument(file, bytes.length, 0);
  if (document === 0) {
    const error = _FPDF_GetLastError();
    _free(file);
    if (error === passwordRequired || error === unsupportedSecurity) throw new ProtectedError();
    throw new Error(`PDFium cannot open the file: error ${error}`);
  }
  const { form, callbacks } = openForm(document);

  function withPage<T>(index: number, use: (page: number) => T): T | undefined {
    const page = pdfium()._FPDF_LoadPage(document, index);
    if (page === 0) return undefined;
    try {
      // Makes the appearance of fields that have a value only.
      if (form) pdfium()._FORM_OnAfterLoadPage(page, form);
      return use(page);
    } finally {
      if (form) pdfium()._FORM_OnBeforeClosePage(page, form);
      pdfium()._FPDF_ClosePage(page);
    }
  }

  return {
    pageCount: pdfium()._FPDF_GetPageCount(document),
    form,
    withPage,
    close() {
      if (form) pdfium()._FPDFDOC_ExitFormFillEnvironment(form);
      if (callbacks) _free(callbacks);
      pdfium()._FPDF_CloseDocument(document);
      _free(file);
    },
  };
}
