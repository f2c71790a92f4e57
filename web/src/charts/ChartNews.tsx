import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { useMemo } from 'react';
import { useNewsMarks } from '../api/news.ts';
import { Time } from '../ui/Time.tsx';
import type { ChartMark } from './chartModel.ts';
import { candleAt } from './levelsAndMarks.ts';

const SHOWN_MAX = 5;
const tones = { bullish: 'text-up', bearish: 'text-down', neutral: 'text-muted' } as const;

/** The newest stories marked on a chart, readable without hovering. Nothing without marks. */
export function NewsLegend({ marks }: { marks: readonly ChartMark[] }) {
  if (marks.length === 0) return null;
  const shown = marks.slice(-SHOWN_MAX).reverse();
  return (
    <section aria-label="News on this chart" className="border-t border-line px-3 py-1.5 text-label">
      <p className="text-muted">
        {marks.length === 1 ? 'Diamond: a story' : `Diamonds: ${marks.length} stories`} at the candle of first sight
        {marks.length > SHOWN_MAX && `; newest ${SHOWN_MAX} listed`}.
      </p>
      <ul>
        {shown.map(({ atMs, title, direction }) => (
          <li key={`${atMs} ${title}`} className="flex gap-2">
            <span className="shrink-0 text-muted">
              <Time at={atMs} />
            </span>
            <span className="min-w-0 truncate" title={title}>
              <span className={tones[direction]}>{direction}</span> {title}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const none: readonly ChartMark[] = [];

/**
 * Stories about a symbol at the candles in which they were first seen, oldest first. None while loading, on failure, and for users who hide
 * them.
 * @param symbol null: the candles belong to no listed symbol
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
