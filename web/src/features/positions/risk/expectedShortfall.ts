import { type Closes, jointReturns, meanOf } from './returns.ts';

/** Share of the hours that count as the tail. */
export const TAIL_FRACTION = 0.05;
/** With fewer hours the tail is a handful of candles, and its mean is chance: 200 hours leave ten. */
export const SHORTFALL_RETURNS_MIN = 200;

export interface Holding {
  symbol: string;
  /** USDT at the last price; negative for a short. */
  exposureUsdt: number;
}

export type Shortfall =
  { usdt: number; count: number; tailCount: number } | { usdt: null; count: number; reason: string };

/**
 * Mean result of the worst 5 % of hours, had the positions of now been held through each of the last hours.
 * No levels: what the stops would have saved is left out, as is what a jump over them would cost.
 * @param closes hourly closes by symbol
 * @returns USDT, a loss is negative
 */
export function expectedShortfall(
  holdings: readonly Holding[],
  closes: ReadonlyMap<string, Closes>,
  stepMs: number,
): Shortfall {
  if (holdings.length === 0) return { usdt: null, count: 0, reason: 'no open position' };
  const unknown = holdings.filter(({ symbol }) => !closes.has(symbol)).map(({ symbol }) => symbol);
  if (unknown.length > 0) return { usdt: null, count: 0, reason: `no candles of ${unknown.join(', ')}` };
  const returns = jointReturns(
    holdings.map(({ symbol }) => closes.get(symbol) ?? new Map<number, number>()),
    stepMs,
  );
  const count = returns[0]?.length ?? 0;
  if (count < SHORTFALL_RETURNS_MIN)
    return { usdt: null, count, reason: `not enough data: ${count} of ${SHORTFALL_RETURNS_MIN} hours` };
  const results = Array.from({ length: count }, (_, hour) =>
    holdings.reduce((sum, { exposureUsdt }, at) => sum + exposureUsdt * (returns[at]?.[hour] ?? NaN), 0),
  );
  const tailCount = Math.floor(count * TAIL_FRACTION);
  const worst = results.sort((a, b) => a - b).slice(0, tailCount);
  return { usdt: meanOf(worst), count, tailCount };
}
