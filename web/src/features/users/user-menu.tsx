import type { ManagedUser } from '@customer-database/contract/users';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useUser } from '../../api/session.ts';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import type { UserAction } from '../../api/users.ts';
import { actionsFor, userActions } from './user-actions.ts';

type UserMenuProps = { user: ManagedUser; onEdit: () => void; onAction: (action: UserAction) => void };

export function UserMenu({ user, onEdit, onAction }: UserMenuProps) {
  const isOwn = useUser().id === user.id;
  const hasPasswords = useSsoOnlyName() === undefined;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={24} aria-label={`Actions for ${user.name}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>Change name or role</Menu.Item>
        {actionsFor(user, isOwn, hasPasswords).map((action) => (
          <Menu.Item key={action} onClick={() => onAction(action)}>
            {userActions[action].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
