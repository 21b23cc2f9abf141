import { ApiError } from '../../api/client.ts';
import { getDownload } from '../../api/documents.ts';
import { parseFilename } from '../../lib/content-disposition.ts';
import { paths } from '../../lib/paths.ts';
import { saveAs } from '../../lib/save-as.ts';
import { showAlert } from '../../ui/notices.ts';

const downloadFailed = 'Failed to download document. Please try again.';

/** An expired session redirects to the sign-in screen, which needs no alert. */
export function alertUnlessSignedOut(error: unknown, text: string): void {
  if (!(error instanceof ApiError && error.status === 401)) showAlert(text);
}

/** Call it in a click handler: browsers block tabs opened elsewhere. */
function openInTab(url: string, failed: string): void {
  // `noopener` would not tell whether the browser has blocked it.
  const tab = window.open(url, '_blank');
  if (tab) tab.opener = null;
  else showAlert(failed);
}

/** `search` is the query of the address, with the page and the words that a search found. */
export function viewDocument(id: number, search = ''): void {
  openInTab(paths.viewDocument(id) + search, 'Failed to open document. Please try again.');
}

async function fetchAndSave({ url, filename }: { url: string; filename: string }): Promise<void> {
  let status = 0;
  try {
    // The signed link is the authorization.
    const response = await fetch(url, { credentials: 'omit', cache: 'no-store' });
    status = response.status;
    if (!response.ok) throw new Error(`The file was answered with status ${status}`);
    saveAs(await response.blob(), parseFilename(response.headers.get('content-disposition')) ?? filename);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the alert refers users to the console
    console.error(`The download of "${filename}" failed (status ${status}).`, error);
    showAlert(`Failed to download (status ${status}). Check console for details.`);
    openInTab(url, downloadFailed);
  }
}

export async function downloadDocument(id: number): Promise<void> {
  try {
    await fetchAndSave(await getDownload(id));
  } catch (error) {
    alertUnlessSignedOut(error, downloadFailed);
  }
}
