import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const timeoutMs = 15 * 60_000;

// Another process may hold the lock, and downloads may fail.
const retryOptions = '-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3';

/**
 * For messages.
 * @param {string[]} packages
 */
export const installCommand = (packages) =>
  `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;

export const canInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/**
 * Installs packages without starting their services. Needs `canInstall`. Callers check the result themselves.
 * @param {string[]} packages
 */
export function installFromDebian(packages) {
  console.error(`Installing ${packages.join(', ')} for the tests …`);
  const command = installCommand(packages).replaceAll('apt-get', `apt-get ${retryOptions}`);
  spawnSync('sh', ['-c', `${suppressServices}${command}`], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: timeoutMs,
  });
}

/**
 * Debian starts the services it installs and creates a PostgreSQL cluster unless these files forbid it. Existing files
 * stay.
 */
const suppressServices = `
policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.d
cluster=$clusters/customer-database-tests.conf
[ -e $policy ] || own="$policy"
[ -d $clusters ] || made="$clusters"
trap 'rm -f $own $cluster; [ -z "$made" ] || rmdir --ignore-fail-on-non-empty $made' EXIT
[ -z "$own" ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy; }
mkdir -p $clusters && echo 'create_main_cluster = false' > $cluster
`;
