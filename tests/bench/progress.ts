const began = Date.now();

/** Says on the terminal what is done now, and how long it has been going on. */
export function progress(text: string): void {
  console.error(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${text}`);
}
