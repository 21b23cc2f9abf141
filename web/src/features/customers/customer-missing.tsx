import { IconUserOff } from '@tabler/icons-react';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';

export function CustomerMissing({ title, text }: { title: string; text: string }) {
  return (
    <Screen title={title}>
      <Empty
        icon={<IconUserOff />}
        title={text}
        action={<LinkButton to={paths.allCustomers}>Back to All Customers</LinkButton>}
      />
    </Screen>
  );
}
