import { limits } from '@customer-database/contract/limits';
import type { ManagedUser } from '@customer-database/contract/users';
import { Stack } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { errorText } from '../../api/client.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import { actOnUser, invalidateUsers, type UserAction, userListQueryOptions } from '../../api/users.ts';
import { useSubmit } from '../../lib/forms.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EditUser } from './edit-user.tsx';
import { PasswordSent } from './password-sent.tsx';
import { useUserParams } from './use-user-params.ts';
import { consequenceOf, userActions } from './user-actions.ts';
import { UserFilters } from './user-filters.tsx';
import { UserTable } from './user-table.tsx';

type Target = { user: ManagedUser; action: UserAction };

export function Users() {
  const queryClient = useQueryClient();
  const { filters, setSearch, setSort, setPage } = useUserParams();
  const { data, isError, isPlaceholderData, refetch } = useQuery(userListQueryOptions(filters));
  const company = useSsoOnlyName();
  const [editing, setEditing] = useState<ManagedUser>();
  const [confirming, setConfirming] = useState<Target>();
  const [sent, setSent] = useState<ComponentProps<typeof PasswordSent>>();

  const acting = useSubmit(async ({ user, action }: Target) => {
    setSent(undefined);
    try {
      const answer = await withReauthentication(() => actOnUser(user.id, action));
      const reason = action === 'reset-password' ? 'reset' : 'invitation';
      if (answer.delivery) setSent({ email: user.email, answer, reason });
      else showSuccess(answer.message);
    } finally {
      await invalidateUsers(queryClient);
    }
  });

  async function onSaved(): Promise<void> {
    setEditing(undefined);
    showSuccess('User updated successfully');
    await invalidateUsers(queryClient);
  }

  const sort = { by: filters.sort, order: filters.order };
  return (
    <Screen
      title="Users"
      actions={
        <LinkButton to={paths.invite} leftSection={<IconUserPlus size={16} aria-hidden />}>
          Invite user
        </LinkButton>
      }
    >
      <Stack gap="lg">
        {sent && <PasswordSent {...sent} />}
        {acting.error && !acting.isPending && (
          <ErrorBanner text={errorText(acting.error, 'The change failed. Please try again.')} />
        )}
        <UserFilters search={filters.q} onSearch={setSearch} sort={sort} onSort={setSort} />
        {isError ? (
          <ErrorBanner text="Error loading users. Please try again." onRetry={refetch} />
        ) : data && !isPlaceholderData && data.users.length === 0 ? (
          <Empty icon={<IconUsers />} title="No users found" />
        ) : (
          <UserTable
            users={data?.users}
            stale={isPlaceholderData}
            sort={sort}
            onSort={setSort}
            onEdit={setEditing}
            onAction={(user, action) => setConfirming({ user, action })}
          />
        )}
        {data && data.users.length > 0 && (
          <Pager
            page={filters.page}
            totalPages={data.totalPages}
            onPage={setPage}
            records={{ pageSize: limits.pageSize, total: data.total, noun: 'users' }}
          />
        )}
      </Stack>
      {editing && <EditUser user={editing} onSaved={onSaved} onClose={() => setEditing(undefined)} />}
      {confirming && (
        <ConfirmDialog
          opened
          title={userActions[confirming.action].label}
          text={consequenceOf(confirming.action, confirming.user, company)}
          confirmLabel={userActions[confirming.action].confirmLabel}
          harmless={userActions[confirming.action].harmless ?? false}
          onConfirm={() => {
            acting.submit(confirming);
            setConfirming(undefined);
          }}
          onCancel={() => setConfirming(undefined)}
        />
      )}
    </Screen>
  );
}
