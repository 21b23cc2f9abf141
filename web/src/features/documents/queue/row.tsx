import { Anchor, Button, Progress } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { formatFileSize } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { FileTypeIcon } from '../../../ui/file-types.tsx';
import { mimeTypeOf } from '../file-check.ts';
import classes from './panel.module.css';
import { tryAgain } from './queue.ts';
import { isUnderWay, type Upload } from './uploads.ts';

type UploadRowProps = { upload: Upload; onRemove: (id: string) => void };

/** Made of plain elements, because the list may have hundreds of rows; only a few change at a time. */
export const UploadRow = memo(
  ({ upload, onRemove }: UploadRowProps) => {
    const { id, file, customer, state } = upload;
    const remove = `${isUnderWay(upload) ? 'Cancel' : 'Remove'} ${file.name}`;
    return (
      <li className={classes.row}>
        <FileTypeIcon mimeType={mimeTypeOf(file.name) ?? ''} />
        <div className={classes.texts}>
          <div className={classes.line} dir="auto" title={file.name}>
            {file.name}
          </div>
          <div className={classes.facts}>
            {formatFileSize(file.size)} for <bdi title={customer.name}>{customer.name}</bdi>
          </div>
          <Result upload={upload} />
        </div>
        {state === 'failed' && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Try again ${file.name}`}
            onClick={() => tryAgain(id)}
          >
            Try again
          </Button>
        )}
        <button
          type="button"
          className={classes.remove}
          aria-label={remove}
          title={remove}
          onClick={() => onRemove(id)}
        >
          <IconX size={16} />
        </button>
      </li>
    );
  },
  (before, after) => before.upload === after.upload,
);

function Result({ upload }: { upload: Upload }) {
  const { file, state, percent, problem, document } = upload;
  if (state === 'queued') return <div className={classes.facts}>Waiting</div>;
  if (state === 'waiting') return <div className={classes.facts}>Waiting for the connection</div>;
  if (state === 'sending') {
    return (
      <div className={classes.sending}>
        <Progress value={percent} size={4} flex={1} aria-label={`Upload of ${file.name}`} />
        {percent}%
      </div>
    );
  }
  if (state !== 'saved') return <div className={classes.problem}>{problem}</div>;
  if (!document) return <div className={classes.facts}>Uploaded</div>;
  const isRenamed = document.filename !== file.name.normalize();
  return (
    <div className={classes.line}>
      <Anchor component={Link} to={paths.document(document.id)} inherit title={document.filename}>
        {isRenamed ? <SavedAs name={document.filename} /> : 'Open document'}
      </Anchor>
    </div>
  );
}

const SavedAs = ({ name }: { name: string }) => (
  <>
    Saved as <bdi>{name}</bdi>
  </>
);
