import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import {
  clearPasswordChangeRequired,
  isPasswordChangeRequired,
  lastSessionEmail,
  useSession,
  useUser,
  wasSignedOutOnPurpose,
} from '../api/session.ts';
import { deniedText, paths } from '../lib/paths.ts';

const AccessDenied = lazy(async () => ({ default: (await import('../ui/access-denied.tsx')).AccessDenied }));

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

  if (session) return <Outlet />;
  const state = wasSignedOutOnPurpose() ? undefined : { from: location, userEmail: lastSessionEmail() };
  return <Navigate to={paths.login} replace state={state} />;
}

/** Does not even mount a screen that the role may not open. */
export function AllowedOnly() {
  const denied = deniedText(useUser().role, useLocation().pathname);
  if (denied === undefined) return <Outlet />;
  return (
    <Suspense>
      <AccessDenied text={denied} fallbackPath={paths.dashboard} />
    </Suspense>
  );
}
