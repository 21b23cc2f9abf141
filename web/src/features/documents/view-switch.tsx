import { ActionIcon, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';

const views = [
  { name: 'list', label: 'List', Icon: IconList },
  { name: 'grid', label: 'Thumbnails', Icon: IconLayoutGrid },
] as const;
export type DocumentView = (typeof views)[number]['name'];

/** How lists of documents are shown, on this device. */
export function useDocumentView() {
  const [view, setView] = useLocalStorage<DocumentView>({
    key: 'document-view',
    defaultValue: 'list',
    getInitialValueInEffect: false,
  });
  return [view === 'grid' ? 'grid' : 'list', setView] as const;
}

type ViewSwitchProps = { view: DocumentView; onChange: (view: DocumentView) => void };

export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <Group gap={4} justify="flex-end" role="group" aria-label="View">
      {views.map(({ name, label, Icon }) => (
        <ActionIcon
          key={name}
          variant={name === view ? 'light' : 'subtle'}
          size={32}
          aria-label={label}
          title={label}
          aria-pressed={name === view}
          onClick={() => onChange(name)}
        >
          <Icon size={18} aria-hidden />
        </ActionIcon>
      ))}
    </Group>
  );
}
