import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../api/client.ts';
import { finishCompanySignIn, takeSignInState } from '../../api/oidc-sign-in.ts';
import { paths } from '../../lib/paths.ts';
import { Spinner } from '../../ui/spinner.tsx';

/** Back from the company's own sign-in: the session waits at the server. */
export function OidcCallback() {
  const navigate = useNavigate();
  const goOn = useEffectEvent((more: object) => {
    navigate(paths.login, { replace: true, state: { ...takeSignInState(), ...more } });
  });
  useEffect(() => {
    finishCompanySignIn().then(
      () => goOn({}),
      (error: unknown) => goOn({ notice: errorText(error, 'Login failed. Please try again.') }),
    );
  }, []);
  return <Spinner />;
}
