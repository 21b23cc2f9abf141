import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { verifyMfaSignIn } from '../../api/auth.ts';
import { ApiError, errorText } from '../../api/client.ts';
import { useFormSubmit } from '../../api/form-submit.ts';
import { useFocusOnMount } from '../../lib/focus.ts';
import { fieldProps } from '../../lib/forms.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Form } from '../../ui/form.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

const wrongCode = 'Invalid MFA code';

type MfaCodeProps = { isLeaving: boolean; onBack: (reason?: string) => void };

export function MfaCode({ isLeaving, onBack }: MfaCodeProps) {
  const input = useFocusOnMount();
  const form = useForm({ initialValues: { code: '' } });

  async function verify({ code }: { code: string }): Promise<void> {
    if (code.trim() === '') return;
    try {
      await verifyMfaSignIn(code);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'MFA_SIGN_IN_EXPIRED') {
        return onBack(errorText(error, wrongCode));
      }
      input.current?.select();
      throw error;
    }
  }

  const { onSubmit, busy, failure } = useFormSubmit(form, verify, wrongCode);
  return (
    <Form onSubmit={onSubmit} failure={failure}>
      <CodeField
        {...fieldProps(form, 'code')}
        ref={input}
        label="Enter your MFA code"
        description="The six digits from your authenticator app, or one of your recovery codes."
      />
      <SubmitButton busy={busy || isLeaving} fullWidth mt="xs">
        Verify
      </SubmitButton>
      <Button variant="subtle" fullWidth onClick={() => onBack()}>
        Back
      </Button>
    </Form>
  );
}
