import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const TIMEOUT_MS = 15 * 60_000;

// Somebody else may be installing, and lines break.
const PATIENTLY = '-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3';

/**
 * What people would type.
 * @param {string[]} packages
 */
export const installCommand = (packages) =>
  `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;

export const canInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/**
 * Installs packages and starts no service. Only where `canInstall`; whether they are there then is for others to look.
 * @param {string[]} packages
 */
export function installFromDebian(packages) {
  console.error(`Installing ${packages.join(', ')} for the tests …`);
  const command = installCommand(packages).replaceAll('apt-get', `apt-get ${PATIENTLY}`);
  spawnSync('sh', ['-c', `${WITHOUT_SERVICES}${command}`], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: TIMEOUT_MS,
  });
}

/**
 * Debian starts the services of what it installs and makes a database for PostgreSQL, unless these files say no. Those
 * that are there already stay.
 */
const WITHOUT_SERVICES = `
policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.d
cluster=$clusters/customer-database-tests.conf
[ -e $policy ] || own="$policy"
[ -d $clusters ] || made="$clusters"
trap 'rm -f $own $cluster; [ -z "$made" ] || rmdir --ignore-fail-on-non-empty $made' EXIT
[ -z "$own" ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy; }
mkdir -p $clusters && echo 'create_main_cluster = false' > $cluster
`;
