/** Lets the browser save content that was fetched or made by the page. */
export function saveAs(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: filename });
  link.click();
  // Delayed, because the browser may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
