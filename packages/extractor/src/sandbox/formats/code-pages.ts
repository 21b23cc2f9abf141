import iconv from 'iconv-lite';

// Together they load all tables that iconv-lite otherwise loads on demand.
const encodings = ['shiftjis', 'eucjp', 'gb18030', 'cp949', 'big5hkscs'];

export function loadCodePages(): void {
  for (const encoding of encodings) {
    if (!iconv.encodingExists(encoding)) throw new Error(`iconv-lite lacks ${encoding}`);
  }
}
