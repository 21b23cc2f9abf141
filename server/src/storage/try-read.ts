import { type ObjectStorage, StorageUnavailableError } from './port.ts';

/**
 * Retries once. Returns undefined if the object still cannot be read while the store is healthy: one bad disk
 * sector must not block all other objects. Throws if the store itself is unavailable.
 */
export async function tryRead<T>(storage: ObjectStorage, read: () => Promise<T>): Promise<T | undefined> {
  for (const isLast of [false, true]) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      await storage.checkHealth();
      if (isLast) return undefined;
    }
  }
  return undefined;
}
