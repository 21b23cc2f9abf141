import { documentTexts } from '@customer-database/contract/documents';
import { useEffect, useRef, useState } from 'react';
import { uploadDocument } from '../../api/documents.ts';
import { mimeTypeOf } from './file-check.ts';

/** Keeps the full progress bar visible before the screen changes. */
const fullBarMs = 300;

type Upload = { customerId: number; file: File | null; filename: string; description: string };

/** The file has been moved or deleted since it was chosen. */
export class FileGone extends Error {
  override name = 'FileGone';
}

function readAsBase64(file: File | null): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!file) throw new FileGone(documentTexts.noFile);
    const reader = new FileReader();
    reader.onerror = () => reject(new FileGone(documentTexts.noFile, { cause: reader.error }));
    // A data URL: the content follows the comma.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(file);
  });
}

async function send({ customerId, file, filename, description }: Upload, signal: AbortSignal) {
  const file_data = await readAsBase64(file);
  signal.throwIfAborted();
  const mime_type = mimeTypeOf(filename) ?? file?.type ?? '';
  const input = { customer_id: customerId, filename, description, file_data, mime_type };
  const document = await uploadDocument(input, { signal });
  return { filename: document?.filename ?? filename, document };
}

/** One upload at a time. The progress is an estimate until the server responds. */
export function useUpload() {
  const [progress, setProgress] = useState(0);
  const [isUploading, setIsUploading] = useState(false);
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);

  /** Returns what it was saved as; undefined if cancelled or if another upload is running. */
  async function upload(input: Upload) {
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
