import { type ComponentType, type ReactNode, useLayoutEffect, useReducer, useState } from 'react';

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
 * late would wait for them one after the other. `lateFiles.ts` requests a failed file again;
 * the boundary around the view shows one that stays missing, with a button that loads it again.
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
    loading ??= fetchView()
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
