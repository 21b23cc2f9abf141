import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/client.ts';
import { getViewUrl } from '../../../api/documents.ts';

/** The document, or the PDF that shows a Word document as it is printed. */
export type ShownFile = 'document' | 'preview';

type Source = { id: number; link: string | undefined; file: ShownFile };

async function fetchContent({ id, link, file }: Source, signal: AbortSignal): Promise<Response> {
  const viewUrl = link ?? (await getViewUrl(id, signal));
  const url = file === 'preview' ? `${viewUrl}&as=preview` : viewUrl;
  // The signed link is the authorization.
  return fetch(url, { credentials: 'omit', cache: 'no-store', signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new ApiError(0, {}, cause);
  });
}

/** Our server and object stores answer like this. */
const isExpired = ({ status }: Response) => status === 403 || status === 410;

async function fetchBytes(source: Source, signal: AbortSignal): Promise<Blob> {
  const first = await fetchContent(source, signal);
  const isRenewable = source.link === undefined && isExpired(first);
  const response = isRenewable ? await fetchContent(source, signal) : first;
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  return response.blob();
}

/** Not cached or retried: the server logs each fetch as a view. */
const documentBytesQuery = (source: Source) =>
  queryOptions({
    queryKey: ['document-bytes', source],
    queryFn: async ({ signal }) => {
      // StrictMode mounts twice; the first mount ends before this line does.
      await Promise.resolve();
      signal.throwIfAborted();
      return fetchBytes(source, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const useDocumentBytes = (id: number, link: string | undefined, file: ShownFile = 'document') =>
  useQuery(documentBytesQuery({ id, link, file }));
