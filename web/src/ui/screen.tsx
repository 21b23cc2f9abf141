import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import { productName } from './brand.tsx';
import classes from './screen.module.css';

let firstScreen = true;

type ScreenProps = {
  title: string;
  /** What the tab says, where the heading alone would not tell screens apart. */
  tabTitle?: string;
  /** The screens above this one, the outermost first. */
  trail?: { to: string; label: string }[];
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of every screen: the tab's title, the heading that gets the focus, and the actions beside it. */
export function Screen({ title, tabTitle = title, trail, description, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrivedBy = useNavigationType();

  const focusHeading = useEffectEvent(() => heading.current?.focus({ preventScroll: arrivedBy === 'POP' }));
  useEffect(() => {
    // A freshly loaded page starts where the browser starts; afterwards a new screen must say that it is there.
    if (!firstScreen) focusHeading();
    firstScreen = false;
  }, []);

  return (
    <Stack gap="lg">
      <title>{`${tabTitle} · ${productName}`}</title>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ minWidth: 0, flex: '1 1 20rem' }}>
          {trail && (
            <nav aria-label="Breadcrumb">
              <ol className={classes.trail}>
                {trail.map(({ to, label }) => (
                  <li key={to}>
                    <Anchor component={Link} to={to} size="sm" dir="auto" truncate>
                      {label}
                    </Anchor>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <Title
            order={1}
            size="h2"
            ref={heading}
            tabIndex={-1}
            dir="auto"
            style={{ overflowWrap: 'anywhere' }}
          >
            {title}
          </Title>
          {description && (
            <Text c="dimmed" component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
