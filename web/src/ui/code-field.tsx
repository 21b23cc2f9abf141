import { TextInput, type TextInputProps } from '@mantine/core';

/** For a code from an authenticator app or a recovery code, which contains letters. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      label="MFA code"
      description="From your authenticator app, or one of your recovery codes."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
