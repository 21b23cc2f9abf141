import type { Term } from '@customer-database/words/question';
import { Anchor, Text, type TextProps } from '@mantine/core';
import { Link } from 'react-router';
import { MarkedText, partsOf } from './marked-text.tsx';

/** Hits of these search terms are marked. */
type Searched = { terms?: Term[] };

const marked = (text: string, terms: Term[] | undefined) =>
  terms ? <MarkedText parts={partsOf(text, terms)} /> : text;

type UserTextProps = TextProps & Searched & { children: string | null | undefined; lines?: number };

/** Text that a user entered: keeps its own direction, is clamped if very long, and shows in full on hover. */
export function UserText({ children, lines = 2, terms, ...text }: UserTextProps) {
  if (!children) {
    return (
      <Text c="dimmed" inherit {...text}>
        –
      </Text>
    );
  }
  return (
    <Text dir="auto" title={children} lineClamp={lines} inherit style={{ textAlign: 'left' }} {...text}>
      {marked(children, terms)}
    </Text>
  );
}

type UserLinkProps = TextProps & Searched & { to: string; children: string };

export function UserLink({ to, children, terms, ...text }: UserLinkProps) {
  return (
    <Anchor
      component={Link}
      to={to}
      dir="auto"
      title={children}
      lineClamp={2}
      inherit
      style={{ textAlign: 'left' }}
      {...text}
    >
      {marked(children, terms)}
    </Anchor>
  );
}
