import { vectorOf } from '@customer-database/words/vector';
import {
  type Answer,
  type ExtractedPage,
  type ExtractedText,
  extractionLimits,
  type RecognisedPicture,
  type Request,
} from '../protocol.ts';
import { cleanText } from './clean.ts';
import { loadCodePages } from './formats/code-pages.ts';
import { readScan } from './formats/pdf.ts';
import { formatOf } from './formats.ts';
import { languageOf } from './language.ts';
import { missingLines } from './missing-lines.ts';
import { loadLanguages, readPicture } from './ocr.ts';
import { loadPdfium } from './pdfium.ts';
import { ProtectedError } from './port.ts';

function pageTextOf(raw: string): { text: string; words: string } {
  const text = cleanText(raw.slice(0, extractionLimits.charactersPerPage));
  return { text, words: vectorOf(text) };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function readText(bytes: Buffer, from: number): Promise<ExtractedText> {
  const before = cpuMs();
  const { pageCount, pagesAfter } = await formatOf(bytes).read(bytes);
  const pages: ExtractedPage[] = [];
  let nextPage = from;
  let characters = 0;
  for (const { text, isPicture = false } of pagesAfter(from - 1)) {
    const page = { page: nextPage, isPicture, ...pageTextOf(text) };
    pages.push(page);
    nextPage += 1;
    characters += page.text.length;
    const isEnough = nextPage > extractionLimits.pages || characters >= extractionLimits.characters;
    if (isEnough || cpuMs() - before > extractionLimits.answerMs) break;
  }
  return {
    pages,
    pageCount,
    language: languageOf(pages.map(({ text }) => text).join('\n')),
    nextPage: nextPage > pageCount ? null : nextPage,
    cpuMs: cpuMs() - before,
  };
}

/** The text that the page has as such comes first: OCR may misread what it shows. */
function recognise(bytes: Buffer, page: number): RecognisedPicture {
  const { picture, text } = readScan(bytes, page);
  const lines = missingLines(text, readPicture(picture), (line) => line.text);
  const found = pageTextOf([text, ...lines.map((line) => line.text)].join('\n'));
  return { ...found, language: languageOf(found.text), boxes: lines.flatMap(({ boxes }) => boxes) };
}

/** Loads everything that documents need, because the process loses the right to read files. */
export async function prepare(languages: string[]): Promise<void> {
  loadCodePages();
  await loadPdfium();
  if (languages.length > 0) await loadLanguages(languages);
}

export async function answer(request: Request): Promise<Answer> {
  const bytes = Buffer.from(request.bytes);
  try {
    if (request.kind === 'text') return { outcome: 'text', result: await readText(bytes, request.from ?? 1) };
    if (request.kind === 'thumbnail') {
      const result = (await formatOf(bytes).drawFirstPage?.(bytes, request.width)) ?? null;
      return { outcome: 'thumbnail', result };
    }
    return { outcome: 'picture', result: recognise(bytes, request.page) };
  } catch (error) {
    if (error instanceof ProtectedError) return { outcome: 'protected' };
    // After a trap the memory of a WASM module may be corrupt: a new process takes over.
    if (error instanceof Error && error.name === 'RuntimeError') process.exit(1);
    const detail = error instanceof Error ? error.message : String(error);
    return { outcome: 'unreadable', reason: 'it is damaged or in an unsupported format', detail };
  }
}
