import { createStore } from './store.ts';

export const SERVICE_WORKER = '/service-worker.js';

/** Whether a newer build than the one of this page is ready, and whether it is being taken. */
export const updateState = createStore({ isReady: false, isTaken: false });

const CHECK_MS = 3_600_000;
/** A worker that sleeps is started first, which takes seconds on a busy machine; without its response an update would stay unseen. */
const ENTRY_MS_MAX = 60_000;
/**
 * A press of Update reloads the page after this long in any case. Not sooner: a page that loads from the old worker while the new one takes
 * over is left without a response (Chromium 153).
 */
const TAKEOVER_MS_MAX = 30_000;

const entryOfPage = (): string =>
  document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src') ?? '';

/** First script of the build of a worker; empty when it does not respond. */
function readEntry(worker: ServiceWorker): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => resolve(''), ENTRY_MS_MAX);
    port1.onmessage = ({ data }) => resolve(String(data));
    worker.postMessage('entry', [port2]);
  });
}

const isOther = (entry: string): boolean => entry !== '' && entry !== entryOfPage();

/** A build that waits: offered, or taken at once when this page is of it already and no other tab is open. */
async function checkWaiting({ waiting }: ServiceWorkerRegistration): Promise<void> {
  if (waiting === null) return;
  const entry = await readEntry(waiting);
  if (isOther(entry)) updateState.set({ isReady: true, isTaken: false });
  else if (entry !== '') waiting.postMessage('update when alone');
}

async function register(signal: AbortSignal): Promise<void> {
  const { serviceWorker } = navigator;
  // Another tab took the update, and this one is of the build before.
  const checkController = async () => {
    const { controller } = serviceWorker;
    if (controller !== null && isOther(await readEntry(controller))) updateState.set({ isReady: true, isTaken: false });
  };
  serviceWorker.addEventListener('controllerchange', () => void checkController(), { signal });
  const registration = await serviceWorker.register(SERVICE_WORKER, { scope: '/' });
  const follow = ({ installing }: ServiceWorkerRegistration) =>
    installing?.addEventListener('statechange', () => void checkWaiting(registration), { signal });
  follow(registration);
  registration.addEventListener('updatefound', () => follow(registration), { signal });
  await checkWaiting(registration);
  registration.active?.postMessage('refill');
  const timer = setInterval(() => void registration.update().catch(() => undefined), CHECK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/**
 * Stores the build for visits without a network once this page is loaded and quiet, and watches for newer ones. A browser without service
 * workers, or one that rejects them, does without.
 * @param whenQuiet runs work once the page has nothing better to do
 * @returns ends the watch
 */
export function startOfflineCopy(whenQuiet: (work: () => void) => unknown): () => void {
  const stop = new AbortController();
  const start = () =>
    whenQuiet(() => {
      if (!stop.signal.aborted) void register(stop.signal).catch(() => undefined);
    });
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true, signal: stop.signal });
  }
  return () => stop.abort();
}

export const dismissUpdate = (): void => updateState.set({ isReady: false, isTaken: false });

/** Takes the build that waits and reloads this page. Other tabs stay on their build until they reload. */
export async function takeUpdate(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration(SERVICE_WORKER).catch(() => undefined);
  const waiting = registration?.waiting ?? null;
  updateState.set({ isReady: true, isTaken: true });
  if (waiting !== null)
    await new Promise<void>((resolve) => {
      serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
      waiting.addEventListener('statechange', () => {
        if (waiting.state === 'activated' || waiting.state === 'redundant') resolve();
      });
      setTimeout(resolve, TAKEOVER_MS_MAX);
      waiting.postMessage('update');
    });
  location.reload();
}
