import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

type Wanted = {
  /** What people call it. */
  name: string;
  package: string;
  isInstalled(): boolean;
};

/**
 * Installs what tests need from Debian where it is missing and can be; asked once a run, before any
 * test. Empty when it is there, else the text that says what to do. Throws where leaving tests out is
 * not acceptable.
 */
export function whyMissing(wanted: Wanted): string {
  if (wanted.isInstalled()) return '';
  try {
    install(wanted);
    return '';
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

function install(wanted: Wanted): void {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${wanted.package}`;
  const manually = `${wanted.name} is missing. As root on Debian or Ubuntu: ${command}`;
  if (userInfo().uid !== 0 || !existsSync('/etc/debian_version')) throw new Error(manually);
  try {
    execFileSync('sh', ['-c', `${WITHOUT_SERVICES}${command}`], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'pipe',
      timeout: 10 * 60_000,
    });
  } catch (cause) {
    throw new Error(`${manually} (tried, and failed)`, { cause });
  }
  if (!wanted.isInstalled()) throw new Error(`${manually} (tried, and it is still not there)`);
}

/** Debian starts the services of what it installs, unless this file says no; one that is there already stays. */
const WITHOUT_SERVICES = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
`;
