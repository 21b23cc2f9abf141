import { parseSetCookie } from 'cookie';

/** Keeps cookies by host and path as a browser does, and follows redirects one by one. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string; host: string }>();

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, pathname } = new URL(url);
    const cookie = [...this.#cookies]
      .filter(([, kept]) => kept.host === host && pathname.startsWith(kept.path))
      .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie && { cookie }) },
    });
    for (const text of response.headers.getSetCookie()) this.#keep(host, text);
    return response;
  }

  #keep(host: string, text: string): void {
    const { name, value, path = '/', maxAge, expires } = parseSetCookie(text);
    const isGone = maxAge === 0 || value === '' || (expires !== undefined && expires.getTime() < Date.now());
    const key = `${host}${path} ${name}`;
    if (isGone || value === undefined) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, path, host });
  }

  /** Where each redirect led, until an answer that is none or one that `stop` wants to see. */
  async follow(url: string, stop: (url: string) => boolean): Promise<string> {
    let next = url;
    for (let steps = 0; steps < 20 && !stop(next); steps += 1) {
      const response = await this.send(next);
      const location = response.headers.get('location');
      if (!location) throw new Error(`${next} led nowhere: ${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }
}
