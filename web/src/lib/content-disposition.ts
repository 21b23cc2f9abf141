/** Matches parameters in order, because a quoted value may contain what looks like the next parameter. */
const parameter = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

/** `UTF-8''na%C3%AFve.txt` (RFC 8187); undefined if malformed. */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  try {
    if (/^utf-8$/i.test(charset)) return decodeURIComponent(encoded);
    if (!/^iso-8859-1$/i.test(charset)) return undefined;
    return encoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  } catch {
    return undefined;
  }
}

/** The filename in a `Content-Disposition` header (RFC 6266); undefined if there is none. */
export function parseFilename(header: string | null): string | undefined {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of (header ?? '').matchAll(parameter)) {
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token);
  }
  return decodeExtended(found.get('filename*') ?? '') || found.get('filename') || undefined;
}
