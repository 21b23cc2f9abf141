// Megabytes for short-lived objects. Node's default of up to 32 costs 100 MB more and gains nothing in the benchmark.
export const memory = ['--max-semi-space-size=8'];

// glibc maps the buffers of files one by one and returns them to the system when they are freed; by default it stops
// doing so after the first large one. Other C libraries ignore these variables.
export const allocation = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '4194304' };
