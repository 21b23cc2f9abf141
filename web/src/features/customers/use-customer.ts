import { idParam } from '@customer-database/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isMissing } from '../../api/client.ts';
import { customerQuery } from '../../api/customers.ts';

/** The customer of the address. An id that cannot be one is a missing customer, not a failure. */
export function useCustomer() {
  const { id = '' } = useParams();
  const isPossible = idParam.safeParse(id).success;
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...customerQuery(id),
    enabled: isPossible,
  });
  const missing = !isPossible || isMissing(error);
  return {
    id: Number(id),
    customer: missing ? undefined : data,
    missing,
    failed: error !== null && !missing,
    /** False while only what an earlier screen has seen is known. */
    isFresh: isFetchedAfterMount,
    refetch,
  };
}
