/**
 * The service worker of the product, served as /service-worker.js. It has no imports: the build only removes its types. Parts: 1. life,
 * 2. pushes. It caches nothing and serves no request of a page.
 */

/** The part of the worker's interface used here; the pages' types have no service worker. */
interface WorkerScope {
  addEventListener: (type: string, listener: (event: never) => void) => void;
  skipWaiting: () => Promise<void>;
  location: { origin: string };
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  clients: {
    claim: () => Promise<void>;
    matchAll: (options: object) => Promise<WorkerClient[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
}
interface WorkerClient {
  url: string;
  focus: () => Promise<WorkerClient>;
  navigate: (url: string) => Promise<unknown>;
}
interface LastingEvent {
  waitUntil: (work: Promise<unknown>) => void;
}
interface PushedEvent extends LastingEvent {
  data: { json: () => unknown } | null;
}
interface PressedEvent extends LastingEvent {
  notification: { data: unknown; close: () => void };
}

const worker = globalThis as unknown as WorkerScope;

// 1. Life: a new version replaces the old one at once, since it shares no state with pages.

worker.addEventListener('install', (event: LastingEvent) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event: LastingEvent) => event.waitUntil(worker.clients.claim()));

// 2. Pushes: shows each as a notification, and opens its place when it is pressed.

interface PushedMessage {
  title: string;
  body: string;
  tag: string | undefined;
  url: string;
}

/** A message of the server; a browser requires a notification for each push, so an unreadable one shows a general text. */
function readMessage(event: PushedEvent): PushedMessage {
  const general = { title: 'Sextant', body: 'An alert fired.', tag: undefined, url: '/?tab=dashboard&page=alerts' };
  try {
    const { title, body, tag, url } = (event.data?.json() ?? {}) as Partial<PushedMessage>;
    if (typeof title !== 'string' || title === '') return general;
    return { title, body: body ?? '', tag, url: placeOf(url) ?? general.url };
  } catch {
    return general;
  }
}

/** The place of a link of this product; undefined for any other link. */
function placeOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  const { origin, pathname, search } = new URL(url, worker.location.origin);
  return origin === worker.location.origin ? `${pathname}${search}` : undefined;
}

worker.addEventListener('push', (event: PushedEvent) => {
  const { title, body, tag, url } = readMessage(event);
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: '/favicon.svg', data: { url } }));
});

async function openPlace(url: string): Promise<void> {
  const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [page] = open.filter((each) => each.url.startsWith(worker.location.origin));
  if (page === undefined) await worker.clients.openWindow(url);
  else await (await page.focus()).navigate(url);
}

worker.addEventListener('notificationclick', (event: PressedEvent) => {
  event.notification.close();
  const { url } = (event.notification.data ?? {}) as { url?: unknown };
  event.waitUntil(openPlace(placeOf(url) ?? '/?tab=dashboard&page=alerts'));
});
