export function CustomerDocuments({ customerId }: { customerId: number }) {
  return <>{customerId}</>;
}
