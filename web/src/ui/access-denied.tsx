import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useGoBack } from '../lib/go-back.ts';
import { Empty } from './empty.tsx';
import { Screen } from './screen.tsx';

/** `home` is where to go when there is nothing to go back to. */
export function AccessDenied({ text, home }: { text: string; home: string }) {
  const goBack = useGoBack(home);
  return (
    <Screen title="Access Denied">
      <Empty icon={<IconLock />} title={text} action={<Button onClick={() => goBack()}>Go Back</Button>} />
    </Screen>
  );
}
