import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isLinux = process.platform === 'linux';

// No core dump, and two hours of processor time at most: more than a hundred requests may take.
const ulimits = 'ulimit -c 0; ulimit -t 7200';

const command = `${isLinux ? 'setpriv --no-new-privs ' : ''}"$@" </dev/null 4<&-`;

// The input ends when this process ends, however that happens: nothing is ever written to it.
const untilInputEnds = '{ read -r _ <&4; kill -KILL $reader; } 3>&- &';

/** The shell is the first process of its namespace: when it ends, the kernel ends all others there. */
const inNamespaces = `${ulimits}; exec 4<&0; ${command} & reader=$!; ${untilInputEnds} wait $reader; exit`;

/** The command takes the place of the shell, and so has its number. */
const alone = `${ulimits}; exec 4<&0; reader=$$; ${untilInputEnds} exec ${command}`;

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
  // The memory of a process in another namespace is found by the list of children.
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
