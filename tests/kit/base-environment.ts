/** The environment of programs that tests start; they share Node's compile cache. */
export const baseEnvironment = () => ({
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
});
