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
        this.#decode(chunk.toString('latin1', at, stop));
        return { next: end < 0 ? stop : stop + 1, ended: end >= 0 };
      }
      this.#decode(chunk.toString('latin1', at, at + slash));
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
    if (read === '/') this.#decode('/');
    else if (/^u[\da-fA-F]{4}$/.test(read))
      this.#decode(String.fromCharCode(Number.parseInt(read.slice(1), 16)));
    else this.#isBroken = true;
    return at + 1;
  }

  #decode(piece: string): void {
    if (piece === '') return;
    this.isEmpty = false;
    const text = this.#rest + piece;
    const whole = text.length - (text.length % 4);
    this.#rest = text.slice(whole);
    const aligned = text.slice(0, whole);
    if (this.#isBroken || aligned === '') return;
    this.#makeRoom((aligned.length / 4) * 3);
    const start = this.#length;
    this.#length += this.#bytes.write(aligned, start, 'base64');
    this.#isBroken = this.#isPadded || this.#bytes.toString('base64', start, this.#length) !== aligned;
    this.#isPadded = aligned.endsWith('=');
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
