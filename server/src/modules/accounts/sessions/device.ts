import { getParser } from 'bowser';

/** Longer ones are made up; nobody should have them parsed. */
const maxLength = 300;

/** A name for what sent the request, such as 'Firefox on Windows' or 'curl'; null if it does not say. */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = userAgent?.slice(0, maxLength).trim();
  if (!text) return null;
  const { browser, os } = getParser(text).getResult();
  const program = browser.name || /^[\w.-]{1,40}/.exec(text)?.[0];
  return [program, os.name].filter(Boolean).join(' on ') || null;
}
