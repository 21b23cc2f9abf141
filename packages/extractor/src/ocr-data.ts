import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export const packageOf = (language: string) => `@tesseract.js-data/${language}`;

/** Throws if the package of the language is not installed. */
export function dataFileOf(language: string): string {
  const folder = dirname(require.resolve(`${packageOf(language)}/package.json`));
  return join(folder, '4.0.0_best_int', `${language}.traineddata.gz`);
}

/** The packages to install for these languages. */
export function missingPackages(languages: string[]): string[] {
  return languages
    .filter((language) => {
      try {
        dataFileOf(language);
        return false;
      } catch {
        return true;
      }
    })
    .map(packageOf);
}
