import { type MfaDisableInput, mfaDisableInput } from '@customer-database/contract/auth';
import { schemaResolver, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { disableMfa, refreshUser } from '../../api/auth.ts';
import { ApiError } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { useFocusOnMount } from '../../lib/focus.ts';
import { fieldProps } from '../../lib/forms.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { UsernameForPasswordManager } from './username.tsx';

export function MfaTurnOff({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const input = useFocusOnMount();
  const form = useForm<MfaDisableInput>({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(mfaDisableInput, { sync: true }),
  });

  async function turnOff(values: MfaDisableInput): Promise<void> {
    try {
      const { message } = await withReauthentication(() => disableMfa(values));
      notifications.show({ message });
    } catch (error) {
      // Already turned off in another window.
      if (!(error instanceof ApiError && error.code === 'MFA_NOT_ENABLED')) throw error;
    }
    await refreshUser();
    onClose();
  }

  const { onSubmit, busy, failure } = useFormSubmit(form, turnOff, 'Failed to turn off MFA');
  return (
    <Form onSubmit={onSubmit} failure={failure} maw="24rem">
      <UsernameForPasswordManager email={user.email} />
      <PasswordField
        {...fieldProps(form, 'password')}
        ref={input}
        label="Password"
        autoComplete="current-password"
      />
      <CodeField {...fieldProps(form, 'code')} />
      <FormButtons onCancel={onClose} busy={busy}>
        Turn off
      </FormButtons>
    </Form>
  );
}
