import { useEffect, useRef, useState } from 'react';
import { type FileToSend, sendFile } from './send-file.ts';

/** Keeps the full progress bar visible before the screen changes. */
const fullBarMs = 300;

/** One upload at a time. The progress is an estimate until the server responds; undefined without an upload. */
export function useUpload() {
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);

  /** Returns what it was saved as; undefined if cancelled or if another upload is running. */
  async function upload(file: FileToSend) {
    if (running.current) return undefined;
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    const timer = setInterval(() => setProgress((percent = 0) => Math.min(percent + 10, 90)), 200);
    try {
      const document = await sendFile(file, controller);
      clearInterval(timer);
      setProgress(100);
      await new Promise((resolve) => setTimeout(resolve, fullBarMs));
      return { filename: document?.filename ?? file.filename, document };
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(timer);
      running.current = null;
      setProgress(undefined);
    }
  }

  return { progress, upload, cancel: () => running.current?.abort() };
}
