import type { TextPage } from './commands.ts';

export function presentTextPage(page: TextPage): { page: number; text: string; waiting: boolean } {
  return { page: page.page, text: page.content, waiting: page.is_picture };
}
