import { CustomerDetails } from '../features/customers/customer-details.tsx';
import { CustomerDocuments } from '../features/documents/customer-documents.tsx';

/** Features do not know each other; here a customer's documents join the customer. */
export function CustomerScreen() {
  return <CustomerDetails documents={(customerId) => <CustomerDocuments customerId={customerId} />} />;
}
