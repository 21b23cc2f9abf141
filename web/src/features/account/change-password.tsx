import { Screen } from '../../ui/screen.tsx';

export function ChangePassword() {
  return <Screen title="ChangePassword">{null}</Screen>;
}
