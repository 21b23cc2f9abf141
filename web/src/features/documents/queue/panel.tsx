import { Button, CloseButton, Progress, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useThrottledValue } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { invalidateDocuments } from '../../../api/documents.ts';
import classes from './panel.module.css';
import { cancelAll, clearUploads, removeUpload, tryAgain, useUploads } from './queue.ts';
import { UploadRow } from './row.tsx';
import { hasFailed, summaryOf } from './uploads.ts';

const announceEveryMs = 3_000;
const refreshEveryMs = 5_000;

/** Changes at intervals during the uploads, and at once when they are done. */
function useAtIntervals<Value>(value: Value, isDone: boolean, everyMs: number): Value {
  const throttled = useThrottledValue(value, everyMs);
  return isDone ? value : throttled;
}

/** The lists show what was uploaded, without loading again for every single file. */
function useFreshLists({ saved, underWay }: ReturnType<typeof summaryOf>): void {
  const client = useQueryClient();
  const shown = useAtIntervals(saved, underWay === 0, refreshEveryMs);
  useEffect(() => {
    if (shown > 0) void invalidateDocuments(client);
  }, [shown, client]);
}

/** The uploads, which continue while the user opens other screens. */
export function UploadPanel() {
  const uploads = useUploads();
  const summary = summaryOf(uploads);
  useFreshLists(summary);
  return uploads.length > 0 && <OpenPanel uploads={uploads} summary={summary} />;
}

type OpenPanelProps = { uploads: ReturnType<typeof useUploads>; summary: ReturnType<typeof summaryOf> };

function OpenPanel({ uploads, summary }: OpenPanelProps) {
  const [isOpen, { toggle }] = useDisclosure(true);
  const listId = useId();
  const header = useRef<HTMLButtonElement>(null);
  const { text, underWay, retryable, percent } = summary;
  const note = summary.isWaiting ? 'Waiting for the connection' : undefined;
  const spoken = note ? `${text}. ${note}` : text;
  const announced = useAtIntervals(spoken, underWay === 0, announceEveryMs);
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  const inOrder = [...uploads.filter(hasFailed), ...uploads.filter((upload) => !hasFailed(upload))];

  function remove(id: string): void {
    removeUpload(id);
    header.current?.focus();
  }

  function close(): void {
    clearUploads();
    document.querySelector('h1')?.focus();
  }

  return (
    <section className={classes.panel} aria-label="Uploads" data-open={isOpen || undefined}>
      <div className={classes.header}>
        <UnstyledButton
          ref={header}
          className={classes.toggle ?? ''}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={toggle}
        >
          <Chevron size={18} aria-hidden />
          <span>
            {text}
            {note && <small>{note}</small>}
          </span>
        </UnstyledButton>
        {underWay > 0 ? (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={cancelAll}>
            Cancel all
          </Button>
        ) : (
          <CloseButton aria-label="Close uploads" title="Close" onClick={close} />
        )}
      </div>
      <Progress value={percent} size={4} radius={0} aria-label="Progress of all uploads" />
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
      <div id={listId} hidden={!isOpen}>
        <ul className={classes.list}>
          {inOrder.map((upload) => (
            <UploadRow key={upload.id} upload={upload} onRemove={remove} />
          ))}
        </ul>
        {retryable > 0 && (
          <div className={classes.footer}>
            <Button variant="default" size="compact-sm" onClick={() => tryAgain()}>
              Try all failed again
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
