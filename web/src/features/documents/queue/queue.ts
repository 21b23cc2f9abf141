import { getSession, onSessionChange, storedToken, userKeyOf } from '../../../api/session.ts';
import { createStore, useStore } from '../../../lib/store.ts';
import { rememberUpload } from '../recent-uploads.ts';
import { type Outcome, sendUpload } from './send.ts';
import { isToBeSent, isUnderWay, newUpload, type Upload } from './uploads.ts';

const maxSending = 3;
const [firstDelayMs, maxDelayMs] = [1_000, 30_000];

const store = createStore<readonly Upload[]>([]);
const sending = new Map<string, AbortController>();
/** The user in whose name the queue uploads. */
let owner: ReturnType<typeof userKeyOf> | undefined;

export const useUploads = () => useStore(store, (uploads) => uploads);
export const useHasUploads = () => useStore(store, (uploads) => uploads.length > 0);
export const isUploading = () => store.get().some(isUnderWay);

/** Starts a new list when the previous one is done. */
export function addFiles(customer: Upload['customer'], files: File[]): void {
  const session = getSession();
  if (!session) return;
  owner = userKeyOf(session.user);
  const before = isUploading() ? store.get() : store.get().filter(({ state }) => state !== 'saved');
  store.set([...before, ...files.map((file) => newUpload(customer, file))]);
  sendNext();
}

export function removeUpload(id: string): void {
  store.set(store.get().filter((upload) => upload.id !== id));
  stopSending(id);
  sendNext();
}

/** Cancelled uploads can be tried again. */
export function cancelAll(): void {
  change(isUnderWay, { state: 'failed', problem: 'Cancelled' });
  for (const id of [...sending.keys()]) stopSending(id);
}

/** Sends one failed upload again, or all of them. */
export function tryAgain(id?: string): void {
  const matches = (upload: Upload) => upload.state === 'failed' && (id === undefined || upload.id === id);
  change(matches, { state: 'queued', percent: 0 });
  resume();
}

export function clearUploads(): void {
  store.set([]);
  for (const id of [...sending.keys()]) stopSending(id);
}

function change(matches: (upload: Upload) => boolean, changes: Partial<Upload>): void {
  store.set(store.get().map((upload) => (matches(upload) ? { ...upload, ...changes } : upload)));
}

const changeOne = (id: string, changes: Partial<Upload>) => change((upload) => upload.id === id, changes);

function stopSending(id: string): void {
  sending.get(id)?.abort();
  sending.delete(id);
}

/** Another tab may have signed in another user a moment ago. */
function isOwnerSignedIn(): boolean {
  const session = getSession();
  return session !== undefined && userKeyOf(session.user) === owner && session.token === storedToken();
}

function sendNext(): void {
  if (retryTimer !== undefined || !isOwnerSignedIn()) return;
  const next = store.get().filter(isToBeSent);
  for (const upload of next.slice(0, maxSending - sending.size)) void send(upload);
}

async function send(upload: Upload): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  sending.set(upload.id, controller);
  changeOne(upload.id, { state: 'sending', percent: 0 });
  // The last percent is the server's work.
  const onProgress = (sent: number) =>
    change(({ id, state }) => id === upload.id && state === 'sending', {
      percent: Math.min(99, Math.floor(sent * 100)),
    });
  const outcome = await sendUpload(upload, { signal, onProgress });
  if (signal.aborted) return;
  sending.delete(upload.id);
  settle(upload.id, outcome);
  sendNext();
}

function settle(id: string, outcome: Outcome): void {
  if (outcome.result === 'saved') {
    failedAttempts = 0;
    if (outcome.document) rememberUpload(outcome.document);
    changeOne(id, { state: 'saved', document: outcome.document });
  } else if (outcome.result === 'try later') {
    changeOne(id, { state: 'waiting', percent: 0 });
    pause(outcome.afterSeconds);
  } else if (outcome.result === 'signed out') changeOne(id, { state: 'queued', percent: 0 });
  else changeOne(id, { state: outcome.result, problem: outcome.problem });
}

let failedAttempts = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/** The connection is the same for all, so all of them wait. */
function pause(atLeastSeconds: number): void {
  if (retryTimer !== undefined) return;
  const delay = Math.min(firstDelayMs * 2 ** failedAttempts, maxDelayMs);
  failedAttempts += 1;
  retryTimer = setTimeout(resume, Math.max(delay, atLeastSeconds * 1_000));
}

function resume(): void {
  clearTimeout(retryTimer);
  retryTimer = undefined;
  sendNext();
}

// Also on the sign-in screen, after an expired session.
window.addEventListener('beforeunload', (event) => {
  if (isUploading()) event.preventDefault();
});

window.addEventListener('online', () => {
  failedAttempts = 0;
  resume();
});

// Without a session the queue waits for the same user; another user neither sends nor sees these files.
onSessionChange(() => {
  const session = getSession();
  if (session && userKeyOf(session.user) !== owner) clearUploads();
  else sendNext();
});
