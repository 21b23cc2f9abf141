import { Screen } from '../../ui/screen.tsx';

export function DocumentSearch() {
  return <Screen title="DocumentSearch">{null}</Screen>;
}
