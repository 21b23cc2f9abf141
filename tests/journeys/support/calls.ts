import type { Page, Request } from '@playwright/test';

type Call = { method: string; path: string };

const isCall = (request: Request, { method, path }: Call) =>
  request.method() === method && new URL(request.url()).pathname === path;

/** Collects the matching requests that the page sends from now on, in order. */
export function recordCalls(page: Page, method: string, path: string): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (isCall(request, { method, path })) calls.push(request);
  });
  return calls;
}

/** A string body is sent as it is, not as JSON. */
export type Answer = { status: number; body: object | string } | 'no answer';

/** Answers every matching request in place of the server, until `restore` is called. */
export async function answerCalls(page: Page, method: string, path: string, answer: Answer) {
  const url = ({ pathname }: URL) => pathname === path;
  await page.route(url, async (route) => {
    if (!isCall(route.request(), { method, path })) return route.fallback();
    if (answer === 'no answer') return route.abort();
    const { status, body } = answer;
    return route.fulfill(typeof body === 'string' ? { status, body } : { status, json: body });
  });
  return { restore: () => page.unroute(url) };
}

/** A failure without a message. */
export const failure: Answer = { status: 500, body: {} };

/** Holds matching requests until `release` is called. */
export async function holdCalls(page: Page, path: string) {
  const released = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      await released.promise;
      await route.fallback();
    },
  );
  return { release: () => released.resolve() };
}

/** Lets the server answer the next matching request, and holds the response until `release` is called. */
export async function holdNextAnswer(page: Page, path: string) {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      await route.fulfill({ response });
      delivered.resolve();
    },
    { times: 1 },
  );
  return {
    answered: answered.promise,
    release: () => {
      released.resolve();
      return delivered.promise;
    },
  };
}
