import { documentTypes } from '@customer-database/contract/documents';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTypeIcon } from './file-types.tsx';
import classes from './thumbnail.module.css';

export type ThumbnailProps = {
  /** Undefined if there is none. */
  url: string | undefined;
  mimeType: string;
  /** The link may have expired. */
  onFailure?: (() => void) | undefined;
};

async function fetchLines(url: string): Promise<string> {
  // The signed link is the authorization.
  const response = await fetch(url, { credentials: 'omit' });
  if (!response.ok) throw new Error(`The thumbnail was answered with status ${response.status}`);
  return response.text();
}

function Lines({ url, mimeType, onFailure }: ThumbnailProps & { url: string }) {
  const { ref, inViewport } = useInViewport();
  const { data, isError } = useQuery({
    queryKey: ['thumbnail', url],
    queryFn: () =>
      fetchLines(url).catch((error: unknown) => {
        onFailure?.();
        throw error;
      }),
    enabled: inViewport,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isError) return <Icon mimeType={mimeType} />;
  return (
    <div ref={ref} className={classes.lines} dir="auto">
      {data}
    </div>
  );
}

function Picture({ url, mimeType, onFailure }: ThumbnailProps & { url: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <Icon mimeType={mimeType} />;
  return (
    <img
      className={classes.picture}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      // Needed where the API is on another host.
      crossOrigin="anonymous"
      onError={() => {
        setFailed(true);
        onFailure?.();
      }}
    />
  );
}

const Icon = ({ mimeType }: { mimeType: string }) => (
  <div className={classes.icon}>
    <FileTypeIcon mimeType={mimeType} size={40} />
  </div>
);

/** The first page of a PDF, the first lines of another document, or else the icon of its type. */
export function Thumbnail({ url, ...rest }: ThumbnailProps) {
  const Content = rest.mimeType === documentTypes['.pdf'] ? Picture : Lines;
  return (
    <div className={classes.thumbnail} aria-hidden>
      {url ? <Content key={url} url={url} {...rest} /> : <Icon mimeType={rest.mimeType} />}
    </div>
  );
}
