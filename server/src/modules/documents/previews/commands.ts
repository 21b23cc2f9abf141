import { documentTypes, type PreviewState } from '@customer-database/contract/documents';
import type { Config } from '../../../core/config.ts';
import type { Context } from '../../../core/context.ts';
import type { DocumentRow } from '../repo.ts';
import { wakePreviews } from './jobs.ts';
import * as repo from './repo.ts';

const wordTypes: string[] = [documentTypes['.docx'], documentTypes['.doc']];

type Facts = Pick<DocumentRow, 'mime_type' | 'is_protected' | 'has_preview' | 'preview_was_tried'>;

export function previewStateOf({ docxPreview }: Config, document: Facts): PreviewState {
  const isWord = wordTypes.includes(document.mime_type) && !document.is_protected;
  if (docxPreview !== 'libreoffice' || !isWord) return 'none';
  if (document.has_preview) return 'ready';
  return document.preview_was_tried ? 'none' : 'waiting';
}

/** For who uploads or views a document: has its preview made, unless there is one or it failed. */
export async function wantPreview(
  { deps, db, actor }: Context,
  document: Facts & { id: number },
): Promise<void> {
  if (previewStateOf(deps.config, document) !== 'waiting') return;
  await repo.requestPreview(db, document.id, { user: actor.id ?? 0, now: deps.clock.now() });
  wakePreviews(deps);
}
