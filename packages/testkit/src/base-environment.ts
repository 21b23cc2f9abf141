/** What a program that a test starts finds in its environment; what the compiler made of its code is shared. */
export const baseEnvironment = () => ({
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
});
