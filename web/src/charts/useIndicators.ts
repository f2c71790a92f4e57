import type { Candles, IndicatorSeries } from '@sextant/workers/src/protocol/backtest.ts';
import { useEffect, useMemo, useState } from 'react';
import { messageOf } from '../api/failure.ts';
import type { IndicatorLines } from './indicatorLines.ts';

const none: IndicatorLines = { overlays: [], panes: [] };

interface Computed {
  candles: Candles;
  key: string;
  series: IndicatorSeries;
}

type Lines = typeof import('./indicatorLines.ts');

/** Lines of indicators of the engine over candles. The registry and the engine are fetched with the first one. */
export function useIndicators(
  candles: Candles,
  ids: readonly string[],
  decimals: number,
): IndicatorLines & { failure: string | null } {
  const [lines, setLines] = useState<Lines | null>(null);
  const [computed, setComputed] = useState<Computed | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const key = ids.join();
  useEffect(() => {
    if (key === '') return undefined;
    let isCurrent = true;
    const isStale = () => !isCurrent;
    const compute = async () => {
      const module = await import('./indicatorLines.ts');
      if (isStale()) return;
      setLines(module);
      const series = await module.computeIndicators(candles, key.split(','));
      if (isStale()) return;
      setComputed({ candles, key, series });
      setFailure(null);
    };
    compute().catch((fault: unknown) => {
      if (isCurrent) setFailure(messageOf(fault, 'the engine stopped.'));
    });
    return () => {
      isCurrent = false;
    };
  }, [candles, key]);
  const shown = useMemo(() => {
    if (key === '' || lines === null) return none;
    const isCurrent = computed?.candles === candles && computed.key === key;
    return lines.linesOf(key.split(','), decimals, isCurrent ? computed.series : undefined);
  }, [lines, computed, candles, key, decimals]);
  return { ...shown, failure: key === '' ? null : failure };
}
