import './zod-without-eval.ts';
import '@fontsource-variable/inter/wght.css';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');

/** Reports the cause, not React's message that it rendered again. */
function onRecoverableError(error: unknown): void {
  reportError(error instanceof Error ? (error.cause ?? error) : error);
}

createRoot(root, { onRecoverableError }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
