import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { Empty } from './empty.tsx';
import { Screen } from './screen.tsx';

/** `home` is where to go when there is nothing to go back to. */
export function AccessDenied({ text, home }: { text: string; home: string }) {
  const navigate = useNavigate();
  const goBack = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate(home));
  return (
    <Screen title="Access Denied">
      <Empty icon={<IconLock />} title={text} action={<Button onClick={goBack}>Go Back</Button>} />
    </Screen>
  );
}
