import { useEffect, useRef, useState } from 'react';
import type { Pdf } from './pdf-engine.ts';

/** A separate chunk, because only PDFs need it. */
const loadEngine = () => import('./pdf-engine.ts');

/** Draws the PDF into the container, once its bytes are there. */
export function usePdf(file: Blob | undefined) {
  const container = useRef<HTMLDivElement>(null);
  const [pdf, setPdf] = useState<Pdf>();
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    // In parallel with the bytes. The next effect handles failures.
    loadEngine().catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!file || !container.current) return;
    const parent = container.current;
    // A new one each time: PDF.js leaves its elements behind.
    const pages = document.createElement('div');
    pages.className = 'pdfViewer';
    parent.replaceChildren(pages);
    let isOver = false;
    const opening = loadEngine().then(({ openPdf }) => openPdf(file, parent));
    opening.then(
      (opened) => !isOver && setPdf(opened),
      (reason: unknown) => !isOver && setError(reason),
    );
    return () => {
      isOver = true;
      setPdf(undefined);
      setError(undefined);
      opening.then(
        (opened) => opened.close(),
        () => undefined,
      );
    };
  }, [file]);

  return { container, pdf, error };
}
