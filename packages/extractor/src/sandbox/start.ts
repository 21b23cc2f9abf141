import { constants, setPriority } from 'node:os';
import { type Request, started } from '../protocol.ts';
import { dropRights } from './drop-rights.ts';

/** After `prepare`, the program can load nothing more. */
type Program = {
  prepare(languages: string[]): Promise<void>;
  answer(request: Request): Promise<unknown>;
};

setPriority(constants.priority.PRIORITY_LOW);

const [program = '', ...languages] = process.argv.slice(2);
const { prepare, answer }: Program = await import(program);
await prepare(languages);
dropRights();

process.on('message', async (request: Request) => {
  process.send?.(await answer(request));
});
process.send?.(started);
