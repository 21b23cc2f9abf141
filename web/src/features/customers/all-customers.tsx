import { limits } from '@customer-database/contract/limits';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { customerPageQuery } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { usePageParam } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AddCustomer } from './add-customer.tsx';
import { CustomerTable } from './customer-table.tsx';
import { loadingFailed } from './texts.ts';

export function AllCustomers() {
  return (
    <Screen title="All Customers" actions={<AddCustomer />}>
      <CustomerPage />
    </Screen>
  );
}

function CustomerPage() {
  const [page, setPage] = usePageParam();
  const { data, isError, isPlaceholderData, refetch } = useQuery(customerPageQuery(page));

  if (isError) return <ErrorBanner text={loadingFailed} onRetry={refetch} />;
  if (data && !isPlaceholderData && data.customers.length === 0) return <NoCustomers page={page} />;
  return (
    <>
      <CustomerTable label="All customers" customers={data?.customers} stale={isPlaceholderData} />
      {data && (
        <Pager
          page={page}
          totalPages={data.totalPages}
          onPage={setPage}
          records={{ pageSize: limits.pageSize, total: data.total, noun: 'customers' }}
        />
      )}
    </>
  );
}

/** An old link may point to a page that no longer exists. */
function NoCustomers({ page }: { page: number }) {
  const toFirstPage = <LinkButton to={paths.allCustomers}>Go to the first page</LinkButton>;
  return (
    <Empty icon={<IconUsers />} title="No customers found" action={page > 1 ? toFirstPage : undefined} />
  );
}
