import { countText } from '../core/text.ts';
import { extractAllTexts } from '../modules/documents/text/commands.ts';
import type { Command, CommandEnv } from './command.ts';
import { speedText, withInterruptibleProgress } from './progress.ts';

async function runExtraction({ ctx, signal }: CommandEnv, again: boolean): Promise<void> {
  const interrupted = 'Interrupted: the server reads the other documents later.';
  const { result, seconds } = await withInterruptibleProgress(signal, interrupted, (show) =>
    extractAllTexts(ctx, { again, signal, onText: (count) => show(`${countText(count, 'document')} read`) }),
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
