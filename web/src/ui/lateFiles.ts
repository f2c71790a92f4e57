import { loadAgain } from './loadAgain.ts';

/** Pauses before a file of a late part is requested again, ms. */
export const latePausesMs = [500, 1500] as const;

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

/** Each file once; one that did not come is requested again by the next import. */
function requestOnce(path: string): Promise<void> {
  const known = arrived.get(path);
  if (known !== undefined) return known;
  const isStyle = path.endsWith('.css');
  // Part of the page as it was served: those are requested with it.
  if (document.querySelector(`link[href="${path}"], script[src="${path}"]`) !== null) return Promise.resolve();
  const request = isStyle ? addStyles : readScript;
  const canHeal = (failure: unknown) => !(failure instanceof MissingFile && failure.isGone);
  const loading = loadAgain(() => request(path), { canHeal, pausesMs: latePausesMs });
  arrived.set(path, loading);
  loading.catch(() => arrived.delete(path));
  return loading;
}

/** Reads a script to its end: a part of it is not in the cache. */
async function readScript(path: string): Promise<void> {
  const response = await fetch(path).catch(() => {
    throw new MissingFile(path);
  });
  if (!response.ok) throw new MissingFile(path, response.status);
  await response.arrayBuffer().catch(() => {
    throw new MissingFile(path);
  });
}

function addStyles(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = path;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new MissingFile(path));
    };
    document.head.append(link);
  });
}
