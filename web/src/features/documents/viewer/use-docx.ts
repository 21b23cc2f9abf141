import { parseQuestion } from '@customer-database/words/question';
import { type RefObject, useEffect, useState } from 'react';
import type { Docx } from './docx-engine.ts';

/** A separate chunk, because only DOCX files need it. */
const loadEngine = () => import('./docx-engine.ts');

/** Draws the document into the frame once its bytes are there, and marks what was searched for. */
export function useDocx(
  file: Blob | undefined,
  frame: RefObject<HTMLIFrameElement | null>,
  question: string,
): { docx: Docx | undefined; hasFailed: boolean } {
  const [docx, setDocx] = useState<Docx>();
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    // In parallel with the bytes. The next effect handles failures.
    loadEngine().catch(() => undefined);
  }, []);

  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!file || !inside) return;
    let isOver = false;
    const opening = loadEngine().then(({ openDocx }) => openDocx(file, inside));
    opening.then(
      (opened) => !isOver && setDocx(opened),
      () => !isOver && setHasFailed(true),
    );
    return () => {
      isOver = true;
      setDocx(undefined);
      setHasFailed(false);
      opening.then(
        (opened) => opened.close(),
        () => undefined,
      );
    };
  }, [file, frame]);

  useEffect(() => {
    docx?.mark(parseQuestion(question));
  }, [docx, question]);

  return { docx, hasFailed };
}
