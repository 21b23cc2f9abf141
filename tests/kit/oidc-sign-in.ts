import { expect } from 'vitest';
import { Browser } from './browser.ts';
import { afterFile } from './cleanup.ts';
import type { Answer } from './client.ts';
import { unique } from './factories.ts';
import { OidcProvider, oidcClient } from './oidc-provider.ts';
import { freePort } from './ports.ts';
import { expectProblem } from './problems.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** A provider, servers that trust it, and people on their way between them. */
export class OidcSignIn {
  readonly provider: OidcProvider;
  /** The servers listen elsewhere, as they do behind a proxy. */
  readonly publicUrl: string;

  private constructor(provider: OidcProvider, publicUrl: string) {
    this.provider = provider;
    this.publicUrl = publicUrl;
  }

  static async start(): Promise<OidcSignIn> {
    const publicUrl = `http://127.0.0.1:${await freePort()}`;
    const provider = await OidcProvider.start(publicUrl);
    afterFile(() => provider.stop());
    return new OidcSignIn(provider, publicUrl);
  }

  startApp(env: Record<string, string> = {}, more: TestAppOptions = {}): Promise<TestApp> {
    return startTestApp({
      ...more,
      env: {
        PUBLIC_URL: this.publicUrl,
        OIDC_ISSUER: this.provider.issuer,
        OIDC_CLIENT_ID: oidcClient.id,
        OIDC_CLIENT_SECRET: oidcClient.secret,
        OIDC_NAME: 'Acme',
        ...env,
      },
    });
  }

  /** A user of the provider. */
  person(more: object = {}) {
    const sub = unique('person');
    const known = { sub, name: 'Pia Person', email: `${sub}@example.com`, email_verified: true, ...more };
    this.provider.people.set(sub, known);
    return known;
  }

  private readonly isOurs = (url: string) => url.startsWith(this.publicUrl);

  /** Where the provider leads to from there. */
  follow(browser: Browser, url: string): Promise<string> {
    return browser.follow(url, this.isOurs);
  }

  /** To the provider and back: the address that the provider leads to. */
  async toCallback(browser: Browser, app: TestApp, query = ''): Promise<string> {
    const started = await browser.send(`${app.url}/api/auth/oidc/start${query}`);
    expect(started.status).toBe(302);
    return this.follow(browser, started.headers.get('location') ?? '');
  }

  openCallback(browser: Browser, callback: string, app: TestApp): Promise<Response> {
    return browser.send(callback.replace(this.publicUrl, app.url));
  }

  async land(browser: Browser, callback: string, app: TestApp) {
    const landed = await this.openCallback(browser, callback, app);
    expect(landed.status).toBe(302);
    expect(landed.headers.get('location')).toBe(`${this.publicUrl}/login?company`);
    return this.finish(browser, app);
  }

  async finish(browser: Browser, app: TestApp, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await browser.send(`${app.url}/api/auth/oidc/finish`, { method: 'POST', headers });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, headers: response.headers, body };
  }

  async signIn(sub: string, app: TestApp, query = '') {
    this.provider.person = sub;
    const browser = new Browser();
    return this.land(browser, await this.toCallback(browser, app, query), app);
  }
}

const refusals = {
  failed: 'The sign-in at your company did not succeed. Please try again.',
  unknown: 'You have no access here. Ask an administrator for an invitation.',
  unverified: 'Your company has not confirmed your email address, which decides who you are here.',
  unavailable: "Your company's sign-in does not answer. Please try again later.",
};

export function expectRefused(
  answer: Awaited<ReturnType<OidcSignIn['finish']>>,
  why: keyof typeof refusals,
): void {
  expectProblem(answer, 401, 'COMPANY_SIGN_IN_FAILED');
  expect(answer.body.error).toBe(refusals[why]);
}
