import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import { paths } from '../../lib/paths.ts';
import { WarningBanner } from '../../ui/banners.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Mfa } from './mfa.tsx';
import { PasskeyConfirmation } from './passkey-confirmation.tsx';
import { Passkeys } from './passkeys.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

/** A message of the screen before, not shown again after a reload or Back. */
function useNavigationMessage() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const [message, setMessage] = useState<string | undefined>(state?.message);

  useEffect(() => {
    if (message !== undefined) navigate(paths.profile, { replace: true, state: null });
  }, [message, navigate]);
  return { message, clear: () => setMessage(undefined) };
}

/** Where a second factor is required, all screens redirect here until the user has one. */
function useMfaDemand() {
  const { state } = useLocation();
  const navigate = useNavigate();
  return {
    isDemanded: state?.mustSetUpMfa === true,
    onMet: () => navigate(paths.profile, { replace: true, state: null }),
  };
}

export function Profile() {
  const { message, clear } = useNavigationMessage();
  const { isDemanded, onMet } = useMfaDemand();
  const hasPasswords = useSsoOnlyName() === undefined;
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();

  function showRecoveryCodes(codes: string[]): void {
    clear();
    onMet();
    setRecoveryCodes(codes);
  }

  if (recoveryCodes) {
    return <RecoveryCodes codes={recoveryCodes} onSaved={() => setRecoveryCodes(undefined)} />;
  }
  return (
    <Screen title="Profile">
      <Stack gap="lg" maw="44rem">
        {isDemanded && (
          <WarningBanner>
            A second factor is required here. If you have a passkey, confirm with it before you continue.
            Otherwise set up MFA or add a passkey.
            <PasskeyConfirmation onConfirmed={onMet} />
          </WarningBanner>
        )}
        <ProfileForm initialMessage={message} />
        <Mfa onEnabled={showRecoveryCodes} />
        {hasPasswords && <Passkeys onAdded={onMet} />}
        <Sessions />
        <Tokens />
      </Stack>
    </Screen>
  );
}
