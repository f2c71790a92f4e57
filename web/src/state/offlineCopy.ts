import { createStore } from './store.ts';

export const SERVICE_WORKER = '/service-worker.js';

/** Whether a newer build than the one of this page is ready. */
export const updateState = createStore({ isReady: false });

const CHECK_MS = 3_600_000;
/** A worker that sleeps is started first, which takes seconds on a busy machine; without its response an update would stay unseen. */
const ENTRY_MS_MAX = 60_000;

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

/** A build that waits: offered, unless this page is of it already. Then it is also the one that opens without a network. */
async function checkWaiting({ waiting, active }: ServiceWorkerRegistration): Promise<void> {
  if (waiting === null) return;
  const entry = await readEntry(waiting);
  if (isOther(entry)) updateState.set({ isReady: true });
  // After a rollback both workers have one build, and its copy is the one to leave.
  else if (entry !== '' && active !== null && (await readEntry(active)) !== entry) active.postMessage('superseded');
}

async function register(signal: AbortSignal): Promise<void> {
  const { serviceWorker } = navigator;
  // A worker took over: of an update that another tab took, while this one is of the build before, or of this build, whose copy is then alone.
  const checkController = async () => {
    const { controller } = serviceWorker;
    if (controller === null) return;
    if (isOther(await readEntry(controller))) updateState.set({ isReady: true });
    else controller.postMessage('refill');
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

export const dismissUpdate = (): void => updateState.set({ isReady: false });

/** Takes the new build, whose page the network has. Other tabs stay on their build until they reload. */
export const takeUpdate = (): void => location.reload();
