import type { Settings } from './settings.ts';

/** An invalid setting; the message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function refuse(name: string, reason: string): never {
  throw new ConfigError(`${name} ${reason}`);
}

export function requireTogether(env: Settings, first: keyof Settings, second: keyof Settings): void {
  if (env[first] !== undefined && env[second] === undefined) refuse(second, `must be set when ${first} is`);
  if (env[second] !== undefined && env[first] === undefined) refuse(first, `must be set when ${second} is`);
}

export function splitList(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((part) => part.trim() || []);
}
