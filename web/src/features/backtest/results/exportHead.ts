import type { LoadedCandles } from '../../../api/candles.ts';

/** Source of the candles of an exported file and how many of them were scored, by the names of the API. */
export function candlesHead({ label, interval, source, exchange, candles: { time } }: LoadedCandles, scored: number) {
  return {
    label,
    interval,
    source,
    exchange,
    firstCandleMs: time[0] ?? null,
    lastCandleMs: time.at(-1) ?? null,
    loaded: time.length,
    scored,
  };
}
