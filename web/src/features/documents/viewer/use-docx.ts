import { parseQuestion } from '@customer-database/words/question';
import { type RefObject, useEffect, useState } from 'react';
import { markHitsIn } from './docx-hits.ts';
import { fitPages } from './docx-page.ts';

/** A separate chunk, because only DOCX files need it. */
const loadRenderer = () => import('./docx-render.ts');

const margin = 60;

/** Draws the document into the frame once its bytes are there, and marks what was searched for. */
export function useDocx(
  file: Blob | undefined,
  frame: RefObject<HTMLIFrameElement | null>,
  question: string,
  zoom: number,
) {
  const [outcome, setOutcome] = useState<'drawn' | 'failed'>();

  useEffect(() => {
    // In parallel with the bytes. The next effect handles failures.
    loadRenderer().catch(() => undefined);
  }, []);

  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!file || !inside) return;
    let isOver = false;
    loadRenderer()
      .then(({ renderDocx }) => renderDocx(file, inside))
      .then(
        () => !isOver && setOutcome('drawn'),
        () => !isOver && setOutcome('failed'),
      );
    return () => {
      isOver = true;
    };
  }, [file, frame]);

  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (outcome !== 'drawn' || !frame.current || !inside) return;
    const resize = new ResizeObserver(() => fitPages(inside, zoom));
    resize.observe(frame.current);
    return () => resize.disconnect();
  }, [outcome, frame, zoom]);

  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (outcome !== 'drawn' || !inside) return;
    const hit = markHitsIn(inside, parseQuestion(question));
    if (hit) inside.defaultView?.scrollBy({ top: hit.getBoundingClientRect().top - margin });
  }, [outcome, frame, question]);

  return outcome;
}
