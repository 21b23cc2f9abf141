const backslash = 0x5c;
const quote = 0x22;

/**
 * Takes base64 in pieces as they arrive, in the form it has inside a JSON string. Decoding a whole file at
 * its end would keep everybody else waiting meanwhile. Only what encodes back to the same text is accepted.
 */
export class Base64Part {
  readonly #parts: Buffer[] = [];
  /** Fewer than four characters that wait for the next piece. */
  #rest = '';
  #escape: string | undefined;
  #isPadded = false;
  #isBroken = false;
  isEmpty = true;

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
    return this.isBroken ? undefined : Buffer.concat(this.#parts);
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
    const bytes = Buffer.from(aligned, 'base64');
    this.#isBroken = this.#isPadded || bytes.toString('base64') !== aligned;
    this.#isPadded = aligned.endsWith('=');
    if (!this.#isBroken) this.#parts.push(bytes);
  }
}
