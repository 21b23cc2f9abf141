import { Screen } from '../../ui/screen.tsx';

export function NewCustomer() {
  return <Screen title="NewCustomer">{null}</Screen>;
}
