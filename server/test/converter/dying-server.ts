import { createLibreOffice } from '../../src/converter/libreoffice.ts';
import { conversionLimits } from '../../src/converter/open.ts';

/* Converts with the program that it is given, which does not end. */

const [program = ''] = process.argv.slice(2);
void createLibreOffice({ program, hidden: [] }, conversionLimits).convert(Buffer.from('x'), '.doc');
