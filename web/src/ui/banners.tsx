import { Alert, Button } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export function ErrorBanner({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
      <span>{text}</span>
      {onRetry && (
        <Button variant="default" size="compact-sm" ml="md" onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

export function SuccessBanner({ children }: { children: ReactNode }) {
  return (
    <Alert color="pine" variant="light" icon={<IconCircleCheck />} role="status">
      {children}
    </Alert>
  );
}

/** Says what the user has to do first. */
export function WarningBanner({ children }: { children: ReactNode }) {
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle />} role="alert">
      {children}
    </Alert>
  );
}
