import { getParser } from 'bowser';

/** Bounds the work of parsing. Browsers send less. */
const maxLength = 300;

/** A name for the client, such as 'Firefox on Windows' or 'curl'; null without a user agent. */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = userAgent?.slice(0, maxLength).trim();
  if (!text) return null;
  const { browser, os } = getParser(text).getResult();
  const program = browser.name || /^[\w.-]{1,40}/.exec(text)?.[0];
  return [program, os.name].filter(Boolean).join(' on ') || null;
}
