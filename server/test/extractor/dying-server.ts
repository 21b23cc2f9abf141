import { once } from 'node:events';
import { startSandbox } from '@customer-database/extractor/process';
import { largestProcess } from '@customer-database/extractor/usage';
import { nestedFormsPage, pdfOf } from '@customer-database/testkit/pdf-builder';

/* Lets a process read a document for ever, and prints which process that is. */

const child = startSandbox();
await once(child, 'message');
child.send({ kind: 'text', bytes: pdfOf([nestedFormsPage()]) });
process.stdout.write(String(await largestProcess(child.pid ?? 0)));
