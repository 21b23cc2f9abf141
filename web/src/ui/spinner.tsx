import { Center, Loader, VisuallyHidden } from '@mantine/core';

export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="50vh" role="status">
      <Loader />
      <VisuallyHidden>{label}</VisuallyHidden>
    </Center>
  );
}
