import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { acceptedFiles } from '../file-check.ts';

type FilesButtonProps = ButtonProps & {
  /** Names the file input to screen readers. */
  inputLabel: string;
  onFiles: (files: File[]) => void;
  children: ReactNode;
};

/** Lets the user choose files. */
export function FilesButton({ inputLabel, onFiles, disabled = false, ...button }: FilesButtonProps) {
  // Otherwise the same files could not be chosen twice in a row.
  const reset = useRef<() => void>(null);
  function choose(files: File[]): void {
    onFiles(files);
    reset.current?.();
  }
  return (
    <FileButton
      multiple
      accept={acceptedFiles}
      disabled={disabled}
      resetRef={reset}
      inputProps={{ 'aria-label': inputLabel }}
      onChange={choose}
    >
      {(props) => <Button variant="default" disabled={disabled} {...props} {...button} />}
    </FileButton>
  );
}
