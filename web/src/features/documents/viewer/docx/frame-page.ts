/** Loads nothing from any host. The sandbox of the frame also forbids scripts. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Of the pages, on the screen and in print. */
export const pageStyles = `
  section.docx > header { z-index: 0; }
  section.docx > article:not(:last-of-type) { margin-bottom: 0; }
  section.docx img { max-width: 100%; object-fit: contain; }
  .docx_picture-inline > div, .docx_picture-left > div, .docx_picture-right > div { max-width: 100%; }
  .docx_picture-left > div { margin-right: 12px; }
  .docx_picture-right > div { margin-left: 12px; }
  .docx_picture-block > div { display: block !important; }
  p:has(> .docx_picture-on-paragraph) { position: relative; }
  /* Behind the text. */
  .docx_picture-on-page > div, .docx_picture-on-paragraph > div { position: absolute !important; z-index: -1; }
  section.docx .docx_picture-on-page img, section.docx .docx_picture-on-paragraph img { max-width: none; }
`;

/** The pages stay white in a dark theme. */
export const emptyPage = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>
  html { color-scheme: light; overflow-y: scroll; }
  body { margin: 0; background: #dfe4e5; }
  /* Blocks: each new page would lay out all items of a flex box again. */
  body .docx-wrapper { display: block; padding: 12px 0 0; background: none; }
  body .docx-wrapper > section.docx { margin: 0 auto 12px; box-shadow: 0 0 0 1px #ccd3d5; }
  ${pageStyles}
  [data-target] { cursor: pointer; }
  ::highlight(hit), ::highlight(match) { background-color: #ffe066; }
  ::highlight(hit-current), ::highlight(match-current) { background-color: #ffa94d; }
</style>
<body><div class="docx-wrapper"></div></body>`;

/** Where the pages are. */
export function wrapperIn(frame: Document): HTMLElement {
  const wrapper = frame.querySelector<HTMLElement>('.docx-wrapper');
  if (!wrapper) throw new Error('The frame is not loaded.');
  return wrapper;
}
