import type { Role } from '@customer-database/contract/permissions';
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type WebError,
} from '@playwright/test';
import { type Account, Api, type SignedIn } from './api.ts';
import { type Server, startServer } from './server.ts';
import { Tabs } from './tabs.ts';

type Fixtures = {
  /** A signed-out page. */
  page: Page;
  /** Opens a separate browser context with this user signed in. */
  openAs: (user?: SignedIn) => Promise<Page>;
  admin: SignedIn;
  staff: SignedIn;
  adminPage: Page;
  staffPage: Page;
  /** Allows console messages; any other one fails the test. */
  expectConsole: (message: RegExp) => void;
};

type Options = {
  /** For tests that change an account: `admin` and `staff` are not shared. */
  ownAccounts: boolean;
  /** For tests about a first visit: tabs are not reused. */
  newTabs: boolean;
  /** For tests about failures: the browser reports each error response, such as a 404. */
  callsMayFail: boolean;
};

type WorkerFixtures = {
  server: Server;
  /** Creates data, as the first administrator. */
  api: Api;
  /** A user shared by tests that do not change it, created on first use. */
  accountOf: (role: Role) => Promise<Account>;
  /** Makes records that several tests of a file only read, when the first of them asks. */
  once: <Made>(make: (api: Api) => Promise<Made>) => Promise<Made>;
  tabs: Tabs;
};

export const test = base.extend<Fixtures & Options & { consoleWatch: ConsoleWatch }, WorkerFixtures>({
  ownAccounts: [false, { option: true }],
  newTabs: [false, { option: true }],
  callsMayFail: [false, { option: true }],

  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  api: [async ({ server }, use) => use(await Api.asFirstAdmin(server.url)), { scope: 'worker' }],

  accountOf: [
    async ({ api }, use) => {
      const made: Partial<Record<Role, Promise<Account>>> = {};
      await use((role) => (made[role] ??= api.makeUser(role)));
    },
    { scope: 'worker' },
  ],

  once: [
    async ({ api }, use) => {
      const made = new Map<unknown, unknown>();
      await use((make) => {
        if (!made.has(make)) made.set(make, make(api));
        return made.get(make) as ReturnType<typeof make>;
      });
    },
    { scope: 'worker' },
  ],

  tabs: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const tabs = new Tabs();
      await use(tabs);
      await tabs.closeAll();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  consoleWatch: [
    async ({ callsMayFail }, use) => {
      const watch = new ConsoleWatch();
      if (callsMayFail) watch.allowed.push(/Failed to load resource/);
      await use(watch);
      expect(watch.unexpected(), 'messages in the console').toEqual([]);
    },
    { auto: true },
  ],

  expectConsole: async ({ consoleWatch }, use) => use((message) => consoleWatch.allowed.push(message)),

  admin: async ({ api, accountOf, ownAccounts }, use) =>
    use(ownAccounts ? await api.makeUser('admin') : await Api.signIn(api.url, await accountOf('admin'))),
  staff: async ({ api, accountOf, ownAccounts }, use) =>
    use(ownAccounts ? await api.makeUser('staff') : await Api.signIn(api.url, await accountOf('staff'))),

  openAs: async ({ browser, tabs, server, consoleWatch, newTabs, locale, timezoneId }, use) => {
    const kind = `${locale} ${timezoneId}`;
    const opened: (() => Promise<void>)[] = [];
    await use(async (user) => {
      const source = newTabs ? new Tabs() : tabs;
      const tab = await source.take(kind, () => browser.newContext(), server.url, user);
      const unwatch = consoleWatch.watch(tab.context);
      opened.push(async () => {
        await source.release(tab, server.url);
        if (newTabs) await source.closeAll();
        unwatch();
      });
      return tab.page;
    });
    for (const close of opened) await close();
  },

  page: async ({ openAs }, use) => use(await openAs()),
  adminPage: async ({ openAs, admin }, use) => use(await openAs(admin)),
  staffPage: async ({ openAs, staff }, use) => use(await openAs(staff)),
});

class ConsoleWatch {
  readonly allowed: RegExp[] = [];
  private readonly messages: string[] = [];

  /** Returns a function that stops watching. */
  watch(context: BrowserContext): () => void {
    const onMessage = (message: ConsoleMessage) => {
      if (['error', 'warning'].includes(message.type())) this.messages.push(message.text());
    };
    const onError = (error: WebError) => this.messages.push(String(error.error()));
    context.on('console', onMessage).on('weberror', onError);
    return () => context.off('console', onMessage).off('weberror', onError);
  }

  unexpected(): string[] {
    return this.messages.filter((message) => !this.allowed.some((pattern) => pattern.test(message)));
  }
}

export { expect };
