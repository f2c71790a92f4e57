import { type ComponentType, type ReactNode, useLayoutEffect, useReducer, useState } from 'react';
import { loadAgain } from './loadAgain.ts';

/** A component whose file is loaded on first use. */
export interface Late<P extends object> {
  View: ComponentType<P>;
  /** Fetches the file ahead, so that the view is drawn without waiting. Rejects as the import does. */
  load: () => Promise<void>;
  /** The same without a promise: a failure shows when the view is drawn. */
  preload: () => void;
}

/**
 * As React's `lazy`, but without Suspense: React keeps each fallback of Suspense on screen for 300 ms at least, and a tab whose chart comes
 * late would wait for them one after the other. A file that failed to load is requested once more: Firefox and Safari fetch it again,
 * Chromium caches the failure until the page is reloaded, which the boundary offers.
 * @param fallback shown until the file is loaded
 */
export function late<P extends object>(
  fetchView: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): Late<P> {
  let Loaded: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    if (Loaded !== undefined) return Promise.resolve();
    loading ??= loadAgain(fetchView, { pausesMs: [500] })
      .then((View) => {
        Loaded = View;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  function View(props: P) {
    const [, redraw] = useReducer((count: number) => count + 1, 0);
    const [failure, setFailure] = useState<{ cause: unknown } | null>(null);
    const isShown = Loaded !== undefined;
    useLayoutEffect(() => {
      if (isShown) return;
      let isOver = false;
      load().then(
        () => {
          if (!isOver) redraw();
        },
        (cause: unknown) => {
          if (!isOver) setFailure({ cause });
        },
      );
      return () => {
        isOver = true;
      };
    }, [isShown]);
    // For the boundary around it, which says what is missing.
    if (failure !== null) throw failure.cause;
    return Loaded === undefined ? fallback : <Loaded {...props} />;
  }
  return { View, load, preload: () => void load().catch(() => undefined) };
}
