import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import {
  clearMfaSetupRequired,
  clearPasswordChangeRequired,
  isPasswordChangeRequired,
  lastSessionEmail,
  SignedInUser,
  useSession,
  wasSignedOutOnPurpose,
} from '../api/session.ts';
import { paths } from '../lib/paths.ts';

/** Guards everything but the sign-in screen. After an expired session, users return to where they were. */
export function SignedInOnly() {
  const session = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  // Several calls may be rejected in turn; each creates a new session object.
  const sessionToRedirect = isPasswordChangeRequired() ? session : undefined;

  useEffect(() => {
    if (!sessionToRedirect) return;
    clearPasswordChangeRequired();
    navigate(paths.changePassword, { replace: true, state: { forced: true } });
  }, [sessionToRedirect, navigate]);

  const mustSetUpMfa = session?.mustSetUpMfa === true;
  useEffect(() => {
    if (!mustSetUpMfa) return;
    clearMfaSetupRequired();
    navigate(paths.profile, { replace: true, state: { mustSetUpMfa: true } });
  }, [mustSetUpMfa, navigate]);

  if (session) {
    return (
      <SignedInUser value={session.user}>
        <Outlet />
      </SignedInUser>
    );
  }
  const state = wasSignedOutOnPurpose() ? undefined : { from: location, userEmail: lastSessionEmail() };
  return <Navigate to={paths.login} replace state={state} />;
}
