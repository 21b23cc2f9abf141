import iconv from 'iconv-lite';

// Between them they need all tables that iconv-lite would load when it meets an encoding.
const encodings = ['shiftjis', 'eucjp', 'gb18030', 'cp949', 'big5hkscs'];

export function loadCodePages(): void {
  for (const encoding of encodings) {
    if (!iconv.encodingExists(encoding)) throw new Error(`iconv-lite lacks ${encoding}`);
  }
}
