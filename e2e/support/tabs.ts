import type { BrowserContext, Page } from '@playwright/test';
import type { SignedIn } from './api.ts';
import { keepSecretsOf } from './secrets.ts';

/** Of the same origin as the screens, and no script runs there that could read or write what the browser keeps. */
const withoutScreens = '/theme.js';

type Tab = {
  context: BrowserContext;
  page: Page;
  /** Tabs of other kinds speak other languages, say. */
  kind: string;
  /** Something was left in it that cannot be taken back. */
  isSpent: boolean;
};

/**
 * Tabs that stay open from test to test. A new one fetches and compiles the whole application first, which takes
 * three times as long as a journey of average length.
 */
export class Tabs {
  private readonly free: Tab[] = [];

  /** A tab on which nothing is known of the test before, and in which this user is signed in, if any. */
  async take(kind: string, open: () => Promise<BrowserContext>, url: string, user?: SignedIn): Promise<Tab> {
    const kept = this.free.findIndex((tab) => tab.kind === kind);
    const tab = kept >= 0 ? this.free.splice(kept, 1)[0] : undefined;
    if (tab) {
      await signIn(tab.page, user);
      return tab;
    }
    const context = await open();
    keepSecretsOf(context);
    const page = await context.newPage();
    await page.goto(url + withoutScreens);
    await signIn(page, user);
    return noteWhatLasts({ context, page, kind, isSpent: false });
  }

  async giveBack(tab: Tab, url: string): Promise<void> {
    if (tab.isSpent || tab.page.isClosed()) return tab.context.close();
    const { context, page } = tab;
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.goto(url + withoutScreens);
    for (const event of ['request', 'response'] as const) page.removeAllListeners(event);
    await context.clearPermissions();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    this.free.push(tab);
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.free.splice(0).map(({ context }) => context.close()));
  }
}

function signIn(page: Page, signedIn: SignedIn | undefined): Promise<void> {
  const entries = signedIn ? { authToken: signedIn.token, user: JSON.stringify(signedIn.user) } : {};
  return page.evaluate((kept) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
  }, entries);
}

/** A script for every page to come and a clock that was taken over cannot be taken out of a tab again. */
function noteWhatLasts(tab: Tab): Tab {
  const noting = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      tab.isSpent = true;
      return call(...args);
    };
  };
  const { page } = tab;
  page.addInitScript = noting(page.addInitScript.bind(page)) as Page['addInitScript'];
  page.exposeFunction = noting(page.exposeFunction.bind(page));
  page.clock.install = noting(page.clock.install.bind(page.clock));
  page.clock.pauseAt = noting(page.clock.pauseAt.bind(page.clock));
  return tab;
}
