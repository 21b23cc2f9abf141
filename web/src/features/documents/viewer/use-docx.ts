import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { documentHitsQuery } from '../../../api/search.ts';
import type { Docx } from './docx-engine.ts';
import type { FrameProps } from './frame.tsx';
import { termsToMark } from './terms-to-mark.ts';

/** A separate chunk, because only DOCX files need it. */
const loadEngine = () => import('./docx-engine.ts');

/** Draws the document into the frame once its bytes are there, and marks what was searched for. */
export function useDocx(
  file: Blob | undefined,
  frame: RefObject<HTMLIFrameElement | null>,
  { document, question, link }: FrameProps,
): { docx: Docx | undefined; hasFailed: boolean } {
  const { data: hits } = useQuery(documentHitsQuery(document.id, question, link));
  const insideOfWords = hits?.inside_words;
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
    docx?.mark(termsToMark(question, insideOfWords));
  }, [docx, question, insideOfWords]);

  return { docx, hasFailed };
}
