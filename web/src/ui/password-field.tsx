import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type Ref, useState } from 'react';

type PasswordFieldProps = Omit<TextInputProps, 'type' | 'rightSection'> & {
  label: string;
  ref?: Ref<HTMLInputElement>;
  autoComplete: 'current-password' | 'new-password';
};

export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Show ${props.label.toLowerCase()}`}
          aria-pressed={shown}
          title={shown ? 'Hide' : 'Show'}
          onClick={() => setShown(!shown)}
        >
          <Icon size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
