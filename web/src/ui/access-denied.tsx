import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { Empty } from './empty.tsx';
import { Screen } from './screen.tsx';

/** `home` is where to go when there is nothing to go back to. */
export function AccessDenied({ text, home }: { text: string; home: string }) {
  const navigate = useNavigate();
  // Not in every browser yet: the router knows only where one was since the pages were loaded.
  const canGoBack = () => window.navigation?.canGoBack ?? window.history.state?.idx > 0;
  const goBack = () => (canGoBack() ? navigate(-1) : navigate(home, { replace: true }));
  return (
    <Screen title="Access Denied">
      <Empty icon={<IconLock />} title={text} action={<Button onClick={goBack}>Go Back</Button>} />
    </Screen>
  );
}
