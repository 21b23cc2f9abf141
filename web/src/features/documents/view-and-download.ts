import type { Document } from '@customer-database/contract/documents';
import { parse } from 'content-disposition';
import { isSignedOut } from '../../api/client.ts';
import { getDownload, getViewUrl } from '../../api/documents.ts';
import { saveAs } from '../../lib/save-as.ts';
import { showAlert } from '../../ui/notices.ts';

const downloadFailed = 'Failed to download document. Please try again.';

/** An expired session redirects to the sign-in screen, which needs no alert. */
export function alertUnlessSignedOut(error: unknown, text: string): void {
  if (!isSignedOut(error)) showAlert(text);
}

/** Call it in a click handler: browsers block tabs opened elsewhere. */
function openInTab(url: string, failed: string): void {
  // With `noopener`, the result would not show whether the browser has blocked it.
  const tab = window.open(url, '_blank');
  if (tab) tab.opener = null;
  else showAlert(failed);
}

/**
 * `search` is the query of the current URL: the page and the words of a search. It becomes the fragment of the link,
 * because the rest of the link is signed.
 */
export async function viewDocument(id: number, search = ''): Promise<void> {
  const failed = 'Failed to open document. Please try again.';
  // Before the call: browsers block tabs that open later than the click.
  const tab = window.open('about:blank', '_blank');
  if (!tab) return showAlert(failed);
  tab.opener = null;
  try {
    const url = new URL(await getViewUrl(id));
    if (search) url.hash = search.slice(1);
    tab.location.replace(url);
  } catch (error) {
    tab.close();
    alertUnlessSignedOut(error, failed);
  }
}

async function fetchAndSave({ url, filename }: { url: string; filename: string }): Promise<void> {
  let status = 0;
  try {
    // The signed link is the authorization.
    const response = await fetch(url, { credentials: 'omit', cache: 'no-store' });
    status = response.status;
    if (!response.ok) throw new Error(`The file was answered with status ${status}`);
    const { parameters } = parse(response.headers.get('content-disposition') ?? '');
    saveAs(await response.blob(), parameters.filename || filename);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the alert refers users to the console
    console.error(`The download of "${filename}" failed (status ${status}).`, error);
    showAlert(`Failed to download (status ${status}). Check console for details.`);
    openInTab(url, downloadFailed);
  }
}

type Download = Pick<Document, 'id' | 'filename'>;

/** Uses the signed link that shows the document, or the session. */
export async function downloadDocument({ id, filename }: Download, link?: string): Promise<void> {
  try {
    await fetchAndSave(link ? { url: `${link}&as=attachment`, filename } : await getDownload(id));
  } catch (error) {
    alertUnlessSignedOut(error, downloadFailed);
  }
}
