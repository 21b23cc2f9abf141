import type { DemoFileKind } from '../../src/demo/papers.ts';
import { readSample } from '../../src/demo/samples.ts';

/** A real file of each kind that the product takes. */
export const samples: Record<DemoFileKind, Buffer> = {
  pdf: readSample('invoice-en.pdf'),
  docx: readSample('offer-en.docx'),
  doc: readSample('letter-en.doc'),
  txt: readSample('call-log-en.txt'),
};
