import { type Closes, jointReturns, meanOf } from './returns.ts';

/** Hourly returns below which a slope says more about the week than about the symbol: four days. */
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
