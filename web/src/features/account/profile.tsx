import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Screen } from '../../ui/screen.tsx';
import { Mfa } from './mfa.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** A message passed by another screen; shown once, not again after a reload or Back. */
function useNavigationMessage() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const [message, setMessage] = useState<string | undefined>(state?.message);

  useEffect(() => {
    if (message !== undefined) navigate(paths.profile, { replace: true, state: null });
  }, [message, navigate]);
  return { message, clear: () => setMessage(undefined) };
}

export function Profile() {
  const { message, clear } = useNavigationMessage();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();

  function showRecoveryCodes(codes: string[]): void {
    clear();
    setRecoveryCodes(codes);
  }

  if (recoveryCodes) {
    return <RecoveryCodes codes={recoveryCodes} onSaved={() => setRecoveryCodes(undefined)} />;
  }
  return (
    <Screen title="Profile">
      <Stack gap="lg" maw="44rem">
        <ProfileForm initialMessage={message} />
        <Mfa onEnabled={showRecoveryCodes} />
      </Stack>
    </Screen>
  );
}
