import { compoundFileSignature, openCompoundFile, readStream } from '../../compound-file.ts';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { openDoc } from './doc-header.ts';
import { textOfDoc } from './doc-text.ts';

const beginsWith = (bytes: Buffer, signature: Buffer) =>
  bytes.subarray(0, signature.length).equals(signature);

/** Files of Word 2 are not compound: they begin with the header. */
const word2Signature = Buffer.from('dba52d00', 'hex');

export const doc: Format = {
  matches: (bytes) => beginsWith(bytes, compoundFileSignature) || beginsWith(bytes, word2Signature),
  async read(bytes) {
    if (beginsWith(bytes, word2Signature)) return readingOf(textOfDoc(openDoc(() => bytes)));
    const file = openCompoundFile(bytes);
    if (!file) throw new Error('the compound file is damaged');
    return readingOf(textOfDoc(openDoc((name) => readStream(file, name))));
  },
};
