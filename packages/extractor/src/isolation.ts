import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isLinux = process.platform === 'linux';

// No core dump and no file, and an hour of processor time at most.
const limits = 'ulimit -c 0; ulimit -t 3600';

/**
 * The shell is the first process of its namespace: when it ends, the kernel ends all others there. A second shell waits
 * for the end of the input, which comes when this process ends, and then ends the command.
 */
const inNamespaces = `${limits}; exec 4<&0; { read -r _ <&4; kill -KILL -1; } &
  setpriv --no-new-privs "$@" </dev/null 4<&-; exit`;

const alone = isLinux
  ? `${limits}; exec setpriv --pdeathsig KILL --no-new-privs "$@"`
  : `${limits}; exec "$@"`;

/** Without network, and without the other processes of the machine. */
function unshare(): string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  return [
    'unshare',
    ...asUser,
    ...['--net', '--ipc', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child'],
  ];
}

const shell = (script: string) => ['sh', '-c', script, 'sh'];

/** Containers and some distributions forbid it. */
function canUnshare(): boolean {
  // The memory of a process in a namespace of its own is found by the list of children.
  if (!isLinux || !existsSync(`/proc/self/task/${process.pid}/children`)) return false;
  const [command = '', ...args] = [...unshare(), ...shell('exec setpriv --no-new-privs true')];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

let prefix: string[] | undefined;

/** What a command is preceded by, so that the kernel keeps it from what it does not need. */
export function isolationPrefix(): string[] {
  prefix ??= canUnshare() ? [...unshare(), ...shell(inNamespaces)] : shell(alone);
  return prefix;
}
