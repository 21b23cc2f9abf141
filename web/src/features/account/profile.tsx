import { Screen } from '../../ui/screen.tsx';

export function Profile() {
  return <Screen title="Profile">{null}</Screen>;
}
