import { type ObjectStorage, StorageUnavailableError } from './port.ts';

/**
 * Undefined when this one object cannot be read, at a second try neither, although the store works otherwise: a
 * broken spot of a disk must not keep us from all other objects. A store that is away fails as ever.
 */
export async function readOrGiveUp<T>(
  storage: ObjectStorage,
  read: () => Promise<T>,
): Promise<T | undefined> {
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
