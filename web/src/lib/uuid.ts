/** `crypto.randomUUID` exists only on pages served over HTTPS. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // Version 4, variant 1.
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(digits)?.slice(1) ?? [];
  return `${parts[0]}-${parts[1]}-4${parts[2]}-8${parts[3]}-${parts[4]}`;
}
