import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const page = '<!doctype html><html lang="en"><title>Customer Database</title><div id="root"></div></html>\n';

/** A small web build, by path. */
export const builtFiles: Record<string, string> = {
  '/index.html': page,
  '/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  '/theme.js': 'document.documentElement.dataset.theme = "dark";',
  '/site.webmanifest': '{"name":"Customer Database"}',
  '/robots.txt': 'User-agent: *\nDisallow: /\n',
  '/assets/app-1a2b3c.js': `console.log('${'the application '.repeat(100)}');`,
  '/assets/app-1a2b3c.css': `/* ${'a style '.repeat(100)} */`,
  '/assets/inter-4d5e6f.woff2': 'a font',
};

/** Also in the build folder, but must not be served. */
export const hiddenText = 'not for readers';
const hiddenFiles = ['/.stamp', '/.well-hidden/note.txt', '/assets/.keep'];

const compressible = /\.(js|css|html|webmanifest|txt)$/;

/** Writes the build into a subfolder of the given one, with a file next to it. */
export async function makePages(parent: string): Promise<string> {
  const folder = join(parent, 'pages');
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const [path, text] of Object.entries(builtFiles)) {
    await write(path, text);
    if (!compressible.test(path)) continue;
    await write(`${path}.br`, brotliCompressSync(text));
    await write(`${path}.gz`, gzipSync(text));
  }
  for (const path of [...hiddenFiles, '/../beside.txt']) await write(path, hiddenText);
  return folder;
}
