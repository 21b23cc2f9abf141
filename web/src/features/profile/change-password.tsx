import { changePasswordInput } from '@customer-database/contract/auth';
import { Group } from '@mantine/core';
import { type FormErrors, schemaResolver, useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { changePassword } from '../../api/auth.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { clearPasswordChangeRequired, useUser } from '../../api/session.ts';
import { fieldProps } from '../../lib/forms.ts';
import { paths } from '../../lib/paths.ts';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useTokenRevocation } from './token-revocation.tsx';
import { UsernameForPasswordManager } from './username.tsx';

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };
type Values = typeof empty;

const required = 'This field is required';

/** Blank fields also show one message above the form. */
function validate({ confirmPassword, ...input }: Values): FormErrors {
  const blank = Object.entries({ ...input, confirmPassword }).filter(([, value]) => value === '');
  if (blank.length > 0) return Object.fromEntries(blank.map(([field]) => [field, required]));
  const errors: FormErrors = schemaResolver(changePasswordInput, { sync: true })(input);
  return confirmPassword === input.newPassword
    ? errors
    : { ...errors, confirmPassword: 'New passwords do not match' };
}

export function ChangePassword() {
  const user = useUser();
  const navigate = useNavigate();
  const isForced = useLocation().state?.forced === true;
  const tokens = useTokenRevocation({ enabled: !isForced });
  const form = useForm<Values>({ initialValues: empty, validate });
  const { onSubmit, busy, failure } = useFormSubmit(
    form,
    async ({ currentPassword, newPassword }) => {
      const input = { currentPassword, newPassword };
      await changePassword(tokens.isChosen ? { ...input, revoke_tokens: true } : input);
      await tokens.finish();
      // A call rejected a moment ago may have set it again.
      clearPasswordChangeRequired();
      navigate(paths.profile, { replace: true, state: { message: 'Password changed successfully' } });
    },
    'Failed to change password',
  );
  const isIncomplete = Object.values(form.errors).includes(required);

  const first = useRef<HTMLInputElement>(null);
  // Here and not in the field: the screen around it focuses its heading first.
  useEffect(() => first.current?.focus(), []);

  return (
    <Screen
      title="Change password"
      description={
        isForced
          ? 'Your password is a temporary one. Please choose your own before you continue.'
          : 'You stay signed in here; everywhere else you will have to sign in again.'
      }
    >
      <Panel maw="30rem">
        <Form onSubmit={onSubmit} failure={isIncomplete ? 'All fields are required' : failure}>
          <UsernameForPasswordManager email={user.email} />
          <PasswordField
            {...fieldProps(form, 'currentPassword')}
            ref={first}
            label="Current password"
            autoComplete="current-password"
          />
          <PasswordField
            {...fieldProps(form, 'newPassword')}
            label="New password"
            autoComplete="new-password"
          />
          <PasswordField
            {...fieldProps(form, 'confirmPassword')}
            label="Confirm new password"
            autoComplete="new-password"
          />
          {tokens.checkbox}
          <Group justify="flex-end" mt="xs">
            {!isForced && (
              <LinkButton to={paths.profile} variant="default">
                Cancel
              </LinkButton>
            )}
            <SubmitButton busy={busy} busyLabel="Changing...">
              Change password
            </SubmitButton>
          </Group>
        </Form>
      </Panel>
    </Screen>
  );
}
