import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../api/client.ts';
import { finishOidcSignIn, takeSignInState } from '../../api/oidc-sign-in.ts';
import { paths } from '../../lib/paths.ts';
import { Spinner } from '../../ui/spinner.tsx';

/** The company's sign-in redirects here; the server then returns the session. */
export function OidcCallback() {
  const navigate = useNavigate();
  const openLogin = useEffectEvent((more: object) => {
    navigate(paths.login, { replace: true, state: { ...takeSignInState(), ...more } });
  });
  useEffect(() => {
    finishOidcSignIn().then(
      () => openLogin({}),
      (error: unknown) => openLogin({ notice: errorText(error, 'Login failed. Please try again.') }),
    );
  }, []);
  return <Spinner />;
}
