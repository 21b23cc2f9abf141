import { QueryClient } from '@tanstack/react-query';
import { getSession, onSessionChange } from '../api/session.ts';
import { forgetScreens } from '../ui/opened-from.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: 1,
      retryDelay: 300,
      refetchOnWindowFocus: false,
      // Fails visibly when offline; by default a call would wait silently.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// The next user must not see the previous user's data.
onSessionChange(() => {
  if (getSession()) return;
  queryClient.clear();
  forgetScreens();
});
