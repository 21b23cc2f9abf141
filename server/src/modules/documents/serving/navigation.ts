import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser opens a view link in a tab, where it gets the viewer, also for a preview: the viewers of browsers
 * run the scripts of PDFs. Frames, programs and the viewer get the bytes.
 */
export function opensInTab({ method, headers, query }: FastifyRequest): boolean {
  const { purpose, as } = query as Record<string, unknown>;
  if (method !== 'GET' || headers.range !== undefined || purpose !== 'view' || as === 'attachment')
    return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = 'document' } = headers;
  // Browsers do not send these headers over plain HTTP.
  if (mode === undefined) return headers.accept?.startsWith('text/html') === true;
  return mode === 'navigate' && destination === 'document';
}
