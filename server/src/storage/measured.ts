import { performance } from 'node:perf_hooks';
import {
  ObjectMissingError,
  type ObjectStorage,
  StorageUnavailableError,
  type StoredObject,
} from './port.ts';

export type Operation = 'put' | 'get' | 'head' | 'delete' | 'list';
export type Outcome = 'ok' | 'missing' | 'unavailable';
export type Observe = (operation: Operation, outcome: Outcome, seconds: number) => void;

/** Undefined for mistakes of the caller, about which the storage can do nothing. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof ObjectMissingError) return 'missing';
  return error instanceof StorageUnavailableError ? 'unavailable' : undefined;
}

/** The same storage, every call of it timed. */
export function measuredStorage(storage: ObjectStorage, observe: Observe): ObjectStorage {
  function started(operation: Operation): (outcome: Outcome | undefined) => void {
    const since = performance.now();
    return (outcome) => {
      if (outcome) observe(operation, outcome, (performance.now() - since) / 1000);
    };
  }

  async function timed<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const done = started(operation);
    try {
      const result = await work();
      done(operation === 'head' && result === undefined ? 'missing' : 'ok');
      return result;
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }

  async function* list(...given: Parameters<ObjectStorage['list']>): AsyncIterable<StoredObject> {
    const done = started('list');
    try {
      yield* storage.list(...given);
      done('ok');
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }

  // Whatever a call is given is passed on: of one that is left out the compiler would not say a word.
  return {
    ...storage,
    put: (...given) => timed('put', () => storage.put(...given)),
    get: (...given) => timed('get', () => storage.get(...given)),
    head: (...given) => timed('head', () => storage.head(...given)),
    delete: (...given) => timed('delete', () => storage.delete(...given)),
    list,
  };
}
