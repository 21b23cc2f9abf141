import { TextInput, type TextInputProps } from '@mantine/core';

/** For a code from an app, or one of the codes that stand in for it, which have letters. */
export function CodeField(props: TextInputProps) {
  return <TextInput autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} {...props} />;
}
