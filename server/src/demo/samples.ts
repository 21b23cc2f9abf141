import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const samplesFolder = join(import.meta.dirname, '../../demo-samples');

export const readSample = (name: string) => readFileSync(join(samplesFolder, name));
