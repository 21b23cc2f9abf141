import { Alert, Button, Center, EmptyState, Loader, VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Panel } from './panel.tsx';

/** Nothing to show, and why. */
export function Empty({ icon, title, text, action }: EmptyProps) {
  return (
    <Panel py="xl" role="status">
      <EmptyState icon={icon} title={title} description={text}>
        {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
      </EmptyState>
    </Panel>
  );
}
type EmptyProps = { icon?: ReactNode; title: string; text?: string; action?: ReactNode };

export function ErrorBanner({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
      <span>{text}</span>
      {onRetry && (
        <Button variant="default" size="compact-sm" ml="md" onClick={onRetry}>
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

export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="50vh" role="status">
      <Loader />
      <VisuallyHidden>{label}</VisuallyHidden>
    </Center>
  );
}
