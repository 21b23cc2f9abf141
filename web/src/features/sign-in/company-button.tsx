import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { leaveForCompany } from '../../api/oidc-sign-in.ts';
import { wrappingButton } from '../../ui/wrapping-button.ts';

/** Leads to the company's own sign-in. */
export function CompanyButton({ name, ...button }: ButtonProps & { name: string }) {
  const { state } = useLocation();
  const [isLeaving, setLeaving] = useState(false);

  // Back from the provider, some browsers show the page as it was left.
  useEffect(() => {
    const stay = () => setLeaving(false);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  function leave(): void {
    setLeaving(true);
    // A failure of the last time is not news any more.
    leaveForCompany({ ...state, notice: undefined });
  }
  return (
    <Button fullWidth loading={isLeaving} onClick={leave} styles={wrappingButton} {...button}>
      Sign in with {name}
    </Button>
  );
}
