import { isAllowed, type Permission } from '@customer-database/contract/permissions';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import {
  clearPasswordChangeDemand,
  isPasswordChangeDemanded,
  useSession,
  useUser,
  wasSignedOutOnPurpose,
} from '../api/session.ts';
import { paths } from '../lib/paths.ts';

const AccessDenied = lazy(async () => ({ default: (await import('../ui/access-denied.tsx')).AccessDenied }));

/** Everything but the sign-in screen. Who was thrown out returns to where they were. */
export function SignedInOnly() {
  const session = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const mustChangePassword = session !== undefined && isPasswordChangeDemanded();

  // biome-ignore lint/correctness/useExhaustiveDependencies: several calls may be refused, one after the other
  useEffect(() => {
    if (!mustChangePassword) return;
    clearPasswordChangeDemand();
    navigate(paths.changePassword, { replace: true, state: { demanded: true } });
  }, [mustChangePassword, session, navigate]);

  if (session) return <Outlet />;
  const state = wasSignedOutOnPurpose() ? undefined : { from: location };
  return <Navigate to={paths.login} replace state={state} />;
}

type AllowedOnlyProps = { permission: Permission; deniedText?: string };

export function AllowedOnly({
  permission,
  deniedText = "You don't have permission to access this page.",
}: AllowedOnlyProps) {
  const { role } = useUser();
  if (isAllowed(role, permission)) return <Outlet />;
  return (
    <Suspense>
      <AccessDenied text={deniedText} home={paths.dashboard} />
    </Suspense>
  );
}
