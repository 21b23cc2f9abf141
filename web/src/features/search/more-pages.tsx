import type { FoundPage } from '@customer-database/contract/search';
import { Anchor, Button, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useId } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../api/client.ts';
import { hitPassagesQuery } from '../../api/search.ts';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { followFirstLink } from '../../ui/follow-first-link.ts';
import { Passage } from './passage.tsx';
import classes from './search.module.css';

const maxShown = 20;

const pagesText = (count: number) => `${formatNumber(count)} more ${count === 1 ? 'page' : 'pages'}`;

type MorePagesProps = { found: FoundPage; question: string };

/** The other pages of a document that match as well as its best one, on request. */
export function MorePages({ found, question }: MorePagesProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.more ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        + {pagesText(found.more_pages)}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <PageList found={found} question={question} />}
      </div>
    </>
  );
}

/** Not that of the document around it, which leads to the best page. */
function followOnlyThis(event: MouseEvent<HTMLElement>): void {
  event.stopPropagation();
  followFirstLink(event);
}

function PageList({ found: { document, page, more_pages }, question }: MorePagesProps) {
  const { data, error } = useQuery(hitPassagesQuery(document.id, question, maxShown + 1));
  if (error) return <Text size="sm">{errorText(error, 'The pages could not be loaded.')}</Text>;
  if (!data) return <Loader size="xs" aria-label="Loading the pages" />;
  const others = data.pages
    .filter((other) => other.page !== page && other.snippet.length > 0)
    .slice(0, maxShown);
  const hidden = more_pages - others.length;
  return (
    <ul className={classes.pages}>
      {others.map((other) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have the link itself
        <li key={other.page} onClick={followOnlyThis}>
          <Anchor component={Link} to={paths.foundPage(document.id, other.page, question)} size="sm" fw={550}>
            Page {other.page}
          </Anchor>
          <Passage parts={other.snippet} />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <Anchor component={Link} to={paths.foundPage(document.id, page, question)} size="sm">
            Open the document to see {pagesText(hidden)}
          </Anchor>
        </li>
      )}
    </ul>
  );
}
