import { localOwner } from '../api/ownerId.ts';

/**
 * One IndexedDB store for data too large for localStorage. All of it can be loaded again, so a browser that denies it (private windows do)
 * only loses the cache: reads return undefined, writes do nothing.
 *
 * Records belong to the signed-in user: each key contains the user id, so that another user never reads them, whatever happened to the
 * cookie meanwhile.
 */
const NAME = 'sextant';
const STORE = 'records';
const ownKey = (key: string): string => `${localOwner.id}\n${key}`;

/** Some browsers never respond when their store is damaged: it then counts as missing, until a late response arrives. */
const OPEN_MS_MAX = 4000;
let isSilent = false;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (isSilent) throw new Error('IndexedDB does not respond');
    const request = indexedDB.open(NAME, 1);
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      isSilent = true;
      reject(new Error('IndexedDB does not respond'));
    }, OPEN_MS_MAX);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
      if (isGivenUp) request.result.close();
      isSilent = false;
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error ?? new Error('IndexedDB refused'));
    };
  });
}

/** Sends its requests to the store and passes on the result; a request may follow the success of another. */
type Work<T> = (store: IDBObjectStore, respond: (value: T) => void) => void;

/** @returns the result, once the transaction has ended; undefined when it failed */
async function inStore<T>(mode: IDBTransactionMode, work: Work<T>): Promise<T | undefined> {
  let database: IDBDatabase;
  try {
    database = await open();
  } catch {
    return undefined;
  }
  try {
    return await new Promise<T | undefined>((resolve) => {
      const transaction = database.transaction(STORE, mode);
      let responded: T | undefined;
      // A full disk is noticed when the transaction ends, after the request has succeeded.
      transaction.oncomplete = () => resolve(responded);
      transaction.onabort = () => resolve(undefined);
      transaction.onerror = () => resolve(undefined);
      work(transaction.objectStore(STORE), (value) => (responded = value));
    });
  } catch {
    // A store that was taken away under an open page, or a value that is too large to be copied.
    return undefined;
  } finally {
    database.close();
  }
}

/**
 * A longer column is stored in parts beside its record, each copied in a separate task: a deep search has fifty megabytes, and a browser
 * that copies them at once stops the page for a tenth of a second.
 */
const PART_VALUES = 100_000;
const partKey = (key: string, part: number | ''): string => `${key}\n${part}`;

/** Placeholder in the record for a column stored in parts. */
interface InParts {
  columnInParts: number;
}

const isInParts = (value: object): value is InParts => 'columnInParts' in value;
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A copy of the record with its objects replaced where `replace` returns a value. Lists contain no columns. */
function mapRecord(value: unknown, replace: (value: unknown) => unknown): unknown {
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapRecord(each, replace)]));
}

/** The record without its long columns, and their parts in order: views, which are copied when they are put. */
function cutRecord(value: unknown): { head: unknown; parts: Float64Array[] } {
  const parts: Float64Array[] = [];
  const head = mapRecord(value, (each) => {
    if (!(each instanceof Float64Array) || each.length <= PART_VALUES) return undefined;
    for (let from = 0; from < each.length; from += PART_VALUES) parts.push(each.subarray(from, from + PART_VALUES));
    return { columnInParts: each.length } satisfies InParts;
  });
  return { head, parts };
}

/** The record with room for its long columns, and where their parts go. */
function openRecord(head: unknown): { record: unknown; places: Float64Array[] } {
  const places: Float64Array[] = [];
  const record = mapRecord(head, (each) => {
    if (!isPlain(each) || !isInParts(each)) return undefined;
    const column = new Float64Array(each.columnInParts);
    for (let from = 0; from < column.length; from += PART_VALUES)
      places.push(column.subarray(from, from + PART_VALUES));
    return column;
  });
  return { record, places };
}

export function readRecord(name: string): Promise<unknown> {
  const key = ownKey(name);
  return inStore<unknown>('readonly', (store, respond) => {
    const request = store.get(key);
    request.onsuccess = () => {
      const { record, places } = openRecord(request.result);
      const fill = (part: number): void => {
        const place = places[part];
        if (place === undefined) {
          respond(record);
          return;
        }
        const cached = store.get(partKey(key, part));
        cached.onsuccess = () => {
          // A missing part invalidates the record.
          if (!(cached.result instanceof Float64Array)) return;
          place.set(cached.result);
          fill(part + 1);
        };
      };
      fill(0);
    };
  });
}

/** @returns false when the browser did not keep it: it has no store, or no room */
export async function writeRecord(name: string, value: unknown): Promise<boolean> {
  const key = ownKey(name);
  const { head, parts } = cutRecord(value);
  const isStored = await inStore<boolean>('readwrite', (store, respond) => {
    const put = (part: number): void => {
      const values = parts[part];
      // A view would copy its whole column.
      if (values === undefined) respond(true);
      else store.put(values.slice(), partKey(key, part)).onsuccess = () => put(part + 1);
    };
    store.put(head, key);
    deleteParts(store, key, () => put(0));
  });
  return isStored === true;
}

export async function deleteRecord(name: string): Promise<void> {
  const key = ownKey(name);
  await inStore('readwrite', (store) => {
    store.delete(key);
    deleteParts(store, key);
  });
}

function deleteParts(store: IDBObjectStore, key: string, then?: () => void): void {
  const keys = store.getAllKeys();
  keys.onsuccess = () => {
    for (const each of keys.result)
      if (typeof each === 'string' && each.startsWith(partKey(key, ''))) store.delete(each);
    then?.();
  };
}

/** Deletes the records of all users but the signed-in one. */
export async function clearForeignRecords(): Promise<void> {
  const own = ownKey('');
  await inStore('readwrite', (store) => {
    const keys = store.getAllKeys();
    keys.onsuccess = () => {
      for (const each of keys.result) if (typeof each !== 'string' || !each.startsWith(own)) store.delete(each);
    };
  });
}

/** Deletes the records of all users. */
export async function clearRecords(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}
