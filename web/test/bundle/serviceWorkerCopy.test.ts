import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { readServiceWorker } from '../../bundle/serviceWorker.ts';

const ORIGIN = 'https://sextant.example';
const ENTRY = '/assets/index-1.js';
const FILES = [ENTRY, '/assets/late-1.js', '/theme-first.mjs'];
let source: string;
beforeAll(async () => {
  source = await readServiceWorker(ENTRY, FILES);
});

type Listener = (event: object) => void;
type Stores = Map<string, Map<string, Response>>;

/** As much of the Cache interface as the worker uses. `room`: files that fit, `isBroken`: every call fails. */
function createCaches(stores: Stores, limits: { room: number; isBroken: boolean }) {
  const respond = <T>(value: () => T): Promise<T> =>
    limits.isBroken ? Promise.reject(new DOMException('broken', 'UnknownError')) : Promise.resolve(value());
  const cacheOf = (store: Map<string, Response>) => ({
    match: (path: string) => Promise.resolve(store.get(path)?.clone()),
    delete: (path: string) => Promise.resolve(store.delete(path)),
    put: (path: string, response: Response) => {
      if (store.size >= limits.room) return Promise.reject(new DOMException('full', 'QuotaExceededError'));
      store.set(path, response);
      return Promise.resolve();
    },
  });
  return {
    open: (name: string) =>
      respond(() => {
        const store = stores.get(name) ?? new Map<string, Response>();
        stores.set(name, store);
        return cacheOf(store);
      }),
    match: (path: string, { cacheName }: { cacheName?: string } = {}) =>
      respond(() => {
        const names = cacheName === undefined ? [...stores.keys()] : [cacheName];
        return names.map((name) => stores.get(name)?.get(path)?.clone()).find((each) => each !== undefined);
      }),
    keys: () => respond(() => [...stores.keys()]),
    delete: (name: string) => Promise.resolve(stores.delete(name)),
  };
}

/** The worker of build 1 on a server, in a browser that may have copies of other builds. */
function start({ stores = new Map(), active = null }: { stores?: Stores; active?: object | null } = {}) {
  const listeners = new Map<string, Listener>();
  const limits = { room: Infinity, isBroken: false };
  /** Responses of the server by path; other paths have no network. */
  const server = new Map<string, string>([
    ...FILES.map((path): [string, string] => [path, `file ${path}`]),
    ['/offline', `<script type="module" src="${ENTRY}"></script>`] as const,
    ['/', 'the page of the server'] as const,
  ]);
  const requested: string[] = [];
  /** Paths whose next request fails. */
  const lost = new Set<string>();
  let tabs = 1;
  const scope = {
    URL,
    AbortSignal,
    TypeError,
    Promise,
    setTimeout: (work: () => void) => setTimeout(work, 1e6).unref(),
    location: { origin: ORIGIN },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    caches: createCaches(stores, limits),
    fetch: (given: string | { url: string }) => {
      const path = typeof given === 'string' ? given : new URL(given.url).pathname;
      requested.push(path);
      if (lost.delete(path)) return Promise.reject(new TypeError('connection lost'));
      const body = server.get(path);
      return body === undefined ? Promise.reject(new TypeError('no network')) : Promise.resolve(new Response(body));
    },
    registration: { active, installing: null, waiting: null as object | null },
    clients: {
      claim: () => Promise.resolve(),
      matchAll: () => Promise.resolve(Array.from({ length: tabs }, () => ({}))),
    },
  };
  runInContext(source, createContext(scope));
  const last = async (type: string, event: object): Promise<void> => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(type)?.({ ...event, waitUntil: (lasting: Promise<unknown>) => (work = lasting) });
    await work;
  };
  /** Response of the worker as text; null: it leaves the request to the browser. */
  const request = async (path: string, { mode = 'cors', method = 'GET', origin = ORIGIN, client = 'a page' } = {}) => {
    const given: Promise<Response>[] = [];
    listeners.get('fetch')?.({
      request: { url: `${origin}${path}`, mode, method },
      clientId: mode === 'navigate' ? '' : client,
      resultingClientId: mode === 'navigate' ? client : '',
      preloadResponse: Promise.resolve(undefined),
      respondWith: (response: Promise<Response>) => given.push(response),
    });
    const [response] = given;
    return response === undefined ? null : (await response).text();
  };
  return {
    stores,
    limits,
    server,
    requested,
    lose: (path: string) => lost.add(path),
    install: () => last('install', {}),
    activate: () => last('activate', {}),
    send: (data: string, from = 'a page') => last('message', { data, ports: [], source: { id: from } }),
    request,
    open: (path: string, client = 'a page') => request(path, { mode: 'navigate', client }),
    setWaiting: (waiting: object | null) => (scope.registration.waiting = waiting),
    setTabs: (count: number) => (tabs = count),
  };
}

const name = `build ${ENTRY}`;
const pathsOf = (stores: Stores, cache: string): string[] => [...(stores.get(cache)?.keys() ?? [])].sort();

describe('the copy of a build', () => {
  it('DESK-151 has all files of one build and its page, stored last', async () => {
    const { stores, install, requested } = start();
    await install();
    expect(pathsOf(stores, name)).toEqual([...FILES, '/offline'].sort());
    expect(requested.at(-1)).toBe('/offline');
  });

  it('DESK-151 is not stored when the server has another build by now, or lacks a file', async () => {
    const other = start();
    other.server.set('/offline', '<script type="module" src="/assets/index-2.js"></script>');
    await other.install();
    expect(other.stores.size).toBe(0);
    const gone = start();
    gone.server.delete('/assets/late-1.js');
    await gone.install();
    expect(gone.stores.size).toBe(0);
  });

  it('DESK-151 a file whose connection is lost once is requested again', async () => {
    const { stores, install, lose } = start();
    lose('/assets/late-1.js');
    await install();
    expect(pathsOf(stores, name)).toEqual([...FILES, '/offline'].sort());
  });

  it('DESK-153 a full or broken cache leaves no part of a build, and the page comes from the network', async () => {
    const full = start();
    full.limits.room = 2;
    await full.install();
    expect(full.stores.size).toBe(0);
    expect(await full.request(ENTRY)).toBe(`file ${ENTRY}`);
    expect(await full.open('/')).toBe('the page of the server');
    full.limits.room = Infinity;
    await full.send('refill');
    expect(pathsOf(full.stores, name)).toHaveLength(4);
    full.limits.isBroken = true;
    full.server.set(ENTRY, 'from the server');
    expect(await full.request(ENTRY)).toBe('from the server');
    expect(await full.open('/')).toBe('the page of the server');
    await full.activate();
  });

  it('DESK-153 a new build that cannot be stored does not replace a copy that works', async () => {
    const stores: Stores = new Map([['build /assets/index-0.js', new Map([['/offline', new Response('old')]])]]);
    const next = start({ stores, active: {} });
    next.limits.room = 2;
    await expect(next.install()).rejects.toThrow('not stored');
    // Without one there is nothing to lose: pushes get the new worker.
    const first = start({ active: {} });
    first.limits.room = 2;
    await first.install();
  });

  it('DESK-150 a page comes from the network first and from the copy without one, each place of the product alike', async () => {
    const { install, open, server } = start();
    await install();
    expect(await open('/')).toBe('the page of the server');
    server.clear();
    for (const path of ['/', '/?tab=signals', '/features']) expect(await open(path), path).toContain(ENTRY);
  });

  it('DESK-150 a page from the network loads its files past the worker, and late files come from the copy', async () => {
    const { install, open, request, send, server } = start();
    await install();
    await open('/', 'one');
    expect(await request(ENTRY, { client: 'one' })).toBeNull();
    expect(await request(ENTRY, { client: 'other' })).toBe(`file ${ENTRY}`);
    await send('refill', 'one');
    server.clear();
    expect(await request('/assets/late-1.js', { client: 'one' })).toBe('file /assets/late-1.js');
    // Without a network the copy is the page, and its files come from there.
    await open('/', 'two');
    expect(await request(ENTRY, { client: 'two' })).toBe(`file ${ENTRY}`);
  });

  it('DESK-154 no response of the API is served or stored, nor one of another origin, and no change', async () => {
    const { install, open, request, stores } = start();
    await install();
    for (const path of ['/api/auth/session', '/api/positions?x=1']) expect(await request(path), path).toBeNull();
    for (const path of ['/api/backtest/export', '/api-documentation', '/mcp', '/share.png'])
      expect(await open(path), path).toBeNull();
    expect(await request(ENTRY, { method: 'POST' })).toBeNull();
    expect(await request(ENTRY, { origin: 'https://elsewhere.example' })).toBeNull();
    expect(pathsOf(stores, name)).toHaveLength(4);
  });

  it('DESK-151 late files of the build before stay while a tab may use them, and go when none does', async () => {
    const older = new Map([['/assets/late-x.js', new Response('x')]]);
    const before = new Map([['/assets/late-0.js', new Response('late 0')]]);
    const stores: Stores = new Map([
      ['build /assets/index-x.js', older],
      ['build /assets/index-0.js', before],
      ['of another feature', new Map()],
    ]);
    const next = start({ stores, active: {} });
    await next.install();
    await next.activate();
    expect([...stores.keys()]).toEqual(['build /assets/index-0.js', 'of another feature', name]);
    expect(await next.request('/assets/late-0.js')).toBe('late 0');
    next.setTabs(2);
    await next.send('refill');
    expect(stores.has('build /assets/index-0.js')).toBe(true);
    next.setTabs(1);
    await next.send('refill');
    expect([...stores.keys()]).toEqual(['of another feature', name]);
  });

  it('DESK-151 of builds that no tab opened only the newest stay, beside that of the worker that serves', async () => {
    const old = (at: number): string => `build /assets/index-0${at}.js`;
    const stores: Stores = new Map([1, 2, 3, 4, 5].map((at) => [old(at), new Map()]));
    await start({ stores, active: {} }).install();
    expect([...stores.keys()]).toEqual([old(1), old(4), old(5), name]);
  });

  it('DESK-152 without a network the build of a tab that took the update opens, files of the other tabs stay', async () => {
    const old = start();
    await old.install();
    const second = '<script type="module" src="/assets/index-2.js"></script>';
    old.stores.set('build /assets/index-2.js', new Map([['/offline', new Response(second)]]));
    old.server.clear();
    expect(await old.open('/')).toContain(ENTRY);
    old.setWaiting({});
    await old.send('superseded');
    await old.send('refill');
    expect(await old.open('/')).toBe(second);
    // The newest of several that were taken.
    const third = '<script type="module" src="/assets/index-3.js"></script>';
    old.stores.set('build /assets/index-3.js', new Map([['/offline', new Response(third)]]));
    expect(await old.open('/')).toBe(third);
    expect(await old.request('/assets/late-1.js', { client: 'other' })).toBe('file /assets/late-1.js');
  });
});
