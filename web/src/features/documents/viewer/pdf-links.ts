import { type EventBus, LinkTarget, PDFLinkService } from 'pdfjs-dist/web/pdf_viewer.mjs';

const isHarmless = (url: string) => /^(https?|mailto):/i.test(url);

/** Links of a PDF lead inside it, or to a new tab that knows nothing of this one. */
export class PdfLinks extends PDFLinkService {
  constructor(eventBus: EventBus) {
    super({
      eventBus,
      externalLinkTarget: LinkTarget.BLANK,
      externalLinkRel: 'noopener noreferrer nofollow',
    });
  }

  override addLinkAttributes(link: HTMLAnchorElement, url: string): void {
    if (isHarmless(url)) super.addLinkAttributes(link, url, true);
    else link.title = url;
  }
}
