import { type EventBus, LinkTarget, PDFLinkService } from 'pdfjs-dist/web/pdf_viewer.mjs';

const isHarmless = (url: string) => /^(https?|mailto):/i.test(url);

/** Links of a PDF open inside it, or in a new tab without a reference to this one. */
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
