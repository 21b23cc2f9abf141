import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { subjectOf } from '../commands.ts';
import { openFile } from '../derived/commands.ts';
import { previewStateOf } from '../previews/commands.ts';
import type { DocumentRow } from '../repo.ts';
import { openLink } from './links.ts';
import type { SignedLink } from './signature.ts';
import { waitForFirstBytes } from './wait-for-bytes.ts';

const noPreview = () => new AppError('NOT_FOUND', 'This document has no preview');

const nameOf = ({ filename }: DocumentRow) => `${filename.replace(/\.\w+$/, '')}.pdf`;

/** A view of the document, like that of its bytes. Always sent by this server, also where LINK_MODE is s3. */
export async function sendPreview(
  ctx: Context,
  link: SignedLink,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { asUser, document } = await openLink(ctx, link);
  if (previewStateOf(ctx.deps.config, document) !== 'ready') throw noPreview();
  await recordActivity(asUser, 'document.viewed', subjectOf(document), { as: 'preview' });
  const file = await openFile(ctx.deps, document.id, 'preview');
  if (!file) throw noPreview();
  await waitForFirstBytes(file.body);
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', contentDisposition(nameOf(document), { type: 'inline' }))
    .header('content-length', file.size)
    .send(file.body);
}
