import { Button, Stack, Text } from '@mantine/core';
import { useRouteError } from 'react-router';
import { Screen } from '../ui/screen.tsx';

/** Replaces a screen that failed to load or render, usually after an update of the server. */
export function ErrorPage() {
  const error = useRouteError();
  return (
    <Screen title="Something went wrong">
      <Stack align="flex-start">
        <Text>This screen could not be shown. Loading it again often helps.</Text>
        {error instanceof Error && <Text c="dimmed">{error.message}</Text>}
        <Button onClick={() => window.location.reload()}>Load it again</Button>
      </Stack>
    </Screen>
  );
}
