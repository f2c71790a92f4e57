/** As much of IndexedDB as the app uses, in memory. `isFull`: the put succeeds and its transaction is then aborted, as browsers do. */
export interface MemoryDatabase {
  factory: unknown;
  records: Map<string, unknown>;
  isFull: boolean;
}

type Listener = (() => void) | undefined;

interface Request {
  result: unknown;
  onsuccess?: Listener;
}

interface Transaction {
  oncomplete?: Listener;
  onabort?: Listener;
  objectStore: () => unknown;
  /** Requests that have not succeeded: it ends with the last one. */
  openCount: number;
}

export function createMemoryDatabase(): MemoryDatabase {
  const memory: MemoryDatabase = { factory: undefined, records: new Map(), isFull: false };
  const transaction = (): Transaction => {
    const made: Transaction = {
      openCount: 0,
      objectStore: () => ({
        get: (key: string) => send(made, () => memory.records.get(key)),
        getAllKeys: () => send(made, () => [...memory.records.keys()]),
        put: (value: unknown, key: string) => {
          const copy: unknown = structuredClone(value);
          const keep = (): string => {
            if (!memory.isFull) memory.records.set(key, copy);
            return key;
          };
          return send(made, keep, memory.isFull);
        },
        delete: (key: string) => send(made, () => memory.records.delete(key)),
        clear: () => send(made, () => memory.records.clear()),
      }),
    };
    return made;
  };
  const database = { transaction, close: () => undefined, createObjectStore: () => undefined };
  memory.factory = {
    open: () => {
      const request: Request = { result: database };
      queueMicrotask(() => request.onsuccess?.());
      return request;
    },
  };
  return memory;
}

function send(transaction: Transaction, result: () => unknown, isAborted = false): Request {
  const request: Request = { result: undefined };
  transaction.openCount++;
  queueMicrotask(() => {
    request.result = result();
    request.onsuccess?.();
    transaction.openCount--;
    queueMicrotask(() => {
      if (isAborted) transaction.onabort?.();
      else if (transaction.openCount === 0) transaction.oncomplete?.();
    });
  });
  return request;
}
