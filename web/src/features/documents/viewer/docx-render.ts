import { parseAsync, renderDocument } from 'docx-preview';

const options = {
  inWrapper: true,
  // The content policy of the frame allows no fonts.
  ignoreFonts: true,
  renderAltChunks: false,
  renderComments: false,
  renderChanges: false,
  experimental: false,
  useBase64URL: true,
};

/** The frame must not leave this document. */
const forbidden = 'script, iframe, frame, object, embed, link, base, meta, form';

/** Removes what could leave the frame. A link shows its address; one inside the document still works. */
function disarm(content: DocumentFragment): void {
  for (const element of content.querySelectorAll(forbidden)) element.remove();
  for (const link of content.querySelectorAll('a')) {
    const address = link.getAttribute('href') ?? '';
    link.removeAttribute('href');
    if (address.startsWith('#')) link.dataset.target = address.slice(1);
    else if (address) link.title = address;
  }
}

/** Replacements for Word's symbol fonts, which few systems have. */
const bullets: Record<string, string> = { '\uf0b7': '•', '\uf0a7': '▪', '\uf0d8': '➢', '\uf0fc': '✓' };

function replaceBullets(content: DocumentFragment): void {
  for (const style of content.querySelectorAll('style')) {
    style.textContent = style.textContent.replace(/[\uf000-\uf0ff]/g, (sign) => bullets[sign] ?? '•');
  }
}

/** For a missing picture the library sets the URL `null`, which the browser would request from this server. */
async function parseDocx(file: Blob) {
  const parsed = await parseAsync(file, options);
  const load: (...args: unknown[]) => Promise<string | null> = parsed.loadDocumentImage.bind(parsed);
  parsed.loadDocumentImage = async (...args: unknown[]) => (await load(...args)) ?? 'data:,';
  return parsed;
}

/** Draws the document into the frame, which runs no scripts and loads nothing. */
export async function renderDocx(file: Blob, frame: Document): Promise<void> {
  const content = document.createDocumentFragment();
  content.append(...(await renderDocument(await parseDocx(file), options)));
  disarm(content);
  replaceBullets(content);
  frame.body.replaceChildren(content);
  frame.body.addEventListener('click', ({ target }) => {
    const name = (target as Element).closest<HTMLElement>('[data-target]')?.dataset.target;
    if (name) frame.getElementById(name)?.scrollIntoView();
  });
}
