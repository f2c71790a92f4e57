import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { VisionResult } from './contract.ts';
import type { Grounded, Grounding } from './groundPicture.ts';
import { contradictionOf } from './rules.ts';
import { isCurrent } from './material.ts';

/** Wire form of a picture's match in the candles of the market. */

export function groundingWire(
  { text, textFailure, candles, prices }: ChartReading,
  { found, symbolCount, intervals: searched, seriesCount, candleCount }: Grounding,
  nowMs: number,
): NonNullable<VisionResult['grounding']> {
  const title = { symbol: text?.symbol?.value ?? null, interval: text?.interval?.value ?? null };
  return {
    ...(found === null ? { ...unmatched, ...title } : matched(found, nowMs)),
    candle_count: candles.length,
    symbols_searched: symbolCount,
    intervals_searched: searched,
    series_searched: seriesCount,
    candles_searched: candleCount,
    price_scale: prices?.scale ?? null,
    price_error_pct: prices === null ? null : prices.residualFraction * 100,
    price_labels: prices?.labelsUsed ?? 0,
    text_failure: textFailure,
    title_symbol: title.symbol,
    title_interval: title.interval,
    contradiction: contradictionOf(title, found),
  };
}

const unmatched = {
  state: 'read' as const,
  from: null,
  to: null,
  is_current: false,
  correlation: null,
  correlation_part: null,
  residual_pct: null,
};

/** Null when the correlation covers every candle of the match. */
export function partOf({ measured: { from, to }, count }: Pick<Grounded['match'], 'measured' | 'count'>) {
  return from === 0 && to === count - 1 ? null : { first: from + 1, last: to + 1 };
}

const matched = (result: Grounded, nowMs: number) => ({
  state: 'verified' as const,
  symbol: result.symbol,
  interval: result.interval,
  from: new Date(result.fromMs).toISOString(),
  to: new Date(result.toMs).toISOString(),
  is_current: isCurrent(result, nowMs),
  correlation: result.match.correlation,
  correlation_part: partOf(result.match),
  residual_pct: result.match.residual * 100,
});

export const pct = (share: number): string => `${Math.round(share * 100)} %`;

/** With its number of candles, when it does not cover all. */
export function correlationText({
  correlation,
  correlation_part: part = null,
}: Pick<NonNullable<VisionResult['grounding']>, 'correlation' | 'correlation_part'>): string {
  const figure = (correlation ?? 0).toFixed(3);
  return part === null ? figure : `${figure}, of candles ${part.first} to ${part.last}`;
}
