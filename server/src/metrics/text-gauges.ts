import { Gauge, type Registry } from 'prom-client';
import { prefix } from './metrics.ts';

export type TextStats = { unread: number; pictures: number };

export function watchTexts(registry: Registry, read: () => Promise<TextStats | undefined>): void {
  const waiting: Gauge<'for'> = new Gauge({
    name: `${prefix}documents_waiting`,
    help: 'Documents that await text extraction or OCR. Counted up to 10,000',
    labelNames: ['for'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const found = await read();
      waiting.reset();
      if (!found) return;
      waiting.set({ for: 'text' }, found.unread);
      waiting.set({ for: 'pictures' }, found.pictures);
    },
  });
}
