import { QueryClient } from '@tanstack/react-query';
import { getSession, onSessionChange } from '../api/session.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: 1,
      retryDelay: 300,
      refetchOnWindowFocus: false,
      // Offline, a call fails and says so; by default it would wait in silence.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// What one user has seen is none of the next one's business.
onSessionChange(() => {
  if (!getSession()) queryClient.clear();
});
