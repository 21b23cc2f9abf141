import { createStore, useStore } from '../lib/store.ts';
import { ApiError } from './client.ts';

export type ReauthenticationPrompt = {
  onConfirmed: () => void;
  onCancel: () => void;
  /** The password is not enough: the change concerns the second factors. */
  needsFactor: boolean;
};

const prompt = createStore<ReauthenticationPrompt | undefined>(undefined);

/** The prompt that the dialog shows, if any. */
export const useReauthenticationPrompt = () => useStore(prompt, (value) => value);

function ask(error: ApiError): Promise<void> {
  const needsFactor = error.code === 'SECOND_FACTOR_REQUIRED';
  return new Promise<void>((resolve, reject) => {
    prompt.set({ onConfirmed: resolve, onCancel: () => reject(error), needsFactor });
  }).finally(() => prompt.set(undefined));
}

const confirmationCodes = new Set<string | undefined>(['CONFIRMATION_REQUIRED', 'SECOND_FACTOR_REQUIRED']);

/**
 * For calls that need a recent confirmation of the user's identity: prompts for it when the server requires it, then
 * retries the call. Cancelling rethrows the server's error, so that the caller's form keeps its input.
 */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError && confirmationCodes.has(error.code))) throw error;
    await ask(error);
    return send();
  }
}
