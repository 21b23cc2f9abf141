const backslash = 0x5c;
const quote = 0x22;
const slash = 0x2f;
const letterU = 0x75;

/** Characters that stood between escapes, until there are enough to decode; no upload keeps anything here. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);

/** -1 for what is none. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : -1;
}

/**
 * Takes base64 in pieces as they arrive, in the form it has inside a JSON string. Decoding a whole file at
 * its end would keep everybody else waiting meanwhile. Only what encodes back to the same text is accepted.
 */
export class Base64Decoder {
  #bytes: Buffer;
  #length = 0;
  /** Fewer than four characters that wait for the next piece. */
  #rest = '';
  /** How much of an escape was read: 1 is its backslash, 2 is \u, 3 to 5 are digits after that. */
  #escapeLength = 0;
  #escapeCode = 0;
  #isPadded = false;
  #isBroken = false;

  /** In one piece from the start where its size is known: a copy at the end would need twice the memory. */
  constructor(expectedLength: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedLength);
  }

  /** Reads up to the end of the string; says how many bytes it took, and whether the string ended there. */
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

  /** Undefined when it was no base64. */
  bytes(): Buffer | undefined {
    return this.#isBroken || this.#rest !== '' ? undefined : this.#bytes.subarray(0, this.#length);
  }

  /** Byte by byte: with a search for each escape, a piece full of them would be read thousands of times over. */
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

  /** The character that ends here, if one does. Of all escapes only \/ and \u can stand for one of base64. */
  #readEscape(byte: number): number | undefined {
    if (this.#escapeLength === 1 && byte === letterU) {
      this.#escapeLength = 2;
      this.#escapeCode = 0;
      return undefined;
    }
    const digit = hexDigit(byte);
    if (this.#escapeLength === 1 || digit < 0) {
      this.#isBroken ||= this.#escapeLength > 1 || byte !== slash;
      this.#escapeLength = 0;
      return this.#isBroken ? undefined : slash;
    }
    this.#escapeCode = this.#escapeCode * 16 + digit;
    this.#escapeLength = this.#escapeLength === 5 ? 0 : this.#escapeLength + 1;
    if (this.#escapeLength > 0) return undefined;
    this.#isBroken ||= this.#escapeCode > 0xff;
    return this.#escapeCode;
  }

  /** Four characters at a time; those of the piece that begin or end between two fours are put together. */
  #decode(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    const start = Math.min(to, from + ((4 - this.#rest.length) % 4));
    this.#rest += chunk.toString('latin1', from, start);
    if (this.#rest.length === 4) {
      this.#decodeFours(this.#rest);
      this.#rest = '';
    }
    const end = start + 4 * Math.floor((to - start) / 4);
    if (start < end) this.#decodeFours(chunk.toString('latin1', start, end));
    this.#rest += chunk.toString('latin1', end, to);
  }

  #decodeFours(text: string): void {
    if (this.#isBroken) return;
    this.#makeRoom((text.length / 4) * 3);
    const start = this.#length;
    const written = this.#bytes.write(text, start, 'base64');
    this.#length += written;
    this.#isBroken = this.#isPadded || !this.#isExactly(text, start, written);
    this.#isPadded = text.endsWith('=');
  }

  /** Node leaves out what it does not know, and takes two characters that belong to another kind of base64. */
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
