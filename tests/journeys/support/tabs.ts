import type { BrowserContext, Page } from '@playwright/test';
import type { SignedIn } from './api.ts';
import { keepSecretsOf } from './secrets.ts';

/** Same origin as the screens, but no script runs there that could touch local storage. */
const blankPath = '/theme.js';

type Tab = {
  context: BrowserContext;
  page: Page;
  /** Locale and time zone; only tabs of the same kind are reused. */
  kind: string;
  /** Something was changed in it that cannot be undone. */
  isTainted: boolean;
};

/**
 * Tabs that are reused between tests. A new one first fetches and compiles the whole application, which takes three
 * times as long as an average journey.
 */
export class Tabs {
  private readonly free: Tab[] = [];

  /** A tab without traces of earlier tests, with this user signed in, if any. */
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
    await page.goto(url + blankPath);
    await signIn(page, user);
    return trackTaint({ context, page, kind, isTainted: false });
  }

  async release(tab: Tab, url: string): Promise<void> {
    if (tab.isTainted || tab.page.isClosed()) return tab.context.close();
    const { context, page } = tab;
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.goto(url + blankPath);
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

/** Init scripts, exposed functions and a fake clock cannot be removed from a tab. */
function trackTaint(tab: Tab): Tab {
  const tainting = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      tab.isTainted = true;
      return call(...args);
    };
  };
  const { page } = tab;
  page.addInitScript = tainting(page.addInitScript.bind(page)) as Page['addInitScript'];
  page.exposeFunction = tainting(page.exposeFunction.bind(page));
  page.clock.install = tainting(page.clock.install.bind(page.clock));
  page.clock.pauseAt = tainting(page.clock.pauseAt.bind(page.clock));
  return tab;
}
