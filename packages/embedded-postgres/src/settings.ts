import { totalmem } from 'node:os';

const megabyte = 1024 * 1024;

/** On the command line, settings take precedence over the configuration files of the cluster. */
export function postgresSettings(port: number): string[] {
  const memory = availableMemory();
  const settings = {
    // Reachable from this machine only, and only with the password.
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',

    // The defaults, which make commits durable.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    // An eighth of the memory, not the recommended quarter, as the server and its uploads need some too.
    shared_buffers: `${clamp(memory / 8, 128, 1024)}MB`,
    // Tells the planner that the operating system caches about half of the memory's size.
    effective_cache_size: `${clamp(memory / 2, 256, 16_384)}MB`,
    // Room for sorting a result page or a trigram search in memory; the default of 4 MB spills to disk.
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    // On SSDs random reads cost about as much as sequential ones.
    random_page_cost: '1.1',
    // Compiling short queries costs more than running them.
    jit: 'off',
    // Starting workers takes longer than most queries, and with concurrent users a query on all cores delays the
    // others. Index builds still use workers.
    max_parallel_workers_per_gather: '0',
    // Half the default: less disk space, and less to replay after a crash.
    max_wal_size: '512MB',

    // Containers have a tiny /dev/shm, and systemd empties it when a user logs out. The first 16 MB need no file.
    dynamic_shared_memory_type: 'mmap',
    min_dynamic_shared_memory: '16MB',

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // explainExit looks for this pid.
    log_line_prefix: '%m [%p] ',
    // Checkpoints would add a line every five minutes.
    log_checkpoints: 'off',
    // Error details quote the row; personal data does not belong in a log.
    log_error_verbosity: 'terse',

    // abandoned.ts checks whether this process is alive.
    [ownerSetting]: String(process.pid),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export const ownerSetting = 'customer_database.owner_pid';

/** In megabytes, respecting container limits. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) / megabyte;
}

function clamp(value: number, min: number, max: number): number {
  return Math.round(Math.min(Math.max(value, min), max));
}
