import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';
import { setupStateQuery } from '../../api/auth.ts';
import {
  clearPasswordChangeDemand,
  isPasswordChangeDemanded,
  type SessionUser,
  useSession,
} from '../../api/session.ts';
import { deniedText, paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Brand } from '../../ui/brand.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { FirstAdmin } from './first-admin.tsx';
import classes from './login.module.css';
import { SignIn } from './sign-in.tsx';

export function Login() {
  const session = useSession();
  const [arrivedSignedIn] = useState(session !== undefined);
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

/** An address such as //example.com would lead to another host. */
const isOurs = (location: Location | undefined) =>
  typeof location?.pathname === 'string' && /^\/(?![/\\])/.test(location.pathname);

type Remembered = { from?: Location; whose?: string } | null;

/** The address that was asked for before the sign-in, unless it is somebody else's or not for this role. */
function destination({ email, role }: SessionUser, remembered: Remembered): Location | string {
  const { from, whose = email } = remembered ?? {};
  const isTheirs = whose === email && from !== undefined && isOurs(from);
  return isTheirs && deniedText(role, from.pathname) === undefined ? from : paths.dashboard;
}

/** Takes who is signed in to where they wanted to be. The form stays in view until that screen is there. */
function Leave({ user }: { user: SessionUser }) {
  const navigate = useNavigate();
  const remembered: Remembered = useLocation().state;
  const [mustChangePassword] = useState(isPasswordChangeDemanded);

  const leave = useEffectEvent(() => {
    clearPasswordChangeDemand();
    if (mustChangePassword) navigate(paths.changePassword, { replace: true, state: { demanded: true } });
    else navigate(destination(user, remembered), { replace: true });
  });
  useEffect(() => leave(), []);
  return null;
}

const setupCodeIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('setup_code');

/** The printed link may also be opened where this screen is open already. */
function useSetupCode(): string | null {
  const navigate = useNavigate();
  const { hash, pathname, search, state } = useLocation();
  const [code, setCode] = useState(() => setupCodeIn(hash));

  const take = useEffectEvent((given: string) => {
    setCode(given);
    // A secret has no place in the address bar.
    navigate({ pathname, search }, { replace: true, state });
  });
  useEffect(() => {
    const given = setupCodeIn(hash);
    if (given !== null) take(given);
  }, [hash]);
  return code;
}

/** Not `useQuery`: nothing else here needs its code, and the first load must stay small. */
function useNeedsFirstAdmin() {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<boolean | 'waiting' | 'failed'>('waiting');

  const ask = useCallback(() => {
    setAnswer('waiting');
    client.fetchQuery({ ...setupStateQuery, retry: 1 }).then(
      ({ needs_first_admin }) => setAnswer(needs_first_admin),
      () => setAnswer('failed'),
    );
  }, [client]);
  useEffect(ask, [ask]);
  return { answer, tryAgain: ask };
}

function SignInOrSetup({ isLeaving }: { isLeaving: boolean }) {
  const setupCode = useSetupCode();
  const [closedText, setClosedText] = useState<string>();
  const { answer, tryAgain } = useNeedsFirstAdmin();

  if (answer === true && closedText === undefined) {
    return <FirstAdmin setupCode={setupCode ?? ''} isLeaving={isLeaving} onClosed={setClosedText} />;
  }
  // Who followed the printed link came for the other form.
  if (setupCode !== null && answer === 'waiting') return <Spinner />;
  if (setupCode !== null && answer === 'failed') {
    return <ErrorBanner text="The server does not answer." onRetry={tryAgain} />;
  }
  return <SignIn isLeaving={isLeaving} notice={closedText} />;
}
