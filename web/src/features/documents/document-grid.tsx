import type { Document } from '@customer-database/contract/documents';
import { Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { invalidateDocuments, isExpiredLink, thumbnailOf } from '../../api/documents.ts';
import { formatFileSize } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink } from '../../ui/user-text.tsx';
import classes from './document-grid.module.css';

type DocumentGridProps = {
  /** Undefined while loading. */
  documents: Document[] | undefined;
  stale: boolean;
  withCustomer: boolean;
  actions: (document: Document) => ReactNode;
};

const skeletons = [1, 2, 3, 4, 5, 6];

export function DocumentGrid({ documents, stale, withCustomer, actions }: DocumentGridProps) {
  const client = useQueryClient();
  return (
    <ul className={classes.grid} aria-label="Documents" data-stale={stale || undefined}>
      {documents?.map((document) => {
        const url = thumbnailOf(document);
        return (
          <li key={document.id} className={classes.card} data-record>
            <Link to={paths.document(document.id)} tabIndex={-1} aria-hidden>
              <Thumbnail
                url={url}
                mimeType={document.mime_type}
                onFailure={() => url && isExpiredLink(url) && void invalidateDocuments(client)}
              />
            </Link>
            <div className={classes.about}>
              <UserLink to={paths.document(document.id)} fw={550}>
                {document.filename}
              </UserLink>
              {withCustomer && (
                <UserLink to={paths.customer(document.customer_id)}>{document.customer_name}</UserLink>
              )}
              <div className={classes.facts}>
                <TimeText value={document.uploaded_at} /> · {formatFileSize(document.file_size)}
              </div>
            </div>
            <div className={classes.actions}>{actions(document)}</div>
          </li>
        );
      })}
      {documents === undefined && skeletons.map((key) => <Skeleton key={key} component="li" height={290} />)}
    </ul>
  );
}
