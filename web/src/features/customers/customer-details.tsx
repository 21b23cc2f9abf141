import type { Customer } from '@customer-database/contract/customers';
import { isAllowed } from '@customer-database/contract/permissions';
import { Anchor } from '@mantine/core';
import { IconPencil, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { customerQuery } from '../../api/customers.ts';
import { useRememberOpened } from '../../api/opened-last.ts';
import { useRecordInUrl } from '../../api/record-in-url.ts';
import { useUser } from '../../api/session.ts';
import { formatDay } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { AddressLines, addressParts } from './address-lines.tsx';
import { CustomerMissing } from './customer-missing.tsx';
import { loadingFailed } from './texts.ts';

type CustomerDetailsProps = {
  /** Shown below the customer, who is undefined while loading. */
  children: (customerId: number, customer: Customer | undefined) => ReactNode;
};

export function CustomerDetails({ children }: CustomerDetailsProps) {
  const { id, record: customer, isMissing, error, refetch } = useRecordInUrl(customerQuery);
  useRememberOpened('customer', customer?.id);
  if (isMissing) {
    return (
      <CustomerMissing title="Customer not found" text="It may have been deleted, or the address is wrong." />
    );
  }
  return (
    <Screen
      // Another customer is a new screen, which resets focus and state.
      key={id}
      title={customer?.name ?? 'Customer'}
      record="customer"
      crumbs={[{ to: paths.allCustomers, label: 'All Customers' }]}
      actions={<Actions customerId={id} />}
    >
      {error && !customer ? (
        <ErrorBanner text={loadingFailed} onRetry={refetch} />
      ) : (
        <>
          <Panel title="Information">
            <DescriptionList items={details(customer)} />
          </Panel>
          {/* Fetched in parallel, but hidden until the panel above has its final height. */}
          <div style={{ visibility: customer ? 'visible' : 'hidden' }}>{children(id, customer)}</div>
        </>
      )}
    </Screen>
  );
}

/** Without a customer, the same items are still loading. */
const details = (customer: Customer | undefined) => [
  { label: 'Date of birth', value: customer && (customer.dob ? formatDay(customer.dob) : null) },
  { label: 'Email', value: customer && (customer.email ? <MailLink email={customer.email} /> : null) },
  {
    label: 'Phone',
    value: customer && (customer.phone_number ? <Phone number={customer.phone_number} /> : null),
  },
  { label: 'Address', value: customer && <AddressLines parts={addressParts(customer)} /> },
  { label: 'Created', value: customer && <TimeText value={customer.created_at} withTime /> },
  { label: 'Last updated', value: customer && <TimeText value={customer.updated_at} withTime /> },
];

function MailLink({ email }: { email: string }) {
  // An email address may contain characters that are special in a URL.
  return <Anchor href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</Anchor>;
}

/** Dials the first number in the text; 'ext. 12' is for people. */
function Phone({ number }: { number: string }) {
  const dialled = /[+\d][\d\s()./-]*/.exec(number)?.[0].replace(/[^+\d]/g, '');
  return dialled ? <Anchor href={`tel:${dialled}`}>{number}</Anchor> : number;
}

function Actions({ customerId }: { customerId: number }) {
  const { role } = useUser();
  return (
    <>
      {isAllowed(role, 'customers.manage') && (
        <LinkButton
          to={paths.editCustomer(customerId)}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          Edit information
        </LinkButton>
      )}
      {isAllowed(role, 'documents.manage') && (
        <LinkButton to={paths.uploadFor(customerId)} leftSection={<IconUpload size={16} aria-hidden />}>
          Upload document
        </LinkButton>
      )}
    </>
  );
}
