import { isAllowed } from '@customer-database/contract/permissions';
import { Avatar, Box, Divider, Kbd, NavLink, Stack, Text, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import {
  IconFileSearch,
  IconFiles,
  IconHistory,
  IconLayoutDashboard,
  IconSearch,
  IconUserCog,
  IconUserPlus,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { displayName, useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { roleNames } from '../../lib/roles.ts';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './menu.module.css';
import { SignOut } from './sign-out.tsx';

export const menuItems = [
  { to: paths.dashboard, label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: paths.customers, label: 'Customer Search', Icon: IconUserSearch },
  { to: paths.allCustomers, label: 'All Customers', Icon: IconUsers },
  { to: paths.documents, label: 'Document Search', Icon: IconFileSearch },
  { to: paths.allDocuments, label: 'All Documents', Icon: IconFiles },
];

export const adminItems = [
  { to: paths.users, label: 'Users', Icon: IconUserCog, permission: 'users.manage' },
  { to: paths.invite, label: 'Invite user', Icon: IconUserPlus, permission: 'users.invite' },
  { to: paths.activity, label: 'Activity', Icon: IconHistory, permission: 'activity.read' },
] as const;

/** The entry to highlight, also for screens that have none. */
function activeEntry(pathname: string): string {
  if (menuItems.some(({ to }) => to === pathname)) return pathname;
  if (pathname.startsWith(`${paths.customers}/`)) return paths.allCustomers;
  if (pathname.startsWith(`${paths.documents}/`)) return paths.allDocuments;
  return pathname === paths.changePassword ? paths.profile : pathname;
}

export function Menu({ onNavigate }: { onNavigate?: () => void }) {
  const { pathname } = useLocation();
  const entry = activeEntry(pathname);
  const linkTo = (to: string) => ({
    component: Link,
    to,
    active: entry === to,
    'aria-current': pathname === to ? ('page' as const) : entry === to,
    className: classes.link ?? '',
    onClick: onNavigate,
  });
  const user = useUser();
  const modifier = useOs() === 'macos' ? '⌘' : 'Ctrl';
  const items = [...menuItems, ...adminItems.filter(({ permission }) => isAllowed(user.role, permission))];
  return (
    <>
      <UnstyledButton
        component={Link}
        to={paths.search}
        className={classes.search ?? ''}
        mb="md"
        title={`${modifier} K searches from anywhere`}
        aria-current={pathname === paths.search ? 'page' : undefined}
        onClick={onNavigate}
      >
        <IconSearch size={16} aria-hidden />
        <Text size="sm" c="dimmed" flex={1}>
          Search
        </Text>
        <Kbd size="xs" visibleFrom="md" aria-hidden>
          {modifier} K
        </Kbd>
      </UnstyledButton>
      <Stack component="nav" aria-label="Main menu" gap={2} flex={1}>
        {items.map(({ to, label, Icon }) => (
          <NavLink
            key={to}
            {...linkTo(to)}
            label={label}
            leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
          />
        ))}
      </Stack>
      <Stack gap={2}>
        <ColorSchemeSwitch />
        <Divider my="xs" color="var(--hairline)" />
        <NavLink
          {...linkTo(paths.profile)}
          leftSection={<Avatar name={displayName(user)} color="pine" size={32} aria-hidden />}
          label={
            <Box component="span" className={classes.name ?? ''} dir="auto" title={displayName(user)}>
              {displayName(user)}
            </Box>
          }
          description={roleNames[user.role]}
        />
        <SignOut />
      </Stack>
    </>
  );
}
