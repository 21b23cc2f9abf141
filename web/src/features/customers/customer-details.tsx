import type { ReactNode } from 'react';
import { Screen } from '../../ui/screen.tsx';

export function CustomerDetails({ documents }: { documents: (customerId: number) => ReactNode }) {
  return <Screen title="Customer">{documents(1)}</Screen>;
}
