import { Screen } from '../../ui/screen.tsx';

export function UploadDocument() {
  return <Screen title="UploadDocument">{null}</Screen>;
}
