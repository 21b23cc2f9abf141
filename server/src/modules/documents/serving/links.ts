import { limits } from '@customer-database/contract/limits';
import { create as contentDisposition } from 'content-disposition';
import type { Context, SignedInContext } from '../../../core/context.ts';
import { AppError } from '../../../http/errors.ts';
import { findUserById } from '../../accounts/commands.ts';
import { recordActivity } from '../../activity/commands.ts';
import { recordRefusal } from '../../activity/refusals.ts';
import { getDocument, subjectOf } from '../commands.ts';
import { wantPreview } from '../previews/commands.ts';
import { type DocumentRow, findDocument } from '../repo.ts';
import { isGenuineLink, type LinkClaims, type LinkPurpose, type SignedLink, signLink } from './signature.ts';

// The clocks of the servers of one installation may differ by this much.
const clockToleranceSeconds = 60;

export type IssuedLink = { url: string; filename: string; expiresAt: Date };

export function dispositionOf(document: DocumentRow, purpose: LinkPurpose): string {
  return contentDisposition(document.filename, { type: purpose === 'view' ? 'inline' : 'attachment' });
}

export function contentTypeOf(document: DocumentRow): string {
  return document.charset ? `${document.mime_type}; charset=${document.charset}` : document.mime_type;
}

const nowInSeconds = ({ deps }: Context) => Math.floor(deps.clock.now().getTime() / 1000);

/** The signed part of the query of a link. */
function signedQuery(
  { deps, signedIn }: SignedInContext,
  link: Pick<LinkClaims, 'documentId' | 'purpose' | 'expires'>,
): string {
  const { user, linkGeneration: generation } = signedIn;
  const signature = signLink(deps.keys.links, { ...link, user: user.id, generation });
  const ofGeneration = generation > 0 ? `&generation=${generation}` : '';
  return `user=${user.id}${ofGeneration}&expires=${link.expires}&signature=${signature}`;
}

// Thumbnail links change only so often, so that the browser cache can reuse the pictures.
const thumbnailLinkSeconds = 5 * 60;

/** Not recorded, because a thumbnail shows less of a document than a search does. */
export function thumbnailUrl(ctx: SignedInContext, documentId: number): string {
  const now = nowInSeconds(ctx);
  const expires = now - (now % thumbnailLinkSeconds) + limits.linkLifetimeSeconds;
  return `/api/documents/${documentId}/thumbnail?${signedQuery(ctx, { documentId, purpose: 'thumbnail', expires })}`;
}

/** A presigned link of the object store; undefined unless LINK_MODE is s3. */
export async function storeLink(
  { deps: { config, storage } }: Context,
  document: DocumentRow,
  purpose: LinkPurpose,
  expiresInSeconds: number,
): Promise<string | undefined> {
  if (config.linkMode !== 's3') return undefined;
  return storage.presign?.({
    key: document.storage_key,
    expiresInSeconds,
    contentType: contentTypeOf(document),
    contentDisposition: dispositionOf(document, purpose),
  });
}

/** A link for this user, document and purpose, valid for 15 minutes. */
export async function issueLink(
  ctx: SignedInContext,
  id: number,
  purpose: LinkPurpose,
  origin: string,
): Promise<IssuedLink> {
  const document = await getDocument(ctx, id);
  const expires = nowInSeconds(ctx) + limits.linkLifetimeSeconds;
  const own = `${origin}/api/documents/${id}/content?purpose=${purpose}&${signedQuery(ctx, { documentId: id, purpose, expires })}`;
  // A view link always points at this server, which sends the viewer.
  const url =
    purpose === 'view' ? own : ((await storeLink(ctx, document, purpose, limits.linkLifetimeSeconds)) ?? own);
  await recordActivity(ctx, 'document.link_issued', subjectOf(document), { purpose });
  return { url, filename: document.filename, expiresAt: new Date(expires * 1000) };
}

function invalidLink(): AppError {
  const text = 'This link has expired or is not valid. Open the document again to get a new one.';
  return new AppError('LINK_INVALID', text);
}

/** Whether the link has expired, or is valid for so long that the clock must have been set back. */
function isExpired(ctx: Context, { expires }: LinkClaims): boolean {
  const secondsLeft = expires - ctx.deps.clock.now().getTime() / 1000;
  return secondsLeft <= 0 || secondsLeft > limits.linkLifetimeSeconds + clockToleranceSeconds;
}

/** The document of a valid link, and a context of the user to whom the link was issued. */
export async function openLink(
  ctx: Context,
  link: SignedLink,
): Promise<{ asUser: Context; document: DocumentRow }> {
  if (!isGenuineLink(ctx.deps.keys.links, link)) throw invalidLink();
  const user = await findUserById(ctx.db, link.user);
  const asUser = { ...ctx, actor: { id: user?.id ?? null, label: user?.name ?? 'unknown' } };
  const isOpen =
    !isExpired(ctx, link) && user?.disabled_at === null && user.link_generation === (link.generation ?? 0);
  const document = await findDocument(ctx.db, link.documentId);
  if (!isOpen || !document) {
    const deleted = { type: 'document', id: link.documentId, label: null } as const;
    const subject = document ? subjectOf(document) : deleted;
    await recordRefusal(asUser, 'link.refused', subject, { purpose: link.purpose });
    throw invalidLink();
  }
  return { asUser, document };
}

/** The document of a valid link, after the access was recorded. */
export async function openLinkToContent(
  ctx: Context,
  link: SignedLink,
  purpose: 'download' | 'view',
  request: { method: string; range: string | undefined },
): Promise<DocumentRow> {
  const { asUser, document } = await openLink(ctx, link);
  const action = purpose === 'view' ? 'document.viewed' : 'document.downloaded';
  await recordActivity(asUser, action, subjectOf(document), request);
  if (purpose === 'view') await wantPreview(asUser, document);
  return document;
}
