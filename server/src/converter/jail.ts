import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { profileSettings } from './profile.ts';

/** The system's programs, libraries, fonts and their configuration: nothing of this application. */
const visiblePaths = [
  ...['/bin', '/lib', '/lib64', '/sbin'],
  ...['/usr/bin', '/usr/lib', '/usr/lib64', '/usr/libexec', '/usr/share', '/usr/local/share/fonts'],
  ...['/etc/ld.so.cache', '/etc/fonts', '/etc/libreoffice', '/etc/alternatives'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice'],
];

/** Of the extractor's user (65534) it is independent: the limit of processes counts those of one user. */
const userId = 65_533;

/** For the document, the profile, temporary files and the PDF, all of which are in memory. */
const folderMegabytes = 256;
const maxProcesses = 128;
const maxOpenFiles = 512;

export type JailLimits = {
  /** Processor time of one conversion. */
  cpuMs: number;
  /** Longer than `cpuMs`: on a busy machine the process waits for a processor. */
  timeoutMs: number;
  maxResidentBytes: number;
  maxPdfBytes: number;
};

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function mountOf(path: string): string[] {
  if (!existsSync(path)) return [];
  const stat = lstatSync(path);
  if (stat.isSymbolicLink() || stat.isFile()) return [`copy:${path}`];
  return [`show:${path}`];
}

/** What the jail consists of. `hidden` are folders of this application, which may be in a folder of the system. */
export function mountsFor(program: string, hidden: string[]): string[] {
  const ofProgram = dirname(dirname(program));
  const isVisible = visiblePaths.some((path) => isWithin(program, path));
  const paths = isVisible ? visiblePaths : [...visiblePaths, ofProgram];
  const covered = hidden
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder))
    .filter((folder) => paths.some((path) => relative(path, folder) !== '' && isWithin(folder, path)));
  return [...paths.flatMap(mountOf), ...covered.map((folder) => `hide:${folder}`)];
}

/**
 * Runs as the first process of the namespaces, which have no network. Makes a file system in memory, which shows
 * nothing of this machine but its programs, and disappears with the last process. Then waits: its end ends all others.
 * The input brings the document, and ends when the server does. /mnt is any folder that is not needed here.
 */
const outside = `set -eu
bytes=$1 settings=$2 inside=$3 limits=$4 user=$5
shift 5
echo 1000 >/proc/self/oom_score_adj || :
mount -t tmpfs -o size=${folderMegabytes}m,nr_inodes=20k,mode=755,nosuid,nodev tmpfs /mnt
cd /mnt
mkdir -p etc dev proc tmp/profile/user
for entry; do
  path=\${entry#*:}
  case $entry in
    show:*) mkdir -p ".$path"; mount -o bind,ro,nosuid,nodev "$path" ".$path" ;;
    copy:*) mkdir -p ".\${path%/*}"; cp -P "$path" ".$path" ;;
    hide:*) mount -t tmpfs -o ro,size=4k,mode=000 tmpfs ".$path" ;;
  esac
done
for device in null urandom; do touch dev/$device; mount -o bind /dev/$device dev/$device; done
mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc proc
printf '%s' "$settings" >tmp/profile/user/registrymodifications.xcu
head -c "$bytes" >tmp/document
chmod 777 tmp tmp/profile tmp/profile/user
chmod 666 tmp/document tmp/profile/user/*
exec 4<&0
chroot . prlimit $limits nice -n 19 env -i HOME=/tmp LANG=C.UTF-8 PATH=/usr/bin:/bin SAL_USE_VCLPLUGIN=svp \
  setpriv $user --no-new-privs --inh-caps=-all --bounding-set=-all sh -c "$inside" </dev/null 4<&- &
confined=$!
{ read -r _ <&4; kill -KILL $confined; } >/dev/null &
wait $confined`;

/** What the jail writes before anything of LibreOffice runs. */
export const readyMark = 'ready\n';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs without rights. */
const insideOf = (program: string, work: string) => `printf '${readyMark.trim()}\\n'
cd /tmp
office() { ${quoted(program)} -env:UserInstallation=file:///tmp/profile "$@" >/dev/null 2>&1; }
${work}`;

export const startOnly = 'office --version';

export function conversionOf(extension: string, filter: string | undefined): string {
  const name = `document${extension}`;
  const reading = filter ? `--infilter=${quoted(filter)}` : '';
  return `mv document ${name}
office --headless --norestore --nologo --nodefault ${reading} --convert-to pdf:writer_pdf_Export ${name}
cat document.pdf`;
}

export type JailOptions = { program: string; mounts: string[]; limits: JailLimits };

/** The command for a document of this many bytes, which its input brings. */
export function jailCommand({ program, mounts, limits }: JailOptions, bytes: number, work: string): string[] {
  const isRoot = process.getuid?.() === 0;
  const resources = [
    '--core=0',
    // In case that this server cannot measure it.
    `--cpu=${Math.ceil(limits.cpuMs / 1000) + 2}`,
    // Libraries and reserved addresses count too, memory that is used is measured from outside.
    `--as=${2 * limits.maxResidentBytes}`,
    // A PDF of this size is too large: one that was cut off must not look complete.
    `--fsize=${limits.maxPdfBytes + 1}`,
    `--nproc=${maxProcesses}`,
    `--nofile=${maxOpenFiles}`,
  ];
  const user = isRoot ? `--reuid=${userId} --regid=${userId} --clear-groups` : '';
  return [
    ...['setpriv', '--pdeathsig', 'KILL', 'unshare', ...(isRoot ? [] : ['--user', '--map-root-user'])],
    ...['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', outside, 'sh'],
    ...[String(bytes), profileSettings, insideOf(program, work), resources.join(' '), user, ...mounts],
  ];
}
