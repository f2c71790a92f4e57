import { loadAgain } from './loadAgain.ts';

/** Pauses before a file of a late part is requested again, ms. */
export const latePausesMs = [500, 1500] as const;

/** After this time without a byte of any late file, ms, the missing ones count as failed: a file that only queues on a slow line does not. */
export const SILENCE_MS_MAX = 10_000;

/** A file of a late part did not arrive. */
export class MissingFile extends Error {
  override name = 'MissingFile';
  /** The server does not have it: a new version was installed, and only a reload of the page helps. */
  readonly isGone: boolean;

  constructor(path: string, status?: number) {
    super(`${path} did not arrive${status === undefined ? '' : `, status ${status}`}`);
    this.isGone = status === 404 || status === 410;
  }
}

const arrived = new Map<string, Promise<void>>();
/** When a byte of any late file came last, ms of `performance.now()`. */
let lastByteAtMs = 0;

/**
 * What each `import()` of the build calls (`web/bundle/lateFiles.ts`). Chromium keeps the failure of a module until the page is reloaded, so
 * that repeating the import does not help: its files are requested first, and again when one does not come. Then it is imported from the
 * HTTP cache.
 * @param files paths of the chunk, of what it imports and of its styles, without the slash
 * @throws MissingFile for the first one that did not come
 */
export async function importWithFiles<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map((file) => requestOnce(`/${file}`)));
  return load();
}

/** Loaded with the page and not late: what its entry runs. A link that only preloads a file does not show whether it came. */
const isOfPage = (path: string): boolean =>
  document.querySelector(
    `link[rel="stylesheet"][href="${path}"], link[rel="modulepreload"][href="${path}"], script[src="${path}"]`,
  ) !== null;

/** Each file once; one that did not come is requested again by the next import. */
function requestOnce(path: string): Promise<void> {
  const known = arrived.get(path);
  if (known !== undefined) return known;
  if (isOfPage(path)) return Promise.resolve();
  let isFirst = true;
  const request = async (): Promise<void> => {
    // Behind the first request, which may still hang, the browser's cache would hold back the next one.
    const cache = isFirst ? 'default' : 'reload';
    isFirst = false;
    await readFile(path, cache);
    if (path.endsWith('.css')) await addStyles(path);
  };
  const canHeal = (failure: unknown) => !(failure instanceof MissingFile && failure.isGone);
  const loading = loadAgain(request, { canHeal, pausesMs: latePausesMs });
  arrived.set(path, loading);
  loading.catch(() => arrived.delete(path));
  return loading;
}

/** Reads a file to its end: a part of it is not in the cache. */
async function readFile(path: string, cache: RequestCache): Promise<void> {
  const stop = new AbortController();
  const endWatch = watchSilence(() => stop.abort());
  try {
    const response = await fetch(path, { cache, signal: stop.signal });
    if (!response.ok) throw new MissingFile(path, response.status);
    const reader = response.body?.getReader();
    for (let isOver = reader === undefined; !isOver;) {
      lastByteAtMs = performance.now();
      isOver = (await reader?.read())?.done !== false;
    }
  } catch (failure) {
    throw failure instanceof MissingFile ? failure : new MissingFile(path);
  } finally {
    endWatch();
  }
}

/** @returns ends the watch */
function watchSilence(onSilent: () => void): () => void {
  const startedAtMs = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const check = (): void => {
    const leftMs = Math.max(startedAtMs, lastByteAtMs) + SILENCE_MS_MAX - performance.now();
    if (leftMs <= 0) onSilent();
    else timer = setTimeout(check, leftMs);
  };
  check();
  return () => clearTimeout(timer);
}

/** From the HTTP cache. */
async function addStyles(path: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = path;
  const hasLoaded = await new Promise<boolean>((resolve) => {
    link.onload = () => resolve(true);
    link.onerror = () => resolve(false);
    setTimeout(() => resolve(false), SILENCE_MS_MAX);
    document.head.append(link);
  });
  if (hasLoaded) return;
  link.remove();
  throw new MissingFile(path);
}
