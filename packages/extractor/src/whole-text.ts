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

/** Asks for a long text in several requests, because the time of one request is limited. */
export async function readWholeText(
  ask: (request: Request) => Promise<Answer>,
  bytes: Uint8Array,
): Promise<Answer> {
  let whole: ExtractedText | undefined;
  for (;;) {
    const answer = await ask({ kind: 'text', bytes, from: whole?.nextPage ?? 1 });
    if (answer.outcome !== 'text') return answer;
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
  }
}
