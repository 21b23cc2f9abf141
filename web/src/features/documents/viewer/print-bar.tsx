import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { showAlert } from '../../../ui/notices.ts';
import type { PrintJob } from './print.ts';
import classes from './viewer.module.css';

type Progress = { page: number; pages: number };

/** Prints once at a time. Leaving the document cancels it. */
export function usePrint(print: ((job: PrintJob) => Promise<void>) | undefined) {
  const [progress, setProgress] = useState<Progress>();
  const job = useRef<AbortController>(undefined);
  useEffect(() => () => job.current?.abort(), []);

  async function run(): Promise<void> {
    if (!print || job.current) return;
    const controller = new AbortController();
    job.current = controller;
    const onProgress = (page: number, pages: number) => setProgress({ page, pages });
    try {
      await print({ signal: controller.signal, onProgress });
    } catch {
      if (!controller.signal.aborted) showAlert('The document could not be printed. Download it instead.');
    }
    job.current = undefined;
    setProgress(undefined);
  }

  return { progress, start: () => void run(), cancel: () => job.current?.abort() };
}

type PrintBarProps = { progress: Progress | undefined; cancel: () => void };

export function PrintBar({ progress, cancel }: PrintBarProps) {
  if (!progress) return null;
  const { page, pages } = progress;
  return (
    <div className={classes.bar}>
      <span className={classes.figures} role="status">
        Preparing page {formatNumber(page)} of {formatNumber(pages)} for print
      </span>
      <Button size="compact-sm" variant="default" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
