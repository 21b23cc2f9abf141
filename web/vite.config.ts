import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pdfjsFiles } from './pdfjs-files.ts';

/** Found only through the style sheet, the font would arrive after the first paint and shift the text. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend',
          })),
    },
  };
}

/**
 * The only library besides React that is not an ES module. Bundled as it is, it would share Rolldown's helpers with
 * React, and those would become one more file that /login loads.
 */
function jszipAsModule(): Plugin {
  return {
    name: 'jszip-as-module',
    apply: 'build',
    transform: {
      filter: { id: /jszip\.min\.js$/ },
      handler: (code) =>
        `const made = { exports: {} };\n(function (module, exports, require) {${code}\n})(made, made.exports);\nexport default made.exports;`,
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  envDir: join(import.meta.dirname, '..'),
  plugins: [react(), preloadFont(), pdfjsFiles(), jszipAsModule()],
  // Vite warns above 500 KB. What matters is what /login loads, and a test limits that.
  build: { target: 'es2022', chunkSizeWarningLimit: 700 },
});
