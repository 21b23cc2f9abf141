import { Screen } from '../../ui/screen.tsx';

export function DocumentDetails() {
  return <Screen title="DocumentDetails">{null}</Screen>;
}
