import { readConfig } from '../core/config.ts';
import { runServer } from './run-server.ts';

await runServer(() => readConfig(process.env));
