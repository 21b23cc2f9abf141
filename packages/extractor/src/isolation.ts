import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isLinux = process.platform === 'linux';

// No core dump, and at most two hours of processor time, more than 100 requests take.
const ulimits = 'ulimit -c 0; ulimit -t 7200';

const command = `${isLinux ? 'setpriv --no-new-privs ' : ''}"$@" </dev/null 4<&-`;

// Nothing is written to the input; it ends when this process ends.
const untilInputEnds = '{ read -r _ <&4; kill -KILL $reader; } 3>&- &';

/** The shell is the first process of its namespace: when it ends, the kernel kills all others there. */
const inNamespaces = `${ulimits}; exec 4<&0; ${command} & reader=$!; ${untilInputEnds} wait $reader; exit`;

/** `exec` replaces the shell, so the command has its pid. */
const alone = `${ulimits}; exec 4<&0; reader=$$; ${untilInputEnds} exec ${command}`;

/** Namespaces without network and without the other processes of the machine. */
function unshare(): string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  return [
    'unshare',
    ...asUser,
    ...['--net', '--ipc', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child'],
  ];
}

const shell = (script: string) => ['sh', '-c', script, 'sh'];

/** Containers and some distributions forbid namespaces. */
function canUnshare(): boolean {
  // largestProcess finds the process in its namespace by the list of children.
  if (!isLinux || !existsSync(`/proc/self/task/${process.pid}/children`)) return false;
  const [command = '', ...args] = [...unshare(), ...shell('exec setpriv --no-new-privs true')];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

let prefix: string[] | undefined;

/** Precedes a command, so that the kernel isolates it. */
export function isolationPrefix(): string[] {
  prefix ??= canUnshare() ? [...unshare(), ...shell(inNamespaces)] : shell(alone);
  return prefix;
}
