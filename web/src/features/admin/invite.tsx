import { Screen } from '../../ui/screen.tsx';

export function Invite() {
  return <Screen title="Invite">{null}</Screen>;
}
