import { type PrintJob, printFrame } from './print.ts';

const styles = `
  @page { margin: 2cm; }
  body { margin: 0; font: 11pt/1.45 sans-serif; }
  div { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** One text after the other: where pages of a text end says nothing about paper. */
export function printText(loadAll: () => Promise<string[]>, { signal }: PrintJob): Promise<void> {
  return printFrame(styles, signal, async (sheet) => {
    for (const text of await loadAll()) {
      const block = sheet.createElement('div');
      block.dir = 'auto';
      block.textContent = text;
      sheet.body.append(block);
    }
  });
}
