import { Screen } from '../../ui/screen.tsx';

export function Dashboard() {
  return <Screen title="Dashboard">{null}</Screen>;
}
