// Memory settings of the server, wherever it is started.

// Megabytes for short-lived objects. Node's default of up to 32, three times over, costs a hundred megabytes
// more for no gain in the benchmark.
export const memory = ['--max-semi-space-size=8'];

// Buffers of files are mapped one by one and returned to the system when freed; by default glibc stops that
// after the first large one. Other C libraries ignore these.
export const allocation = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '4194304' };
