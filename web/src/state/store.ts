import { useSyncExternalStore } from 'react';

export interface Store<T extends object> {
  /** A new object after each change. */
  readonly current: Readonly<T>;
  set: (change: Partial<T>) => void;
  /** @returns the unsubscribe function */
  subscribe: (listener: () => void) => () => void;
}

/** State that public pages read too. Valtio, which the signed-in pages use, would add 2 KB to each of them. */
export function createStore<T extends object>(initial: T): Store<T> {
  let current: Readonly<T> = initial;
  const listeners = new Set<() => void>();
  return {
    get current() {
      return current;
    },
    set: (change) => {
      current = { ...current, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T extends object>(store: Store<T>): Readonly<T> {
  const read = (): Readonly<T> => store.current;
  return useSyncExternalStore(store.subscribe, read, read);
}
