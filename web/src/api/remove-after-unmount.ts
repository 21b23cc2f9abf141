import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Removes a deleted record from the cache once its screen has unmounted. Any sooner, the screen would
 * fetch it again and get a 404.
 */
export function removeAfterUnmount(client: QueryClient, queryKey: QueryKey): void {
  // Cached queries that are not on screen, such as lists, may still contain it.
  client.removeQueries({ type: 'inactive' });
  const cache = client.getQueryCache();
  const unsubscribe = cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.isActive() || query !== cache.find({ queryKey })) return;
    unsubscribe();
    cache.remove(query);
  });
}
