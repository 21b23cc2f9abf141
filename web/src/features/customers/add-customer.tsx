import { isAllowed } from '@customer-database/contract/permissions';
import { IconPlus } from '@tabler/icons-react';
import { useUser } from '../../api/session.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/link-button.tsx';

export function AddCustomer() {
  const { role } = useUser();
  if (!isAllowed(role, 'customers.manage')) return null;
  return (
    <LinkButton to={paths.newCustomer} leftSection={<IconPlus size={16} aria-hidden />}>
      Add Customer
    </LinkButton>
  );
}
