import { Screen } from '../../ui/screen.tsx';

export function Login() {
  return <Screen title="Login">{null}</Screen>;
}
