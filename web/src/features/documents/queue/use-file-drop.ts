import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Browsers send drag events at shorter intervals. */
const dragEventMs = 600;

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
const isDialogOpen = () => document.querySelector('[aria-modal=true]') !== null;

/**
 * Takes files that are dropped anywhere on the page. Returns whether files are dragged over the page.
 */
export function useFileDrop(onFiles: (files: File[]) => void, enabled = true): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const drag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event) || isDialogOpen()) return;
    event.preventDefault();
    setIsDragging(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsDragging(false), dragEventMs);
  });

  const drop = useEffectEvent((event: DragEvent) => {
    setIsDragging(false);
    if (!hasFiles(event) || isDialogOpen()) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });

  useEffect(() => {
    if (!enabled) return;
    const onDrag = (event: DragEvent) => drag(event);
    const onDrop = (event: DragEvent) => drop(event);
    document.addEventListener('dragover', onDrag);
    document.addEventListener('drop', onDrop);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener('dragover', onDrag);
      document.removeEventListener('drop', onDrop);
    };
  }, [enabled]);

  return isDragging && enabled;
}
