import { Screen } from '../../ui/screen.tsx';

export function AllDocuments() {
  return <Screen title="AllDocuments">{null}</Screen>;
}
