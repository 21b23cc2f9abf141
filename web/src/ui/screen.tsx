import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import { productName } from './brand.tsx';
import { type Crumb, useOpenedFrom } from './opened-from.ts';
import classes from './screen.module.css';

let isFirstScreen = true;

type ScreenProps = {
  title: string;
  /** The browser tab's title, if the heading alone is ambiguous. */
  tabTitle?: string;
  crumbs?: Crumb[];
  /** The kind of record that the screen shows. The first crumb is then the screen that it was opened from. */
  record?: 'customer' | 'document';
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of every screen: tab title, heading (focused on arrival) and actions. */
export function Screen(props: ScreenProps) {
  const { title, tabTitle = title, crumbs, record, description, actions, children } = props;
  const from = useOpenedFrom(record, title);
  const heading = useRef<HTMLHeadingElement>(null);
  const arrivedBy = useNavigationType();

  const focusHeading = useEffectEvent(() => heading.current?.focus({ preventScroll: arrivedBy === 'POP' }));
  useEffect(() => {
    // The browser handles focus on a page load; later screens must announce themselves.
    if (!isFirstScreen) focusHeading();
    isFirstScreen = false;
  }, []);

  return (
    <Stack gap="lg">
      <title>{`${tabTitle} · ${productName}`}</title>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ minWidth: 0, flex: '1 1 20rem' }}>
          {crumbs && (
            <nav aria-label="Breadcrumb">
              <ol className={classes.crumbs}>
                {(from ? [from, ...crumbs.slice(1)] : crumbs).map(({ to, label }) => (
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
