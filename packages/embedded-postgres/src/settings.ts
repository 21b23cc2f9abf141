import { totalmem } from 'node:os';

const MEGABYTE = 1024 * 1024;

/** Settings given on the command line, where nothing written into the cluster can override them. */
export function postgresSettings(port: number): string[] {
  const memory = availableMemory();
  const settings = {
    // Reachable from this machine only, and only with the password.
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',

    // What is committed is on the disk. These are the defaults; they are not up for change.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    // An eighth of the memory (PostgreSQL's advice is a quarter), as the server and its uploads live here too.
    shared_buffers: `${clamp(memory / 8, 128, 1024)}MB`,
    // Tells the planner that the operating system's cache holds about half of the memory's worth of data.
    effective_cache_size: `${clamp(memory / 2, 256, 16_384)}MB`,
    // Room for sorting a result page or a trigram search in memory; the default of 4 MB spills to disk.
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    // Disks are solid state today: reading here and there costs about as much as reading in a row.
    random_page_cost: '1.1',
    // Compiling short queries costs more than running them.
    jit: 'off',
    // Several people ask at once: one answer spread over all cores would keep the others waiting, and
    // starting the workers takes longer than most answers. Building an index still uses them.
    max_parallel_workers_per_gather: '0',
    // Half the default: less disk in use, and less to replay after a crash.
    max_wal_size: '512MB',

    // Containers have a tiny /dev/shm, and systemd empties it when a user logs out. The first 16 MB need no file.
    dynamic_shared_memory_type: 'mmap',
    min_dynamic_shared_memory: '16MB',

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // The log reader looks for this process number.
    log_line_prefix: '%m [%p] ',
    // Every five minutes a line that says nothing new.
    log_checkpoints: 'off',
    // Details of an error quote the row it is about; people's data does not belong in a log.
    log_error_verbosity: 'terse',

    // Lets a newcomer see whether the server that started this PostgreSQL still lives.
    [OWNER_SETTING]: String(process.pid),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export const OWNER_SETTING = 'customer_database.owner_pid';

/** In megabytes; inside a container what the container may use. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) / MEGABYTE;
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.min(Math.max(value, least), most));
}
