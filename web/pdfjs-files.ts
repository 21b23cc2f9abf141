import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const source = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const target = `assets/pdfjs-${version}/`;

/** No WASM, which the content security policy forbids, and nothing that could run the script of a PDF. */
const folders: Record<string, RegExp> = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /_nowasm_fallback\.js$|^LICENSE.*(JBIG2|OPENJPEG)$/,
  'web/images': /^annotation-.*\.svg$/,
};

const filesIn = ([folder, wanted]: [string, RegExp]) =>
  readdirSync(join(source, folder))
    .filter((name) => wanted.test(name))
    .map((name) => [target + join(folder, name), join(source, folder, name)] as const);

/** The path that PDF.js requests, and the file. The worker gets an extension that the server compresses. */
const files = new Map([
  [`${target}pdf.worker.js`, join(source, 'build', 'pdf.worker.min.mjs')],
  ...Object.entries(folders).flatMap(filesIn),
]);

const contentTypes: Record<string, string> = { js: 'text/javascript', svg: 'image/svg+xml' };

/** Files that PDF.js loads at run time, from our origin and under a path with its version. */
export function pdfjsFiles(): Plugin {
  return {
    name: 'pdfjs-files',
    generateBundle() {
      for (const [fileName, path] of files) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const name = request.url?.slice(1).split('?')[0] ?? '';
        const path = files.get(name);
        if (!path) return next();
        response.setHeader(
          'content-type',
          contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        );
        response.end(readFileSync(path));
      });
    },
  };
}
