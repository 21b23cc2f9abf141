import type { ObjectStorage } from './port.ts';

/** Adds a parent key to every key, so that part of a store looks like a whole store. */
export function prefixedStorage(storage: ObjectStorage, parentKey: string): ObjectStorage {
  const addPrefix = (key: string) => `${parentKey}/${key}`;
  const stripPrefix = (key: string) => key.slice(parentKey.length + 1);
  return {
    put: (key, body) => storage.put(addPrefix(key), body),
    get: (key, options) => storage.get(addPrefix(key), options),
    async head(key) {
      const stored = await storage.head(addPrefix(key));
      return stored && { ...stored, key };
    },
    delete: (key) => storage.delete(addPrefix(key)),
    async *list(prefix, onStray) {
      const report = onStray && ((name: string) => onStray(stripPrefix(name)));
      for await (const stored of storage.list(addPrefix(prefix), report)) {
        yield { ...stored, key: stripPrefix(stored.key) };
      }
    },
    checkHealth: () => storage.checkHealth(),
    close: () => storage.close(),
  };
}
