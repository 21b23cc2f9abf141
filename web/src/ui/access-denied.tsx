import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { Empty } from './empty.tsx';
import { Screen } from './screen.tsx';

export function AccessDenied({ text, fallbackPath }: { text: string; fallbackPath: string }) {
  const navigate = useNavigate();
  // Without the Navigation API, the router only knows the screens since the page was loaded.
  const canGoBack = () => window.navigation?.canGoBack ?? window.history.state?.idx > 0;
  const goBack = () => (canGoBack() ? navigate(-1) : navigate(fallbackPath, { replace: true }));
  return (
    <Screen title="Access Denied">
      <Empty icon={<IconLock />} title={text} action={<Button onClick={goBack}>Go Back</Button>} />
    </Screen>
  );
}
