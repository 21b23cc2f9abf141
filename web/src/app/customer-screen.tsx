import { CustomerDetails } from '../features/customers/customer-details.tsx';
import { CustomerDocuments } from '../features/documents/customer-documents.tsx';

/** Joins customers and documents here, because features must not import each other. */
export function CustomerScreen() {
  return (
    <CustomerDetails
      documents={(customerId, customer) => <CustomerDocuments customerId={customerId} customer={customer} />}
    />
  );
}
