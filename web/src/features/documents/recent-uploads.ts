import type { Document } from '@customer-database/contract/documents';
import { getSession, onSessionChange } from '../../api/session.ts';
import { createStore, useStore } from '../../lib/store.ts';

const maxRemembered = 20;

/** The uploads of this tab since the sign-in, newest first. */
const store = createStore<readonly Document[]>([]);

export const useRecentUploads = () => useStore(store, (documents) => documents);

export function rememberUpload(document: Document): void {
  const others = store.get().filter(({ id }) => id !== document.id);
  store.set([document, ...others].slice(0, maxRemembered));
}

export function updateRecentUpload(changed: Document): void {
  store.set(store.get().map((document) => (document.id === changed.id ? changed : document)));
}

export function forgetUpload(id: number): void {
  store.set(store.get().filter((document) => document.id !== id));
}

// The next user must not see them.
onSessionChange(() => {
  if (!getSession()) store.set([]);
});
