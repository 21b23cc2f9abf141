import type { ObjectStorage } from './port.ts';

/** A part of a store as a store of its own: all keys are below the given one. */
export function storageBelow(storage: ObjectStorage, parentKey: string): ObjectStorage {
  const within = (key: string) => `${parentKey}/${key}`;
  const without = (key: string) => key.slice(parentKey.length + 1);
  return {
    put: (key, body) => storage.put(within(key), body),
    get: (key, ...given) => storage.get(within(key), ...given),
    async head(key) {
      const stored = await storage.head(within(key));
      return stored && { ...stored, key };
    },
    delete: (key) => storage.delete(within(key)),
    async *list(prefix, onStray) {
      const tell = onStray && ((name: string) => onStray(without(name)));
      for await (const stored of storage.list(within(prefix), tell)) {
        yield { ...stored, key: without(stored.key) };
      }
    },
    checkHealth: () => storage.checkHealth(),
    close: () => storage.close(),
  };
}
