import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/client.ts';
import { getViewUrl } from '../../../api/documents.ts';

async function fetchContent(id: number, link: string | undefined, signal: AbortSignal): Promise<Response> {
  const url = link ?? (await getViewUrl(id, signal));
  // The signed link is the authorization.
  return fetch(url, { credentials: 'omit', cache: 'no-store', signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new ApiError(0, {}, cause);
  });
}

/** Our server and object stores answer like this. */
const isExpired = ({ status }: Response) => status === 403 || status === 410;

async function fetchBytes(id: number, link: string | undefined, signal: AbortSignal): Promise<Blob> {
  const first = await fetchContent(id, link, signal);
  const isRenewable = link === undefined && isExpired(first);
  const response = isRenewable ? await fetchContent(id, link, signal) : first;
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  return response.blob();
}

/** Not cached or retried: the server logs each fetch as a view. */
const documentBytesQuery = (id: number, link: string | undefined) =>
  queryOptions({
    queryKey: ['document-bytes', id, link],
    queryFn: async ({ signal }) => {
      // StrictMode mounts twice; the first mount ends before this line does.
      await Promise.resolve();
      signal.throwIfAborted();
      return fetchBytes(id, link, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const useDocumentBytes = (id: number, link?: string) => useQuery(documentBytesQuery(id, link));
