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

/** Undefined for errors of the caller. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof ObjectMissingError) return 'missing';
  return error instanceof StorageUnavailableError ? 'unavailable' : undefined;
}

/** Wraps a storage and times every call. */
export function measuredStorage(storage: ObjectStorage, observe: Observe): ObjectStorage {
  function startTimer(operation: Operation): (outcome: Outcome | undefined) => void {
    const startedAt = performance.now();
    return (outcome) => {
      if (outcome) observe(operation, outcome, (performance.now() - startedAt) / 1000);
    };
  }

  async function timed<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const done = startTimer(operation);
    try {
      const result = await work();
      done(operation === 'head' && result === undefined ? 'missing' : 'ok');
      return result;
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }

  async function* list(...args: Parameters<ObjectStorage['list']>): AsyncIterable<StoredObject> {
    const done = startTimer('list');
    try {
      yield* storage.list(...args);
      done('ok');
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    }
  }

  // Rest arguments, because the compiler would not notice a missing optional one.
  return {
    ...storage,
    put: (...args) => timed('put', () => storage.put(...args)),
    get: (...args) => timed('get', () => storage.get(...args)),
    head: (...args) => timed('head', () => storage.head(...args)),
    delete: (...args) => timed('delete', () => storage.delete(...args)),
    list,
  };
}
