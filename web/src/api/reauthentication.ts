import { createStore, useStore } from '../lib/store.ts';
import { ApiError } from './client.ts';

export type ReauthenticationPrompt = { onConfirmed: () => void; onCancel: () => void };

const prompt = createStore<ReauthenticationPrompt | undefined>(undefined);

/** What the dialog has to answer; undefined while nothing is asked. */
export const useReauthenticationPrompt = () => useStore(prompt, (value) => value);

function ask(error: unknown): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    prompt.set({ onConfirmed: resolve, onCancel: () => reject(error) });
  }).finally(() => prompt.set(undefined));
}

/**
 * For calls that need a recent confirmation of the user's identity: prompts for it when the server requires it, then
 * retries the call. Cancelling rethrows the server's error, so that the caller's form keeps its input.
 */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED')) throw error;
    await ask(error);
    return send();
  }
}
