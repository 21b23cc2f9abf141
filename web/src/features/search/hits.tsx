import type { Customer } from '@customer-database/contract/customers';
import type { Document } from '@customer-database/contract/documents';
import type { FoundPage } from '@customer-database/contract/search';
import type { Term } from '@customer-database/words/question';
import { snippetOf } from '@customer-database/words/snippet';
import { Anchor } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { thumbnailOf } from '../../api/documents.ts';
import { paths } from '../../lib/paths.ts';
import { FileTypeIcon } from '../../ui/file-types.tsx';
import { followFirstLink } from '../../ui/follow-first-link.ts';
import { hoverThumbnail } from '../../ui/hover-thumbnail.tsx';
import { MarkedText, partsOf } from '../../ui/marked-text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink, UserText } from '../../ui/user-text.tsx';
import { MorePages } from './more-pages.tsx';
import { Passage } from './passage.tsx';
import classes from './search.module.css';

type HitProps = { icon: ReactNode; title: ReactNode; facts: ReactNode; children?: ReactNode };

function Hit({ icon, title, facts, children }: HitProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have the link itself
    <li className={classes.hit} onClick={followFirstLink}>
      {icon}
      <div className={classes.about}>
        {title}
        <div className={classes.facts}>{facts}</div>
        {children}
      </div>
    </li>
  );
}

export function CustomerHit({ customer, terms }: { customer: Customer; terms: Term[] }) {
  const { id, name, email, phone_number, city } = customer;
  const known = [email, phone_number, city].filter((fact) => fact !== null);
  return (
    <Hit
      icon={<IconUser size={20} stroke={1.5} color="var(--mantine-color-anchor)" aria-hidden />}
      title={
        <UserLink to={paths.customer(id)} fw={550} terms={terms}>
          {name}
        </UserLink>
      }
      facts={known.map((fact) => (
        <UserText key={fact} lines={1} terms={terms}>
          {fact}
        </UserText>
      ))}
    />
  );
}

function DocumentFacts({ document, terms }: { document: Document; terms: Term[] }) {
  return (
    <>
      <UserLink to={paths.customer(document.customer_id)} terms={terms}>
        {document.customer_name}
      </UserLink>
      <TimeText value={document.uploaded_at} />
    </>
  );
}

export function DocumentHit({ document, terms }: { document: Document; terms: Term[] }) {
  const description = snippetOf(document.description ?? '', terms);
  return (
    <Hit
      icon={<FileTypeIcon mimeType={document.mime_type} />}
      title={
        <UserLink
          to={paths.document(document.id)}
          fw={550}
          terms={terms}
          {...hoverThumbnail(thumbnailOf(document), document.mime_type)}
        >
          {document.filename}
        </UserLink>
      }
      facts={<DocumentFacts document={document} terms={terms} />}
    >
      {description.some(({ hit }) => hit) && <Passage parts={description} />}
    </Hit>
  );
}

type PageHitProps = { found: FoundPage; question: string; terms: Term[] };

export function PageHit({ found, question, terms }: PageHitProps) {
  const { document, page, snippet, more_pages } = found;
  return (
    <Hit
      icon={<FileTypeIcon mimeType={document.mime_type} />}
      title={
        <Anchor
          component={Link}
          to={paths.foundPage(document.id, page, question)}
          fw={550}
          className={classes.page ?? ''}
          {...(page === 1 && hoverThumbnail(thumbnailOf(document), document.mime_type))}
        >
          <span dir="auto" title={document.filename}>
            <MarkedText parts={partsOf(document.filename, terms)} />
          </span>{' '}
          <span>Page {page}</span>
        </Anchor>
      }
      facts={<DocumentFacts document={document} terms={terms} />}
    >
      <Passage parts={snippet} />
      {more_pages > 0 && <MorePages found={found} question={question} />}
    </Hit>
  );
}
