/**
 * The service worker of the product, served as /service-worker.js. It has no imports: the build removes its types and names its files.
 * Parts: 1. the copy of the build, 2. life, 3. requests, 4. messages of pages, 5. pushes.
 *
 * A copy has the files of one build and no response of the API. Every use of it may fail: the network then serves the page.
 */

/** Files of this build, written by `web/bundle/serviceWorker.ts`. `entry`: path of its first script, which names the build. */
declare const build: { entry: string; files: readonly string[] };

/** The part of the worker's interface used here; the pages' types have no service worker. */
interface WorkerScope {
  addEventListener: (type: string, listener: (event: never) => void) => void;
  location: { origin: string };
  registration: {
    active: unknown;
    installing: unknown;
    waiting: unknown;
    navigationPreload?: { enable: () => Promise<void> };
    showNotification: (title: string, options: object) => Promise<void>;
  };
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
interface RequestEvent extends LastingEvent {
  request: Request;
  /** The page that requests. */
  clientId: string;
  /** Id of the page that a navigation opens. */
  resultingClientId: string;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
}
interface PageMessage extends LastingEvent {
  data: unknown;
  source: { id: string } | null;
  ports: readonly MessagePort[];
}
interface PushedEvent extends LastingEvent {
  data: { json: () => unknown } | null;
}
interface PressedEvent extends LastingEvent {
  notification: { data: unknown; close: () => void };
}

const worker = globalThis as unknown as WorkerScope;

// 1. The copy of the build.

const PREFIX = 'build ';
const cacheName = `${PREFIX}${build.entry}`;
/** The page without a network. Stored last: a cache that has it has the whole build. */
const PAGE = '/offline';
/** Files requested at once, so that the page's own requests are not held back. */
const AT_ONCE = 6;
const FILE_MS_MAX = 60_000;

async function fetchFile(path: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(path, { cache, credentials: 'omit', signal: AbortSignal.timeout(FILE_MS_MAX) });
  if (!response.ok || response.redirected) throw new TypeError(`${path}: status ${response.status}`);
  return response;
}

async function storeFiles(cache: Cache): Promise<void> {
  for (let from = 0; from < build.files.length; from += AT_ONCE)
    await Promise.all(
      build.files.slice(from, from + AT_ONCE).map(async (path) => {
        // Names with a hash may come from the browser's own cache.
        const cached = path.startsWith('/assets/') ? 'default' : 'no-cache';
        // One lost connection among a hundred files is no reason to go without a copy until the next visit.
        const file = await fetchFile(path, cached).catch(() => fetchFile(path, cached));
        await cache.put(path, file);
      }),
    );
  const page = await fetchFile(PAGE, 'no-cache');
  // The server may have another build by now.
  if (!(await page.clone().text()).includes(`"${build.entry}"`)) throw new TypeError('the page is of another build');
  await cache.put(PAGE, page);
}

/** Stores this build unless it is stored. @returns whether it is stored; false without room, and without all files */
async function storeBuild(): Promise<boolean> {
  if (build.files.length === 0) return false;
  try {
    const cache = await caches.open(cacheName);
    if ((await cache.match(PAGE)) === undefined) await storeFiles(cache);
    return true;
  } catch {
    await caches.delete(cacheName).catch(() => false);
    return false;
  }
}

/** A stored file, of this build first, then of the newest: names with a hash are the same file in each build. Undefined without one. */
async function readStored(path: string): Promise<Response | undefined> {
  try {
    for (const name of [cacheName, ...(await otherCopies()).toReversed()]) {
      const stored = await caches.match(path, { ignoreVary: true, cacheName: name });
      if (stored !== undefined) return stored;
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/** Copies of other builds, the oldest first. */
const otherCopies = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== cacheName);

const countTabs = async (): Promise<number> =>
  (await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })).length;

// 2. Life: the worker of a new build waits until every tab is closed; pages do not, the network has theirs. It never takes over open tabs:
// Chromium 153 leaves a page without a response that loads meanwhile (a reload 0.3 s after an update hung in 4 of 12 trials).

/** Copies that open tabs may read beside this one. The oldest is of the worker that serves them. */
const COPIES_MAX = 3;

async function install(): Promise<void> {
  if (await storeBuild()) {
    const [, ...later] = await otherCopies().catch(() => []);
    for (const name of later.slice(0, -COPIES_MAX + 1)) await caches.delete(name);
    return;
  }
  // Without room: pushes need no copy. But an old copy that works stays with its worker.
  if (worker.registration.active !== null && (await readStored(PAGE)) !== undefined)
    throw new TypeError('the build was not stored');
}

async function activate(): Promise<void> {
  try {
    await worker.registration.navigationPreload?.enable();
    const others = await otherCopies();
    // Tabs that are open read late files of their own build.
    const unused = (await countTabs()) === 0 ? others : others.slice(0, -1);
    await Promise.all(unused.map((name) => caches.delete(name)));
  } catch {
    // Without caches there is nothing to delete.
  }
  await worker.clients.claim();
}

worker.addEventListener('install', (event: LastingEvent) => event.waitUntil(install()));
worker.addEventListener('activate', (event: LastingEvent) => event.waitUntil(activate()));

// 3. Requests: pages come from the network first, since page and API of a server belong together; files of a build from their copy.

/** A page without a response for this long, ms, opens from the copy. */
const PAGE_MS_MAX = 10_000;
const isPage = (path: string): boolean => !/^\/(?:api(?:-documentation)?|mcp)(?:\/|$)|\.[^/]*$/.test(path);

/**
 * Pages that came from the network and are still loading, by client id. Their files come from the browser's own cache, past this worker: a
 * browser fetches a preloaded file of a worker a second time, which took 130 ms of a visit. A worker that was stopped meanwhile knows none
 * of them and serves its copy.
 */
const loading = new Set<string>();
const LOADING_MAX = 50;

async function fetchPage({ request, preloadResponse, resultingClientId }: RequestEvent): Promise<Response> {
  const response = (await preloadResponse) ?? (await fetch(request));
  if (response.ok) loading.add(resultingClientId);
  const [oldest] = loading;
  if (oldest !== undefined && loading.size > LOADING_MAX) loading.delete(oldest);
  return response;
}

async function openPage(event: RequestEvent): Promise<Response> {
  const fetched = fetchPage(event);
  const isLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), PAGE_MS_MAX));
  const response = await Promise.race([fetched, isLate]).catch(() => null);
  if (response !== null) return response;
  const stored = await readStored(PAGE);
  if (stored === undefined) return fetched;
  // A response that arrives after this is not the page that loads.
  void fetched.then(
    () => loading.delete(event.resultingClientId),
    () => undefined,
  );
  return stored;
}

/** Opens a file of the copy; favicon and theme, whose names have no hash, come from the network while it responds. */
async function openFile(request: Request, path: string): Promise<Response> {
  if (path.startsWith('/assets/')) return (await readStored(path)) ?? fetch(request);
  const fetched = fetch(request);
  return (await fetched.catch(() => null)) ?? (await readStored(path)) ?? fetched;
}

worker.addEventListener('fetch', (event: RequestEvent) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  if (build.files.length === 0 || request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(openPage(event));
    return;
  }
  if (loading.has(clientId)) return;
  if (pathname.startsWith('/assets/') || build.files.includes(pathname)) event.respondWith(openFile(request, pathname));
});

// 4. Messages of pages (`web/src/state/offlineCopy.ts`).

/** Fills a copy that was deleted or had no room, and deletes those that no tab reads. The copy of a build that waits is whole already. */
async function refill(): Promise<void> {
  const { installing, waiting } = worker.registration;
  if (installing !== null || waiting !== null || !(await storeBuild())) return;
  const others = await otherCopies();
  const isAlone = (await countTabs()) <= 1;
  // Another build may be storing its copy by now.
  if (!isAlone || worker.registration.installing !== null || worker.registration.waiting !== null) return;
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** A tab is of the build that waits: that is now the one without a network. The files of this build stay for its open tabs. */
const leavePage = async (): Promise<void> => void (await (await caches.open(cacheName)).delete(PAGE));

worker.addEventListener('message', (event: PageMessage) => {
  if (event.data === 'entry') event.ports[0]?.postMessage(build.entry);
  if (event.data === 'superseded') event.waitUntil(leavePage().catch(() => undefined));
  if (event.data !== 'refill') return;
  // Sent by a page that is loaded: from now on it reads late files of its own build, whatever the server has by then.
  if (event.source !== null) loading.delete(event.source.id);
  event.waitUntil(refill().catch(() => undefined));
});

// 5. Pushes: shows each as a notification, and opens its place when it is pressed.

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
