// Vitest runs this again for every test file.
import { afterAll, afterEach } from 'vitest';
import { endFile, endTest } from './cleanup.ts';

afterEach(endTest);
afterAll(endFile);
