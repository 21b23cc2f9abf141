import type { Document } from '@customer-database/contract/documents';
import { useQuery } from '@tanstack/react-query';
import { customerDocumentsQuery } from '../../../api/documents.ts';

type Neighbour = Pick<Document, 'id'> & Partial<Pick<Document, 'customer_id'>>;

/** The documents before and after this one on the customer's page, newest first. */
export function useNeighbours({ id, customer_id = 0 }: Neighbour): { previous?: Document; next?: Document } {
  // Another server, or a link, may leave out the customer.
  const { data } = useQuery({
    ...customerDocumentsQuery(customer_id),
    enabled: customer_id > 0,
  });
  const documents = data?.documents ?? [];
  const at = documents.findIndex((document) => document.id === id);
  const [previous, next] = at < 0 ? [] : [documents[at - 1], documents[at + 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}
