import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';
import { type SetupState, setupStateQuery } from '../../api/auth.ts';
import { canUseOidc } from '../../api/oidc-sign-in.ts';
import {
  clearPasswordChangeRequired,
  isPasswordChangeRequired,
  type SessionUser,
  useSession,
} from '../../api/session.ts';
import { addressObstacle, passkeyObstacle } from '../../lib/passkey-obstacle.ts';
import { deniedPath, paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Brand } from '../../ui/brand.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { FirstAdmin } from './first-admin.tsx';
import classes from './login.module.css';
import { OidcCallback } from './oidc-callback.tsx';
import { SignIn } from './sign-in.tsx';

export function Login() {
  const session = useSession();
  const [arrivedSignedIn] = useState(session !== undefined);
  const { search } = useLocation();
  if (search === '?company') return <OidcCallback />;
  if (arrivedSignedIn && session) {
    return (
      <>
        <Leave user={session.user} />
        <Spinner />
      </>
    );
  }
  return (
    <Page>
      <SignInOrSetup isLeaving={session !== undefined} />
      {session && <Leave user={session.user} />}
    </Page>
  );
}

function Page({ children }: { children: ReactNode }) {
  return (
    <main className={classes.page}>
      <Brand />
      <div className={classes.card}>
        <Panel>{children}</Panel>
      </div>
    </main>
  );
}

/** Prevents an open redirect: //example.com leads to another host. */
const isOurs = (location: Location | undefined) =>
  typeof location?.pathname === 'string' && /^\/(?![/\\])/.test(location.pathname);

type LoginState = { from?: Location; userEmail?: string; notice?: string } | null;

/** The location requested before the sign-in, unless it was another user's or this role may not open it. */
function destination({ email, role }: SessionUser, state: LoginState): Location | string {
  const { from, userEmail = email } = state ?? {};
  const isTheirs = userEmail === email && from !== undefined && isOurs(from);
  return isTheirs && deniedPath(role, from.pathname) === undefined ? from : paths.dashboard;
}

/** Redirects after the sign-in. The form stays visible until the next screen has loaded. */
function Leave({ user }: { user: SessionUser }) {
  const navigate = useNavigate();
  const state: LoginState = useLocation().state;
  const [mustChangePassword] = useState(isPasswordChangeRequired);

  const leave = useEffectEvent(() => {
    clearPasswordChangeRequired();
    if (mustChangePassword) navigate(paths.changePassword, { replace: true, state: { forced: true } });
    else navigate(destination(user, state), { replace: true });
  });
  useEffect(() => leave(), []);
  return null;
}

const setupCodeIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('setup_code');

/** The printed link may be opened while this screen is already open. */
function useSetupCode(): string | null {
  const navigate = useNavigate();
  const { hash, pathname, search, state } = useLocation();
  const [code, setCode] = useState(() => setupCodeIn(hash));

  const takeCode = useEffectEvent((found: string) => {
    setCode(found);
    // Keeps the secret out of the address bar.
    navigate({ pathname, search }, { replace: true, state });
  });
  useEffect(() => {
    const found = setupCodeIn(hash);
    if (found !== null) takeCode(found);
  }, [hash]);
  return code;
}

/** Avoids `useQuery`: nothing else here needs its code, and the first load must stay small. */
function useSetupState() {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<SetupState | 'waiting' | 'failed'>('waiting');

  const ask = useCallback(() => {
    setAnswer('waiting');
    client.fetchQuery({ ...setupStateQuery, retry: 1 }).then(setAnswer, () => setAnswer('failed'));
  }, [client]);
  useEffect(ask, [ask]);
  return { answer, tryAgain: ask };
}

function SignInOrSetup({ isLeaving }: { isLeaving: boolean }) {
  const setupCode = useSetupCode();
  const [closedText, setClosedText] = useState<string>();
  const { answer, tryAgain } = useSetupState();
  const { search, state: loginState }: Location<LoginState> = useLocation();
  const state = typeof answer === 'object' ? answer : undefined;

  if (state?.needs_first_admin && closedText === undefined) {
    return <FirstAdmin setupCode={setupCode ?? ''} isLeaving={isLeaving} onClosed={setClosedText} />;
  }
  // With a setup code, the user expects the other form.
  if (setupCode !== null && answer === 'waiting') return <Spinner />;
  if (setupCode !== null && answer === 'failed') {
    return <ErrorBanner text="The server does not answer." onRetry={tryAgain} />;
  }
  const passkeyHint = state?.password_sign_in ? addressObstacle() : undefined;
  const hasPasskeys = state?.passkeys === true && passkeyObstacle() === undefined;
  const company = canUseOidc ? (state?.company_sign_in ?? undefined) : undefined;
  // Operators can sign in with a password even where passwords are off.
  const isPasswordAsked = search === '?password';
  return (
    <SignIn
      isLeaving={isLeaving}
      notice={closedText ?? loginState?.notice}
      hasPasskeys={hasPasskeys}
      passkeyHint={passkeyHint}
      company={company}
      hasPassword={company === undefined || state?.password_sign_in !== false || isPasswordAsked}
    />
  );
}
