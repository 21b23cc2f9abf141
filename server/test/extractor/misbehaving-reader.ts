import type { Answer, Request } from '../../../packages/extractor/src/protocol.ts';
import { prepare as load, answer as read } from '../../../packages/extractor/src/sandbox/reader.ts';

/* The reader, but a document with the text HANG hangs, and one with the text CRASH crashes it on the second page. */

export const prepare = (languages: string[]) => load(languages);

export async function answer(request: Request): Promise<Answer> {
  if (request.kind === 'text' && request.from === 2) process.exit(1);
  const answer = await read(request);
  if (answer.outcome !== 'text') return answer;
  const { result } = answer;
  const text = result.pages[0]?.text;
  if (text === 'HANG') return new Promise(() => undefined);
  if (text !== 'CRASH') return answer;
  return { outcome: 'text', result: { ...result, pages: result.pages.slice(0, 1), nextPage: 2 } };
}
