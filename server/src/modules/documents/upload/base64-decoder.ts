const backslash = 0x5c;
const quote = 0x22;
const slash = 0x2f;
const letterU = 0x75;

/** Collects characters between escapes until there are enough to decode; shared, as no upload keeps anything here. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);

/** -1 for anything else. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : -1;
}

/**
 * Decodes base64 inside a JSON string, chunk by chunk. Decoding a whole file at its end would block all other
 * requests. Only what encodes back to the same text is accepted.
 */
export class Base64Decoder {
  #bytes: Buffer;
  #length = 0;
  /** Fewer than four characters that wait for the next chunk. */
  #rest = '';
  /** How much of an escape was read: 1 for the backslash, 2 for \u, 3 to 5 for its digits. */
  #escapeLength = 0;
  #escapeCode = 0;
  #isPadded = false;
  #isInvalid = false;

  /** Allocated once if the size is known: a copy at the end would need twice the memory. */
  constructor(expectedLength: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedLength);
  }

  /** Reads to the end of the string at most; returns where it stopped and whether the string ended. */
  take(chunk: Buffer, from: number): { next: number; ended: boolean } {
    let at = from;
    if (this.#escapeLength === 0) {
      const end = chunk.indexOf(quote, from);
      const plain = chunk.subarray(from, end < 0 ? chunk.length : end);
      const firstEscape = plain.indexOf(backslash);
      at += firstEscape < 0 ? plain.length : firstEscape;
      this.#decode(chunk, from, at);
      if (firstEscape < 0) return { next: end < 0 ? at : at + 1, ended: end >= 0 };
    }
    return this.#takeWithEscapes(chunk, at);
  }

  /** Undefined when it was not base64. */
  bytes(): Buffer | undefined {
    return this.#isInvalid || this.#rest !== '' ? undefined : this.#bytes.subarray(0, this.#length);
  }

  /** Byte by byte: searching for each escape would read a chunk full of them thousands of times. */
  #takeWithEscapes(chunk: Buffer, from: number): { next: number; ended: boolean } {
    let held = 0;
    let at = from;
    let ended = false;
    for (; at < chunk.length && !ended; at += 1) {
      const byte = chunk[at] ?? 0;
      let character: number | undefined;
      if (this.#escapeLength > 0) character = this.#readEscape(byte);
      else if (byte === backslash) this.#escapeLength = 1;
      else if (byte === quote) ended = true;
      else character = byte;
      if (character !== undefined) scratch[held++] = character;
      if (held === scratch.length) {
        this.#decode(scratch, 0, held);
        held = 0;
      }
    }
    this.#decode(scratch, 0, held);
    return { next: at, ended };
  }

  /** The character that ends here, if any. Only the escapes \/ and \u can stand for base64. */
  #readEscape(byte: number): number | undefined {
    if (this.#escapeLength === 1 && byte === letterU) {
      this.#escapeLength = 2;
      this.#escapeCode = 0;
      return undefined;
    }
    const digit = hexDigit(byte);
    if (this.#escapeLength === 1 || digit < 0) {
      this.#isInvalid ||= this.#escapeLength > 1 || byte !== slash;
      this.#escapeLength = 0;
      return this.#isInvalid ? undefined : slash;
    }
    this.#escapeCode = this.#escapeCode * 16 + digit;
    this.#escapeLength = this.#escapeLength === 5 ? 0 : this.#escapeLength + 1;
    if (this.#escapeLength > 0) return undefined;
    this.#isInvalid ||= this.#escapeCode > 0xff;
    return this.#escapeCode;
  }

  /** Decodes groups of four characters, joining those that are split between chunks. */
  #decode(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    const start = Math.min(to, from + ((4 - this.#rest.length) % 4));
    this.#rest += chunk.toString('latin1', from, start);
    if (this.#rest.length === 4) {
      this.#decodeGroups(this.#rest);
      this.#rest = '';
    }
    const end = start + 4 * Math.floor((to - start) / 4);
    if (start < end) this.#decodeGroups(chunk.toString('latin1', start, end));
    this.#rest += chunk.toString('latin1', end, to);
  }

  #decodeGroups(text: string): void {
    if (this.#isInvalid) return;
    this.#makeRoom((text.length / 4) * 3);
    const start = this.#length;
    const written = this.#bytes.write(text, start, 'base64');
    this.#length += written;
    this.#isInvalid = this.#isPadded || !this.#isExactly(text, start, written);
    this.#isPadded = text.endsWith('=');
  }

  /** Node skips unknown characters, and accepts the two of base64url. */
  #isExactly(text: string, start: number, written: number): boolean {
    const isPlain = written === (text.length / 4) * 3 && !text.includes('-') && !text.includes('_');
    return isPlain || this.#bytes.toString('base64', start, this.#length) === text;
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
