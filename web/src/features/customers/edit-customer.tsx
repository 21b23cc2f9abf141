import { Screen } from '../../ui/screen.tsx';

export function EditCustomer() {
  return <Screen title="EditCustomer">{null}</Screen>;
}
