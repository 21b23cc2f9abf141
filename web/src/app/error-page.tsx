import { Button } from '@mantine/core';
import { IconMoodSad } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { Screen } from '../ui/screen.tsx';
import { Empty } from '../ui/states.tsx';

/** A screen that could not be fetched or drawn; most often the server was updated in the meantime. */
export function ErrorPage() {
  const error = useRouteError();
  return (
    <Screen title="Something went wrong">
      <Empty
        icon={<IconMoodSad />}
        title="This screen could not be shown."
        text={error instanceof Error ? error.message : ''}
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      />
    </Screen>
  );
}
