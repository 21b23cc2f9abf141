import { Screen } from '../../ui/screen.tsx';

export function CustomerSearch() {
  return <Screen title="CustomerSearch">{null}</Screen>;
}
