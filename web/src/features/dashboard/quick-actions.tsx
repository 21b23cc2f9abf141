import { Group } from '@mantine/core';
import { IconFileSearch, IconUpload, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';

const actions = [
  { to: paths.customers, label: 'Search Customers', Icon: IconUserSearch },
  { to: paths.uploadDocument, label: 'Upload Documents', Icon: IconUpload },
  { to: paths.allCustomers, label: 'View All Customers', Icon: IconUsers },
  { to: paths.documents, label: 'Document Search', Icon: IconFileSearch },
];

export function QuickActions({ canUpload }: { canUpload: boolean }) {
  const offered = actions.filter(({ to }) => canUpload || to !== paths.uploadDocument);
  return (
    <Panel title="Quick Actions">
      <Group grow preventGrowOverflow={false} gap="sm">
        {offered.map(({ to, label, Icon }) => (
          <LinkButton
            key={to}
            to={to}
            variant="default"
            leftSection={<Icon size={18} stroke={1.7} color="var(--mantine-color-anchor)" aria-hidden />}
          >
            {label}
          </LinkButton>
        ))}
      </Group>
    </Panel>
  );
}
