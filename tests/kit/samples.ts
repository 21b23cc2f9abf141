import type { DemoFileKind } from '../../server/src/demo/papers.ts';
import { readSample } from '../../server/src/demo/samples.ts';

/** A real file of each accepted kind. */
export const samples: Record<DemoFileKind, Buffer> = {
  pdf: readSample('invoice-en.pdf'),
  docx: readSample('offer-en.docx'),
  doc: readSample('letter-en.doc'),
  txt: readSample('call-log-en.txt'),
};
