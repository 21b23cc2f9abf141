import type { DocumentDetails } from '@customer-database/contract/documents';

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function readText({ page_count, language }: DocumentDetails['text']): string {
  const pages = page_count === 1 ? '1 page' : `${page_count?.toLocaleString() ?? 'Some'} pages`;
  const name = language && languageNames.of(language);
  return name ? `${pages}, ${name}` : pages;
}

/** What is known about the text of a document. */
export function TextFacts(text: DocumentDetails['text']) {
  switch (text.state) {
    case 'waiting':
      return 'Text not read yet';
    case 'none':
      return 'No text found';
    case 'protected':
      return 'Protected with a password';
    case 'failed':
      return text.reason ? `Text could not be read: ${text.reason}` : 'Text could not be read';
    default:
      return readText(text);
  }
}
