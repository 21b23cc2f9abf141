import { Screen } from '../../ui/screen.tsx';

export function AllCustomers() {
  return <Screen title="AllCustomers">{null}</Screen>;
}
