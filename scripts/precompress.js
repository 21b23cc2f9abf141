import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
const minSize = 1024;

const encoders = [
  {
    extension: '.br',
    /**
     * A quality of 11 would take nine times as long, while users wait for the new version, for a tenth less.
     * @param {Buffer} content
     */
    encode: (content) =>
      promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      }),
  },
  {
    extension: '.gz',
    /** @param {Buffer} content */
    encode: (content) => promisify(gzip)(content, { level: 9 }),
  },
];

/**
 * Writes compressed copies next to the files, so that the server does not compress at run time.
 * @param {string} folder
 */
export async function precompress(folder) {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter((name) => compressible.has(extname(name))).map((name) => join(folder, name));
  await Promise.all(files.map(compressFile));
}

/** @param {string} file */
async function compressFile(file) {
  const content = await readFile(file);
  if (content.length <= minSize) return;
  await Promise.all(
    encoders.map(async ({ extension, encode }) => writeFile(file + extension, await encode(content))),
  );
}
