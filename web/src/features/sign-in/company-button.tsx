import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { startOidcSignIn } from '../../api/oidc-sign-in.ts';
import { wrappingButton } from '../../ui/wrapping-button.ts';

/** Opens the company's sign-in. */
export function CompanyButton({ name, ...button }: ButtonProps & { name: string }) {
  const { state } = useLocation();
  const [isLeaving, setLeaving] = useState(false);

  // After Back from the provider, some browsers show the page unchanged.
  useEffect(() => {
    const stay = () => setLeaving(false);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  function leave(): void {
    setLeaving(true);
    // Drops the message of an earlier failure.
    startOidcSignIn({ ...state, notice: undefined });
  }
  return (
    <Button fullWidth loading={isLeaving} onClick={leave} styles={wrappingButton} {...button}>
      Sign in with {name}
    </Button>
  );
}
