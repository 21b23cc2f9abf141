/** Loads nothing from any host. The sandbox of the frame also forbids scripts. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** The pages stay white in a dark theme. */
export const emptyPage = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>
  html { color-scheme: light; overflow-y: scroll; }
  body { margin: 0; background: #dfe4e5; }
  body .docx-wrapper { padding: 12px 0 0; background: none; align-items: safe center; }
  body .docx-wrapper > section.docx { margin-bottom: 12px; box-shadow: 0 0 0 1px #ccd3d5; }
  [data-target] { cursor: pointer; }
  ::highlight(hit) { background-color: #ffe066; }
</style>
<body></body>`;

/** Shrinks pages that are wider than the frame, then zooms by the factor. */
export function fitPages(frame: Document, factor: number): void {
  const wrapper = frame.querySelector<HTMLElement>('.docx-wrapper');
  if (!wrapper) return;
  wrapper.style.zoom = '1';
  const { clientWidth } = frame.documentElement;
  const pages = [...wrapper.querySelectorAll('section')].map((page) => page.offsetWidth);
  wrapper.style.zoom = String(factor * Math.min(1, clientWidth / Math.max(...pages)));
}
