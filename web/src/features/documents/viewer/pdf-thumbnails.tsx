import { useIntersection } from '@mantine/hooks';
import { memo, useEffect, useRef, useState } from 'react';
import classes from './pdf.module.css';
import type { Pdf, PdfState } from './pdf-engine.ts';

const width = 96;

type ThumbnailsProps = { pdf: Pdf; state: PdfState };

/** Small pictures of the pages; only those in view are drawn. */
export function PdfThumbnails({ pdf, state }: ThumbnailsProps) {
  const strip = useRef<HTMLElement>(null);
  const pages = Array.from({ length: pdf.document.numPages }, (_, index) => index + 1);

  useEffect(() => {
    const current = strip.current?.querySelector(`:nth-child(${state.page})`);
    current?.scrollIntoView({ block: 'nearest' });
  }, [state.page]);

  return (
    <nav ref={strip} aria-label="Pages">
      {pages.map((page) => (
        <Thumbnail
          key={page}
          pdf={pdf}
          page={page}
          rotation={state.rotation}
          isCurrent={page === state.page}
        />
      ))}
    </nav>
  );
}

type ThumbnailProps = { pdf: Pdf; page: number; rotation: number; isCurrent: boolean };

const Thumbnail = memo(({ pdf, page, rotation, isCurrent }: ThumbnailProps) => {
  const { ref, entry } = useIntersection<HTMLButtonElement>({ rootMargin: '200px 0px' });
  const [height, setHeight] = useState(width * Math.SQRT2);
  return (
    <button
      ref={ref}
      type="button"
      className={classes.thumbnail}
      aria-label={`Page ${page}`}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => pdf.goTo(page)}
    >
      <span className={classes.paper} style={{ height }}>
        {entry?.isIntersecting && (
          <Picture key={rotation} pdf={pdf} page={page} rotation={rotation} onHeight={setHeight} />
        )}
      </span>
      {page}
    </button>
  );
});

type PictureProps = { pdf: Pdf; page: number; rotation: number; onHeight: (height: number) => void };

function Picture({ pdf, page, rotation, onHeight }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const drawing = new AbortController();
    drawPage(pdf, page, rotation, canvas.current, drawing.signal)
      .then((height) => height && onHeight(height))
      // A page that cannot be drawn stays white; the viewer says why.
      .catch(() => undefined);
    return () => drawing.abort();
  }, [pdf, page, rotation, onHeight]);
  return <canvas ref={canvas} />;
}

/** Resolves to the height in CSS pixels. */
async function drawPage(
  pdf: Pdf,
  page: number,
  rotation: number,
  canvas: HTMLCanvasElement | null,
  signal: AbortSignal,
): Promise<number | undefined> {
  const proxy = await pdf.document.getPage(page);
  if (signal.aborted || !canvas) return undefined;
  const turned = (proxy.rotate + rotation) % 360;
  const natural = proxy.getViewport({ scale: 1, rotation: turned });
  const scale = (width / natural.width) * window.devicePixelRatio;
  const viewport = proxy.getViewport({ scale, rotation: turned });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = proxy.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
  return (natural.height / natural.width) * width;
}
