import type { Config } from '../../src/core/config.ts';

/** Random enough to be no placeholder. */
export const key = 'f3b1c2d4e5f60718293a4b5c6d7e8f90f3b1c2d4e5f60718';
export const makeOne = 'make one with: openssl rand -hex 32';
export const httpText = 'must be an address that starts with http:// or https://';

export type Setting = {
  /** Valid values, the resulting config, and other settings they need. */
  good: [value: string, config: Partial<Config>, also?: Record<string, string>][];
  wrong: [value: string, text: string][];
};

export const number = (name: keyof Config, min: number, max: number, factor = 1): Setting =>
  numberAs((value) => ({ [name]: value * factor }), min, max);

export function numberAs(configOf: (value: number) => Partial<Config>, min: number, max: number): Setting {
  const text = `must be a whole number from ${min} to ${max}`;
  const values = [
    String(min - 1),
    String(max + 1),
    '-1',
    '1.5',
    '1e3',
    'many',
    '0x10',
    '10 ',
    '9'.repeat(30),
  ];
  return {
    good: [min, max].map((value) => [String(value), configOf(value)]),
    wrong: values.map((value) => [value, text]),
  };
}

/** A text that the config holds as it is. */
export const texts = (name: keyof Config, good: string[], wrong: string[] = [], text = ''): Setting => ({
  good: good.map((value) => [value, { [name]: value }]),
  wrong: wrong.map((value) => [value, text]),
});

export const secret = (name: keyof Config, min: number, placeholders: string[]): Setting => ({
  good: [[key, { [name]: key }]],
  wrong: [
    ['short', `must have at least ${min} characters; ${makeOne}`],
    ...placeholders.map((value): [string, string] => [value, `is a placeholder; ${makeOne}`]),
  ],
});

export const timeOfDay = (configOf: (value: string) => Partial<Config>): Setting => ({
  good: ['00:00', '23:59'].map((value) => [value, configOf(value)]),
  wrong: ['24:00', '2:00', '02:60', '02:00:00', 'night'].map((value) => [
    value,
    'must be a time of day such as 02:00',
  ]),
});
