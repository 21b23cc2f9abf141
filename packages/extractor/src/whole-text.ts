import { ExtractionFailed, ExtractionTimedOut } from './errors.ts';
import { type Answer, type ExtractedText, extractionLimits, type Request } from './protocol.ts';

function isEnough({ pages, cpuMs, nextPage }: ExtractedText): boolean {
  const characters = pages.reduce((sum, { text }) => sum + text.length, 0);
  return (
    nextPage === null ||
    pages.length >= extractionLimits.pages ||
    characters >= extractionLimits.characters ||
    cpuMs >= extractionLimits.readingMs
  );
}

type Ask = (request: Request) => Promise<Answer>;

/** The pages after those that were read. None if one of them exceeds the limits or crashes the process. */
async function readOn(ask: Ask, bytes: Uint8Array, whole: ExtractedText): Promise<Answer> {
  try {
    return await ask({ kind: 'text', bytes, from: whole.nextPage ?? 1 });
  } catch (error) {
    if (!(error instanceof ExtractionFailed) || error instanceof ExtractionTimedOut) throw error;
    return { outcome: 'text', result: { ...whole, pages: [], nextPage: null, cpuMs: 0 } };
  }
}

/** Asks for a long text in several requests, because the time of one request is limited. */
export async function readWholeText(ask: Ask, bytes: Uint8Array): Promise<Answer> {
  let answer = await ask({ kind: 'text', bytes });
  let whole: ExtractedText | undefined;
  while (answer.outcome === 'text') {
    const { result: part } = answer;
    whole = whole
      ? {
          ...part,
          pages: [...whole.pages, ...part.pages],
          language: whole.language ?? part.language,
          cpuMs: whole.cpuMs + part.cpuMs,
        }
      : part;
    if (isEnough(whole)) return { outcome: 'text', result: whole };
    answer = await readOn(ask, bytes, whole);
  }
  return answer;
}
