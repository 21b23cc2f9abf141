import { vectorOf } from '@customer-database/words/words';
import { franc } from 'franc-min';
import { type Answer, type ExtractedPage, type ExtractedText, limits, type Request } from '../protocol.ts';
import { cleanText } from './clean.ts';
import { drawPage } from './formats/pdf.ts';
import { formatOf } from './formats.ts';
import { readPicture } from './ocr.ts';
import { ProtectedError } from './port.ts';

// More does not change the result.
const languageSampleLength = 5_000;

function pageTextOf(raw: string): { text: string; words: string } {
  const text = cleanText(raw.slice(0, limits.charactersPerPage));
  return { text, words: vectorOf(text) };
}

function languageOf(text: string): string | null {
  const language = franc(text.slice(0, languageSampleLength), { minLength: 30 });
  return language === 'und' ? null : language;
}

async function readText(bytes: Buffer): Promise<ExtractedText> {
  const endAt = performance.now() + limits.readingMs;
  const reading = await formatOf(bytes).read(bytes);
  const pages: ExtractedPage[] = [];
  let characters = 0;
  for (const { text, isPicture = false } of reading.pages) {
    const page = { page: pages.length + 1, isPicture, ...pageTextOf(text) };
    pages.push(page);
    characters += page.text.length;
    const isEnough = pages.length >= limits.pages || characters >= limits.characters;
    if (isEnough || performance.now() > endAt) break;
  }
  return {
    pages,
    pageCount: reading.pageCount,
    language: languageOf(pages.map(({ text }) => text).join('\n')),
  };
}

async function answer(request: Request): Promise<Answer> {
  const bytes = Buffer.from(request.bytes);
  try {
    if (request.kind === 'text') return { outcome: 'text', result: await readText(bytes) };
    if (request.kind === 'thumbnail') {
      const result = (await formatOf(bytes).drawFirstPage?.(bytes, request.width)) ?? null;
      return { outcome: 'thumbnail', result };
    }
    const { text, boxes } = await readPicture(await drawPage(bytes, request.page), request.languages);
    const found = pageTextOf(text);
    return { outcome: 'picture', result: { ...found, language: languageOf(found.text), boxes } };
  } catch (error) {
    if (error instanceof ProtectedError) return { outcome: 'protected' };
    // After a trap the memory of a WASM module cannot be trusted: begin anew.
    if (error instanceof Error && error.name === 'RuntimeError') process.exit(1);
    const detail = error instanceof Error ? error.message : String(error);
    return { outcome: 'unreadable', reason: 'it is damaged or in an unknown form', detail };
  }
}

process.on('message', async (request: Request) => {
  process.send?.(await answer(request));
});
