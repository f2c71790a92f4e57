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
}

export function createMemoryDatabase(): MemoryDatabase {
  const memory: MemoryDatabase = { factory: undefined, records: new Map(), isFull: false };
  const transaction = (): Transaction => {
    const made: Transaction = {
      objectStore: () => ({
        get: (key: string) => ask(made, () => memory.records.get(key)),
        put: (value: unknown, key: string) => {
          if (!memory.isFull) memory.records.set(key, structuredClone(value));
          return ask(made, () => key, memory.isFull);
        },
        delete: (key: string) => ask(made, () => memory.records.delete(key)),
        clear: () => ask(made, () => memory.records.clear()),
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

function ask(transaction: Transaction, result: () => unknown, isAborted = false): Request {
  const request: Request = { result: undefined };
  queueMicrotask(() => {
    request.result = result();
    request.onsuccess?.();
    queueMicrotask(() => (isAborted ? transaction.onabort : transaction.oncomplete)?.());
  });
  return request;
}
