import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** Closes of a symbol by the open time of their candle, epoch ms. */
export type Closes = ReadonlyMap<number, number>;

export const closesOf = ({ time, close }: Pick<Candles, 'time' | 'close'>): Closes =>
  new Map(Array.from(time, (at, i) => [at, close[i] ?? Number.NaN]));

/**
 * Simple returns of several symbols over their common candles, oldest first; a gap in any of them gives no return.
 * @param stepMs length of a candle
 * @returns one list per symbol, all of one length; returns[s][i] of different symbols belong to the same candle
 */
export function jointReturns(symbols: readonly Closes[], stepMs: number): number[][] {
  const [first, ...others] = symbols;
  if (first === undefined) return [];
  const times = [...first.keys()].filter(
    (at) => first.has(at - stepMs) && others.every((closes) => closes.has(at) && closes.has(at - stepMs)),
  );
  times.sort((a, b) => a - b);
  return symbols.map((closes) => times.map((at) => (closes.get(at) ?? NaN) / (closes.get(at - stepMs) ?? NaN) - 1));
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Number of hourly returns (four days) below which a slope says more about the week than about the symbol. */
export const BETA_RETURNS_MIN = 96;

export interface Beta {
  /** Per cent the symbol moved with each per cent of the market, on average. */
  value: number;
  /** Returns it rests on. */
  count: number;
}

/**
 * Slope of a symbol's returns on the market's: covariance over variance.
 * @returns null with fewer than BETA_RETURNS_MIN common returns, or a market that did not move
 */
export function betaOf(symbol: Closes, market: Closes, stepMs: number): Beta | null {
  const [own = [], theirs = []] = jointReturns([symbol, market], stepMs);
  if (own.length < BETA_RETURNS_MIN) return null;
  const ownMean = meanOf(own);
  const theirMean = meanOf(theirs);
  let together = 0;
  let alone = 0;
  own.forEach((value, i) => {
    const market = (theirs[i] ?? NaN) - theirMean;
    together += (value - ownMean) * market;
    alone += market * market;
  });
  return alone > 0 ? { value: together / alone, count: own.length } : null;
}

/** Share of the hours that count as the tail. */
const TAIL_FRACTION = 0.05;
/** With fewer hours the tail is a handful of candles, and its mean is chance: 200 hours leave ten. */
export const SHORTFALL_RETURNS_MIN = 200;

interface Holding {
  symbol: string;
  /** USDT at the last price; negative for a short. */
  exposureUsdt: number;
}

type Shortfall = { usdt: number; count: number; tailCount: number } | { usdt: null; count: number; reason: string };

/**
 * Mean result of the worst 5 % of hours, had the current positions been held through each of the last hours. Without levels: it ignores
 * what the stops would have saved, and what a gap beyond them would cost.
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
