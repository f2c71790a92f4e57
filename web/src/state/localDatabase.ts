/**
 * One IndexedDB store for what is too large for localStorage. Everything in it can be had again, so a browser that
 * refuses it (private windows do) only costs the comfort: reads give undefined, writes do nothing.
 */
const NAME = 'sextant';
const STORE = 'records';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB refused'));
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
      const request = ask(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    });
  } finally {
    database.close();
  }
}

export function readRecord(key: string): Promise<unknown> {
  return inStore('readonly', (store) => store.get(key) as IDBRequest<unknown>);
}

export async function writeRecord(key: string, value: unknown): Promise<void> {
  await inStore('readwrite', (store) => store.put(value, key));
}

export async function clearRecords(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}
