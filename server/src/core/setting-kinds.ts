import { availableParallelism } from 'node:os';
import { z } from 'zod';

export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');

export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
};

/** One processor stays free for the database and the jobs. */
export const serverProcesses = z
  .string()
  .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or a whole number from 1 to 64')
  .transform((text) => (text === 'auto' ? Math.max(1, availableParallelism() - 1) : Number(text)));

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 02:00');

export const urlOf = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

export const webUrl = urlOf(['http:', 'https:']);
export const bareWebUrl = webUrl.refine((text) => !/[?#@]/.test(text), {
  error: 'must be without ?, # and @',
});

/** The pages work only at the root of a URL. */
export const rootWebUrl = bareWebUrl.refine((text) => /^\w+:\/\/[^/\\]*\/*$/.test(text), {
  error: 'must be without a path: the pages can only be at the root of an address',
});

/** `fetch` refuses URLs with a password. */
export const callableUrl = webUrl.refine((text) => !/^https?:\/\/[^/?#]*@/i.test(text), {
  error: 'must be without a user name and a password',
});

export const clamdUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^(tcp:\/\/[^/?#@]+\/?|unix:\/\/\/[^?#]+)$/.test(text), {
    error: 'must be an address such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl',
  });

/** A file needs an absolute path, because the working folder differs between commands. */
export const sealCopyTarget = z
  .string()
  .regex(/^(\/.*[^/]|s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(\/[\w./-]*\w)?|mailto:[^\s<>@]+@[^\s<>@]+)$/, {
    error: 'must be /folder/file, s3://bucket/folder or mailto:name@company.com',
  });

const isPlaceholder = (text: string) => /change.?me|example|replace|your.?secret|^(.)\1+$/i.test(text);

export const secret = (min: number) =>
  z
    .string()
    .min(min, `must have at least ${min} characters; make one with: openssl rand -hex 32`)
    .refine((text) => !isPlaceholder(text), {
      error: 'is a placeholder; make one with: openssl rand -hex 32',
    });

/** Other systems or people choose its length. */
export const issuedSecret = z.string().refine((text) => !isPlaceholder(text), { error: 'is a placeholder' });

/** Names only: PostgreSQL inverts the sign of an offset. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
