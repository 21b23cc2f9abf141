import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconUpload, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { formatFileSize } from '../../lib/format.ts';
import { FileTypeIcon } from '../../ui/file-types.tsx';
import { UserText } from '../../ui/user-text.tsx';
import classes from './documents.module.css';
import { mimeTypeOf, validateFile } from './file-check.ts';
import { FilesButton } from './queue/files-button.tsx';
import { PageDrop } from './queue/page-drop.tsx';

type FileDropProps = {
  value: File | null;
  /** Shown while files are dragged over the screen. */
  customerName: string | undefined;
  /** Receives null and a problem if the chosen file is not accepted. */
  onChange: (file: File | null, problem?: string) => void;
  onSeveral: (files: File[]) => void;
  error?: ReactNode;
  disabled?: boolean;
  /** Shown below the chosen file. */
  note?: ReactNode;
  'data-path'?: string;
};

export function FileDrop(props: FileDropProps) {
  const { value, customerName, onChange, onSeveral, error, disabled = false, note, ...button } = props;
  const errorId = useId();

  function take(files: File[]): void {
    const [file] = files;
    if (!file) return;
    const problem = validateFile(file);
    if (files.length > 1) onSeveral(files);
    else onChange(problem ? null : file, problem);
  }

  return (
    <Input.Wrapper
      label="File"
      labelElement="div"
      withAsterisk
      error={error}
      errorProps={{ id: errorId, role: 'alert' }}
    >
      <Stack className={classes.drop ?? ''} align="center" gap="xs" mt={4} mb={error ? 5 : 0}>
        {value ? <ChosenFile file={value} note={note} /> : <Text>Drag and drop a file here, or</Text>}
        <Group gap="xs" justify="center">
          <FilesButton
            inputLabel="File"
            onFiles={take}
            size="sm"
            disabled={disabled}
            leftSection={<IconUpload size={16} aria-hidden />}
            aria-describedby={error ? errorId : undefined}
            {...button}
          >
            {value ? 'Choose another file' : 'Choose file'}
          </FilesButton>
          {value && (
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              disabled={disabled}
              leftSection={<IconX size={16} aria-hidden />}
              onClick={() => onChange(null)}
            >
              Remove file
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          PDF, DOCX, DOC or TXT, up to 10MB
        </Text>
      </Stack>
      {!disabled && <PageDrop onFiles={take} customerName={customerName} />}
    </Input.Wrapper>
  );
}

function ChosenFile({ file, note }: { file: File; note: ReactNode }) {
  return (
    <Stack gap={2} align="center" maw="100%">
      <Group gap={8} wrap="nowrap" maw="100%">
        <FileTypeIcon mimeType={mimeTypeOf(file.name) ?? file.type} size={24} />
        <UserText fw={550} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </UserText>
        <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formatFileSize(file.size)}
        </Text>
      </Group>
      {note}
    </Stack>
  );
}
