import { useEffect, useState } from 'react';
import { localOwner } from '../../api/ownerId.ts';
import type { DrawingSet } from './drawingSet.ts';

/** The drawings on a symbol of the signed-in user; null for visitors, without a symbol and until their file is loaded. */
export function useDrawings(symbol: string | null): DrawingSet | null {
  const [loaded, setLoaded] = useState<{ symbol: string; set: DrawingSet } | null>(null);
  useEffect(() => {
    if (symbol === null || localOwner.id === '') return undefined;
    let isCurrent = true;
    // A chart without a market, such as that of the public pages, does not load it. A file that stays missing leaves the chart as it is.
    import('./drawingSet.ts').then(
      ({ drawingsOf }) => {
        if (isCurrent) setLoaded({ symbol, set: drawingsOf(symbol) });
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [symbol]);
  return loaded?.symbol === symbol ? loaded.set : null;
}
