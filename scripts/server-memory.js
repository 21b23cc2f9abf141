// How the server is given memory, wherever it is started.

// Megabytes for what a request makes and drops. Node takes up to 32, three times over: it holds on to a
// hundred megabytes more for no gain that the benchmark would show.
export const memory = ['--max-semi-space-size=8'];

// Files get memory of their own, which goes back to the system with them; left to itself, glibc gives that up
// after the first large one. Other systems do not know these.
export const allocation = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '4194304' };
