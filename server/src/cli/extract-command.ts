import { countText } from '../core/text.ts';
import { extractAllTexts } from '../modules/documents/text/commands.ts';
import { type Command, type CommandEnv, interruptible } from './command.ts';
import { speedText, withProgress } from './progress.ts';

async function runExtraction({ ctx, signal }: CommandEnv, again: boolean): Promise<void> {
  const { result, seconds } = await withProgress((show) =>
    interruptible(signal, 'Interrupted: the server reads the other documents later.', () =>
      extractAllTexts(ctx, {
        again,
        signal,
        onText: (count) => show(`${countText(count, 'document')} read`),
      }),
    ),
  );
  console.log(`Read ${countText(result, 'document')}${speedText(result, seconds)}`);
}

export const extractCommand: Command = {
  synopsis: '[--again]',
  purpose: 'extracts text from documents that await it, or again from all',
  operands: 0,
  options: { again: { type: 'boolean' } },
  prepare:
    ({ options }) =>
    (env) =>
      runExtraction(env, options.again === true),
};
