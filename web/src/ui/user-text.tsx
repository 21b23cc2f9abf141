import { Anchor, Text, type TextProps } from '@mantine/core';
import { Link } from 'react-router';

type UserTextProps = TextProps & { children: string | null | undefined; lines?: number };

/** Text that a user entered: keeps its own direction, is clamped if very long, and shows in full on hover. */
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
