import { Anchor, Text, type TextProps } from '@mantine/core';
import { Link } from 'react-router';

type UserTextProps = TextProps & { children: string | null | undefined; lines?: number };

/** What a person typed: in its own direction, shortened when very long, whole on hover. */
export function UserText({ children, lines = 2, ...text }: UserTextProps) {
  if (!children) {
    return (
      <Text c="dimmed" inherit {...text}>
        –
      </Text>
    );
  }
  return (
    <Text dir="auto" title={children} lineClamp={lines} inherit style={{ textAlign: 'left' }} {...text}>
      {children}
    </Text>
  );
}

type UserLinkProps = TextProps & { to: string; children: string };

/** The same, leading somewhere. */
export function UserLink({ to, children, ...text }: UserLinkProps) {
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
      {children}
    </Anchor>
  );
}
