import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * For a record that is gone while its screen is still there: it is forgotten once the screen has been
 * left. Any sooner, the screen would ask for it again, and there is no such record.
 */
export function forgetOnceLeft(client: QueryClient, queryKey: QueryKey): void {
  // What is not on the screen, such as a list, may still name it.
  client.removeQueries({ type: 'inactive' });
  const cache = client.getQueryCache();
  const unsubscribe = cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.isActive() || query !== cache.find({ queryKey })) return;
    unsubscribe();
    cache.remove(query);
  });
}
