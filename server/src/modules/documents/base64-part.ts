const backslash = 0x5c;
const quote = 0x22;

/**
 * Takes base64 in pieces as they arrive, in the form it has inside a JSON string. Decoding a whole file at
 * its end would keep everybody else waiting meanwhile. Only what encodes back to the same text is accepted.
 */
export class Base64Part {
  #bytes: Buffer;
  #length = 0;
  /** Fewer than four characters that wait for the next piece. */
  #rest = '';
  #escape: string | undefined;
  #isPadded = false;
  #isBroken = false;
  isEmpty = true;

  /** In one piece from the start where its size is known: a copy at the end would need twice the memory. */
  constructor(expectedLength: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedLength);
  }

  get isBroken(): boolean {
    return this.#isBroken || this.#rest !== '';
  }

  /** Reads up to the end of the string; says how many bytes it took, and whether the string ended there. */
  take(chunk: Buffer, from: number): { next: number; ended: boolean } {
    let at = from;
    while (at < chunk.length) {
      if (this.#escape !== undefined) {
        at = this.#readEscape(chunk, at);
        continue;
      }
      const end = chunk.indexOf(quote, at);
      const stop = end < 0 ? chunk.length : end;
      const slash = chunk.subarray(at, stop).indexOf(backslash);
      if (slash < 0) {
        this.#decode(chunk, at, stop);
        return { next: end < 0 ? stop : stop + 1, ended: end >= 0 };
      }
      this.#decode(chunk, at, at + slash);
      this.#escape = '';
      at += slash + 1;
    }
    return { next: at, ended: false };
  }

  /** Undefined when it was no base64. */
  bytes(): Buffer | undefined {
    return this.isBroken ? undefined : this.#bytes.subarray(0, this.#length);
  }

  /** Of all that JSON can escape, only these two can stand for a character of base64. */
  #readEscape(chunk: Buffer, at: number): number {
    const read = (this.#escape ?? '') + String.fromCharCode(chunk[at] ?? 0);
    const isUnfinished = /^u[\da-fA-F]{0,3}$/.test(read);
    this.#escape = isUnfinished ? read : undefined;
    if (isUnfinished) return at + 1;
    if (read === '/') this.#decode(Buffer.from('/'), 0, 1);
    else if (/^u00[\da-fA-F]{2}$/.test(read)) this.#decode(Buffer.from(read.slice(3), 'hex'), 0, 1);
    else this.#isBroken = true;
    return at + 1;
  }

  /** Four characters at a time; those of the piece that begin or end between two fours are put together. */
  #decode(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    this.isEmpty = false;
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
