import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import {
  clearPasswordChangeDemand,
  isPasswordChangeDemanded,
  lastSessionEmail,
  useSession,
  useUser,
  wasSignedOutOnPurpose,
} from '../api/session.ts';
import { deniedText, paths } from '../lib/paths.ts';

const AccessDenied = lazy(async () => ({ default: (await import('../ui/access-denied.tsx')).AccessDenied }));

/** Everything but the sign-in screen. Who was thrown out returns to where they were. */
export function SignedInOnly() {
  const session = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  // Several calls may be refused, one after the other; each leaves a new session object.
  const refused = isPasswordChangeDemanded() ? session : undefined;

  useEffect(() => {
    if (!refused) return;
    clearPasswordChangeDemand();
    navigate(paths.changePassword, { replace: true, state: { demanded: true } });
  }, [refused, navigate]);

  if (session) return <Outlet />;
  const state = wasSignedOutOnPurpose() ? undefined : { from: location, whose: lastSessionEmail() };
  return <Navigate to={paths.login} replace state={state} />;
}

/** What a role may not open is not even begun. */
export function AllowedOnly() {
  const denied = deniedText(useUser().role, useLocation().pathname);
  if (denied === undefined) return <Outlet />;
  return (
    <Suspense>
      <AccessDenied text={denied} home={paths.dashboard} />
    </Suspense>
  );
}
