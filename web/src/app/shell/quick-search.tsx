import { isAllowed } from '@customer-database/contract/permissions';
import { Combobox, Kbd, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { customerFiltersFor, customerSearchQuery } from '../../api/customers.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { menuItems } from './menu.tsx';
import classes from './quick-search.module.css';

const hitsPerGroup = 6;
type Hit = { to: string; label: string; detail?: string | null };
type Group = { name: string; hits: Hit[] };

const accountScreens: Hit[] = [
  { to: paths.profile, label: 'Profile' },
  { to: paths.changePassword, label: 'Change password' },
];

function useScreens(): Hit[] {
  const { role } = useUser();
  return [
    ...menuItems,
    ...(isAllowed(role, 'customers.write') ? [{ to: paths.newCustomer, label: 'Add Customer' }] : []),
    ...(isAllowed(role, 'documents.write') ? [{ to: paths.uploadDocument, label: 'Upload Document' }] : []),
    ...(isAllowed(role, 'users.invite') ? [{ to: paths.invite, label: 'Invite user' }] : []),
    ...accountScreens,
  ];
}

function useHits(text: string) {
  const [term] = useDebouncedValue(text.trim(), 150);
  const shared = { enabled: term !== '', placeholderData: keepPreviousData };
  const customers = useQuery({ ...customerSearchQuery(customerFiltersFor(term), hitsPerGroup), ...shared });
  const documents = useQuery({ ...documentSearchQuery({ filename: term }, hitsPerGroup), ...shared });
  const screens = useScreens().filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const found = text.trim() !== '';
  const groups: Group[] = [
    {
      name: 'Customers',
      hits: (found ? (customers.data?.customers ?? []) : []).map((customer) => ({
        to: paths.customer(customer.id),
        label: customer.name,
        detail: customer.email,
      })),
    },
    {
      name: 'Documents',
      hits: (found ? (documents.data?.documents ?? []) : []).map((document) => ({
        to: paths.document(document.id),
        label: document.filename,
        detail: document.customer_name,
      })),
    },
    { name: 'Screens', hits: screens },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isSearching: found && (customers.isFetching || documents.isFetching || term !== text.trim()),
    isFailed: found && (customers.isError || documents.isError),
  };
}

function messageFor({ groups, isSearching, isFailed }: ReturnType<typeof useHits>): string {
  if (isFailed) return 'The search failed. Please try again.';
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  if (count > 0) return `${count} ${count === 1 ? 'result' : 'results'}`;
  return isSearching ? 'Searching...' : 'Nothing found';
}

/** Mantine itself says which hit is chosen only after an arrow key, though the first one always is. */
function useChoice() {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const store = useCombobox({ opened: true });
  const noting = (select: () => string | null) => () => {
    const id = select();
    setChosenId(id);
    return id;
  };
  const notingStore = {
    ...store,
    selectFirstOption: noting(store.selectFirstOption),
    selectNextOption: noting(store.selectNextOption),
    selectPreviousOption: noting(store.selectPreviousOption),
  };
  return { chosenId, store: notingStore };
}

const idOf = (to: string) => `hit ${to}`.replaceAll(/\W+/g, '-');

export function QuickSearch({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const { chosenId, store } = useChoice();
  const hits = useHits(text);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other hits, other first choice
  useEffect(() => {
    store.selectFirstOption();
  }, [hits.groups.map(({ hits }) => hits.map(({ to }) => to)).join()]);

  function open(to: string): void {
    onClose();
    navigate(to);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title="Quick search"
      size="lg"
      yOffset="12vh"
      withCloseButton={false}
      classNames={{ body: classes.body ?? '' }}
    >
      <Combobox store={store} onOptionSubmit={open} withinPortal={false}>
        <Combobox.EventsTarget withAriaAttributes={false}>
          <TextInput
            role="combobox"
            aria-label="Quick search"
            aria-expanded
            aria-haspopup="listbox"
            aria-controls={store.listId ?? undefined}
            aria-activedescendant={chosenId ?? undefined}
            autoComplete="off"
            placeholder="Customers, documents, screens"
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={hits.isSearching ? <Loader size={16} /> : <Kbd size="xs">Esc</Kbd>}
            rightSectionWidth={52}
            size="md"
            data-autofocus
            value={text}
            maxLength={200}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options ?? ''} aria-label="Results">
          {hits.groups.map((group) => (
            <Combobox.Group key={group.name} label={group.name}>
              {group.hits.map(({ to, label, detail }) => (
                <Combobox.Option
                  key={to}
                  id={idOf(to)}
                  value={to}
                  aria-selected={chosenId === idOf(to)}
                  className={classes.option ?? ''}
                >
                  <Text dir="auto" lineClamp={1} title={label} inherit>
                    {label}
                  </Text>
                  {detail && (
                    <Text size="xs" className={classes.detail ?? ''} dir="auto" lineClamp={1}>
                      {detail}
                    </Text>
                  )}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      <Text size="sm" c="dimmed" role="status" mt="sm">
        {messageFor(hits)}
      </Text>
    </Modal>
  );
}
