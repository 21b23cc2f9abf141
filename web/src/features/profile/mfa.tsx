import type { MfaSetupResponse } from '@customer-database/contract/auth';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { refreshUser, startMfaSetup } from '../../api/auth.ts';
import { ApiError, errorText } from '../../api/client.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useUser } from '../../api/session.ts';
import { useReturnFocus } from '../../lib/focus.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MfaSetup } from './mfa-setup.tsx';
import { MfaTurnOff } from './mfa-turn-off.tsx';

export function Mfa({ onEnabled }: { onEnabled: (recoveryCodes: string[]) => void }) {
  const { mfa_enabled } = useUser();
  const [step, setStep] = useState<MfaSetupResponse | 'turning off'>();
  const opener = useReturnFocus(step !== undefined);
  const close = () => setStep(undefined);
  return (
    <Panel title="Multi-factor authentication (MFA)">
      {mfa_enabled ? (
        <Stack>
          <Group gap="sm" wrap="nowrap">
            <IconShieldCheck aria-hidden color="var(--mantine-color-anchor)" style={{ flex: 'none' }} />
            <Text size="sm">MFA is on. You are asked for a code whenever you sign in.</Text>
          </Group>
          {step === 'turning off' ? (
            <MfaTurnOff onClose={close} />
          ) : (
            <Group>
              <Button ref={opener} variant="default" onClick={() => setStep('turning off')}>
                Turn off MFA
              </Button>
            </Group>
          )}
        </Stack>
      ) : typeof step === 'object' ? (
        <MfaSetup setup={step} onEnabled={onEnabled} onCancel={close} />
      ) : (
        <MfaOff opener={opener} onStarted={setStep} />
      )}
    </Panel>
  );
}

type MfaOffProps = {
  opener: RefObject<HTMLButtonElement | null>;
  onStarted: (setup: MfaSetupResponse) => void;
};

function MfaOff({ opener, onStarted }: MfaOffProps) {
  const start = useSubmit(async () => {
    try {
      onStarted(await withReauthentication(startMfaSetup));
    } catch (error) {
      // Already turned on in another window.
      if (error instanceof ApiError && error.code === 'MFA_ALREADY_ENABLED') return refreshUser();
      throw error;
    }
  });
  return (
    <Stack>
      {start.error && <ErrorBanner text={errorText(start.error, 'Failed to start the MFA setup')} />}
      <Group gap="sm" wrap="nowrap">
        <IconShieldOff aria-hidden style={{ flex: 'none' }} />
        <Text size="sm">
          MFA is off. With it, signing in takes your password and a code from an app on your phone, so that a
          stolen password alone opens nothing.
        </Text>
      </Group>
      <Group>
        <Button ref={opener} onClick={() => start.submit(undefined)} aria-disabled={start.isPending}>
          Set up MFA
        </Button>
      </Group>
    </Stack>
  );
}
