import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { Api, type SignedIn } from './api.ts';
import { keepSecretsOf } from './secrets.ts';
import { type Server, startServer } from './server.ts';

type Fixtures = {
  /** Makes data, as the first administrator. */
  api: Api;
  /** A page that nobody is signed in on. */
  page: Page;
  /** A browser of its own in which this user is signed in. */
  openAs: (user: SignedIn) => Promise<Page>;
  admin: SignedIn;
  staff: SignedIn;
  adminPage: Page;
  staffPage: Page;
  /** Says which messages in the console are meant to appear; every other one fails the test. */
  expectConsole: (message: RegExp) => void;
};
type WorkerFixtures = { server: Server };

/** The browser itself reports answers that a test has asked for, such as a 404. */
export const failedCall = /Failed to load resource/;

export const test = base.extend<Fixtures & { consoleWatch: ConsoleWatch }, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  consoleWatch: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const watch = new ConsoleWatch();
      await use(watch);
      expect(watch.unexpected(), 'messages in the console').toEqual([]);
    },
    { auto: true },
  ],

  expectConsole: async ({ consoleWatch }, use) => use((message) => consoleWatch.allowed.push(message)),

  context: async ({ context, consoleWatch }, use) => {
    consoleWatch.watch(context);
    keepSecretsOf(context);
    await use(context);
  },

  api: async ({ server }, use) => use(await Api.asFirstAdmin(server.url)),
  admin: async ({ api }, use) => use(await api.makeUser('admin')),
  staff: async ({ api }, use) => use(await api.makeUser('staff')),

  openAs: async ({ browser, server, consoleWatch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async ({ token, user }) => {
      const localStorage = [
        { name: 'authToken', value: token },
        { name: 'user', value: JSON.stringify(user) },
      ];
      const context = await browser.newContext({
        storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
      });
      contexts.push(context);
      consoleWatch.watch(context);
      keepSecretsOf(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },

  adminPage: async ({ openAs, admin }, use) => use(await openAs(admin)),
  staffPage: async ({ openAs, staff }, use) => use(await openAs(staff)),
});

class ConsoleWatch {
  readonly allowed: RegExp[] = [];
  private readonly messages: string[] = [];

  watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.messages.push(message.text());
    });
    context.on('weberror', (error) => this.messages.push(String(error.error())));
  }

  unexpected(): string[] {
    return this.messages.filter((message) => !this.allowed.some((pattern) => pattern.test(message)));
  }
}

export { expect };
