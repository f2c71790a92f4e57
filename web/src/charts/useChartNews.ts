import type { Candles } from '@sextant/workers/src/protocol.ts';
import { useMemo } from 'react';
import { useNewsMarks } from '../api/news.ts';
import type { ChartMark } from './chartModel.ts';
import { candleAt } from './markLayer.ts';

const none: readonly ChartMark[] = [];

/**
 * Stories about a symbol at the candles in which they were first seen, oldest first. None while they are read, when they cannot be, and
 * for a user who hides them.
 * @param symbol null: the candles are of no symbol of an exchange
 * @param stepMs length of a candle
 */
export function useChartNews(
  symbol: string | null,
  candles: Candles | undefined,
  stepMs: number,
): readonly ChartMark[] {
  const fromMs = candles?.time[0];
  const lastMs = candles?.time.at(-1);
  const isKnown = symbol !== null && fromMs !== undefined && lastMs !== undefined;
  const span = isKnown ? { fromMs, toMs: lastMs + stepMs } : undefined;
  const { data } = useNewsMarks(symbol ?? '', span);
  return useMemo(() => {
    if (data === undefined || candles === undefined || !isKnown) return none;
    return data
      .map(({ title, sentiment, first_seen_at: at }) => {
        const atMs = Date.parse(at);
        return { title, atMs, direction: sentiment, index: candleAt(candles, stepMs, atMs) };
      })
      .filter(({ index }) => index >= 0)
      .reverse();
  }, [data, candles, stepMs, isKnown]);
}
