/**
 * One IndexedDB store for what is too large for localStorage. Everything in it can be had again, so a browser that
 * refuses it (private windows do) only costs the comfort: reads give undefined, writes do nothing.
 */
const NAME = 'sextant';
const STORE = 'records';
/** Some browsers never answer when their store is damaged: there is none then, unless it answers after all. */
const OPEN_MS_MAX = 4000;
let isSilent = false;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (isSilent) throw new Error('IndexedDB does not answer');
    const request = indexedDB.open(NAME, 1);
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      isSilent = true;
      reject(new Error('IndexedDB does not answer'));
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

async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  let database: IDBDatabase;
  try {
    database = await open();
  } catch {
    return undefined;
  }
  try {
    return await new Promise<T | undefined>((resolve) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      // A full disk is noticed when the transaction ends, after the request has succeeded.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => resolve(undefined);
      transaction.onerror = () => resolve(undefined);
    });
  } catch {
    // A store that was taken away under an open page, or a value that is too large to be copied.
    return undefined;
  } finally {
    database.close();
  }
}

export function readRecord(key: string): Promise<unknown> {
  return inStore('readonly', (store) => store.get(key) as IDBRequest<unknown>);
}

/** @returns false when the browser did not keep it: it has no store, or no room */
export async function writeRecord(key: string, value: unknown): Promise<boolean> {
  return (await inStore('readwrite', (store) => store.put(value, key))) !== undefined;
}

export async function deleteRecord(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key));
}

export async function clearRecords(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}
