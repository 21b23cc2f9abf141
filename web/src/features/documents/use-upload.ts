import { useEffect, useRef, useState } from 'react';
import { uploadDocument } from '../../api/documents.ts';
import { type ChosenFile, uploadInputOf } from './upload-input.ts';

/** Keeps the full progress bar visible before the screen changes. */
const fullBarMs = 300;

async function send(upload: ChosenFile, signal: AbortSignal) {
  const input = await uploadInputOf(upload);
  signal.throwIfAborted();
  const document = await uploadDocument(input, { signal });
  return { filename: document?.filename ?? upload.filename, document };
}

/** One upload at a time. The progress is an estimate until the server responds. */
export function useUpload() {
  const [progress, setProgress] = useState(0);
  const [isUploading, setIsUploading] = useState(false);
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);

  /** Returns what it was saved as; undefined if cancelled or if another upload is running. */
  async function upload(input: ChosenFile) {
    if (running.current) return undefined;
    const controller = new AbortController();
    running.current = controller;
    setIsUploading(true);
    setProgress(0);
    const timer = setInterval(
      () => setProgress((percent) => Math.max(percent, Math.min(percent + 10, 90))),
      200,
    );
    try {
      const saved = await send(input, controller.signal);
      setProgress(100);
      await new Promise((resolve) => setTimeout(resolve, fullBarMs));
      return saved;
    } catch (error) {
      setProgress(0);
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(timer);
      running.current = null;
      setIsUploading(false);
    }
  }

  return { progress, isUploading, upload, cancel: () => running.current?.abort() };
}
