import { type ManagedUser, userListQuery } from '@customer-database/contract/users';
import { Stack } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { errorText } from '../../api/client.ts';
import { withReauthentication } from '../../api/reauthentication.ts';
import { useSsoOnlyName } from '../../api/sso-only.ts';
import { actOnUser, invalidateUsers, type UserAction, userListQueryOptions } from '../../api/users.ts';
import { useSubmit } from '../../lib/forms.ts';
import { paths } from '../../lib/paths.ts';
import { useFilterParams } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { RecordPages } from '../../ui/record-pages.tsx';
import type { Sort } from '../../ui/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CredentialDelivery } from './credential-delivery.tsx';
import { EditUser } from './edit-user.tsx';
import { consequenceOf, userActions } from './user-actions.ts';
import { UserFilters } from './user-filters.tsx';
import { UserTable } from './user-table.tsx';

/** Search and order live in the URL. An unknown order counts as not given. */
function useUserParams() {
  const { values, setFilters } = useFilterParams(['q', 'sort', 'order']);
  const { sort, order } = userListQuery.shape;
  return {
    filters: {
      q: values.q,
      sort: sort.catch('name').parse(values.sort),
      order: order.catch('asc').parse(values.order),
    },
    setSearch: (q: string) => setFilters({ ...values, q }, { replace: true }),
    setSort: (next: Sort) => setFilters({ ...values, sort: next.by, order: next.order }),
  };
}

type Target = { user: ManagedUser; action: UserAction };

export function Users() {
  const queryClient = useQueryClient();
  const { filters, setSearch, setSort } = useUserParams();
  const company = useSsoOnlyName();
  const [editing, setEditing] = useState<ManagedUser>();
  const [sent, setSent] = useState<ComponentProps<typeof CredentialDelivery>>();

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

  const { ask, dialog } = useConfirmation(acting.submit, ({ user, action }: Target) => {
    const { label, confirmLabel, harmless = false } = userActions[action];
    return { title: label, text: consequenceOf(action, user, company), confirmLabel, harmless };
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
        {sent && <CredentialDelivery {...sent} />}
        {acting.error && !acting.isPending && (
          <ErrorBanner text={errorText(acting.error, 'The change failed. Please try again.')} />
        )}
        <UserFilters search={filters.q} onSearch={setSearch} sort={sort} onSort={setSort} />
        <RecordPages
          nouns="users"
          emptyIcon={<IconUsers />}
          query={(page) => userListQueryOptions({ ...filters, page })}
          rowsOf={({ users }) => users}
          table={(users, stale) => (
            <UserTable
              users={users}
              stale={stale}
              sort={sort}
              onSort={setSort}
              onEdit={setEditing}
              onAction={(user, action) => ask({ user, action })}
            />
          )}
        />
      </Stack>
      {editing && <EditUser user={editing} onSaved={onSaved} onClose={() => setEditing(undefined)} />}
      {dialog}
    </Screen>
  );
}
