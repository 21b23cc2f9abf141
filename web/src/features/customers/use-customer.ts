import { idParam } from '@customer-database/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/client.ts';
import { customerQuery } from '../../api/customers.ts';

/** The customer in the URL. An invalid id is a missing customer, not an error. */
export function useCustomer() {
  const { id = '' } = useParams();
  const isValidId = idParam.safeParse(id).success;
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...customerQuery(id),
    enabled: isValidId,
  });
  const missing = !isValidId || isNotFound(error);
  return {
    id: Number(id),
    customer: missing ? undefined : data,
    missing,
    failed: error !== null && !missing,
    /** False while `customer` is only cached from an earlier screen. */
    isFresh: isFetchedAfterMount,
    refetch,
  };
}
