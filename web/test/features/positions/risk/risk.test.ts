import { describe, expect, it } from 'vitest';
import {
  BETA_RETURNS_MIN,
  betaOf,
  type Closes,
  expectedShortfall,
  jointReturns,
  SHORTFALL_RETURNS_MIN,
} from '../../../../src/features/positions/risk/returnStatistics.ts';

const hour = 3_600_000;

/** Closes that make these returns, hour after hour. */
function closesBy(returns: readonly number[], start = 100): Closes {
  let close = start;
  const closes = new Map([[0, start]]);
  returns.forEach((value, i) => closes.set((i + 1) * hour, (close *= 1 + value)));
  return closes;
}
const repeat = (pattern: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, i) => pattern[i % pattern.length] ?? NaN);

describe('returns of several symbols', () => {
  it('are those of the candles all have, without the hours after a hole', () => {
    const whole = closesBy([0.1, -0.5, 0.2]);
    const holed = new Map([...closesBy([0.01, 0.02, 0.03])].filter(([at]) => at !== hour));
    expect(jointReturns([whole, holed], hour).map((list) => list.map((value) => value.toFixed(4)))).toEqual([
      ['0.2000'],
      ['0.0300'],
    ]);
    expect(jointReturns([], hour)).toEqual([]);
  });
});

describe('beta', () => {
  it('is 2 for a symbol that moves twice as far, and -0.5 for one that goes half the other way', () => {
    const moves = repeat([0.01, -0.02, 0.005, 0.03], 200);
    const market = closesBy(moves);
    expect(betaOf(closesBy(moves.map((move) => 2 * move)), market, hour)).toMatchObject({ count: 200 });
    expect(betaOf(closesBy(moves.map((move) => 2 * move)), market, hour)?.value).toBeCloseTo(2, 9);
    expect(betaOf(closesBy(moves.map((move) => -0.5 * move + 0.001)), market, hour)?.value).toBeCloseTo(-0.5, 9);
  });

  it('is the hand-worked slope: covariance 0.0003 over variance 0.0002', () => {
    // The market goes +2 % and -2 % in turn with a rest between, the symbol +3 %, -3 %, 0 %: slope 3/2.
    const market = closesBy(repeat([0.02, 0, -0.02, 0], 120));
    const symbol = closesBy(repeat([0.03, 0, -0.03, 0], 120));
    expect(betaOf(symbol, market, hour)?.value).toBeCloseTo(1.5, 9);
  });

  it('is absent with too few hours, and against a market that stands still', () => {
    const moves = repeat([0.01, -0.01], BETA_RETURNS_MIN - 1);
    expect(betaOf(closesBy(moves), closesBy(moves), hour)).toBeNull();
    const enough = repeat([0.01, -0.01], BETA_RETURNS_MIN);
    expect(betaOf(closesBy(enough), closesBy(repeat([0], BETA_RETURNS_MIN)), hour)).toBeNull();
  });
});

describe('expected shortfall', () => {
  // In 400 hours, 20 are the tail: ten of -10 % and ten of -4 %, mean -7 %.
  const returns = repeat([0.001], 400).map((calm, i) => (i < 10 ? -0.1 : i < 20 ? -0.04 : calm));
  const closes = new Map([
    ['AUSDT', closesBy(returns)],
    ['BUSDT', closesBy(returns.map((value) => -value))],
    ['NEWUSDT', closesBy(returns.slice(0, SHORTFALL_RETURNS_MIN - 1))],
  ]);

  it('is the mean of the worst twentieth of the hours, at today’s exposure', () => {
    const result = expectedShortfall([{ symbol: 'AUSDT', exposureUsdt: 1000 }], closes, hour);
    expect(result).toMatchObject({ count: 400, tailCount: 20 });
    expect(result.usdt).toBeCloseTo(-70, 9);
  });

  it('sees that a hedge halves it', () => {
    // A short of half the size in the same symbol: exposures add up.
    const holdings = [
      { symbol: 'AUSDT', exposureUsdt: 1000 },
      { symbol: 'AUSDT', exposureUsdt: -500 },
    ];
    expect(expectedShortfall(holdings, closes, hour).usdt).toBeCloseTo(-35, 9);
    const mirrored = [
      { symbol: 'AUSDT', exposureUsdt: 1000 },
      { symbol: 'BUSDT', exposureUsdt: 1000 },
    ];
    expect(expectedShortfall(mirrored, closes, hour).usdt).toBeCloseTo(0, 9);
  });

  it('says why there is none', () => {
    expect(expectedShortfall([], closes, hour)).toEqual({ usdt: null, count: 0, reason: 'no open position' });
    const unknown = [{ symbol: 'ZUSDT', exposureUsdt: 1 }];
    expect(expectedShortfall(unknown, closes, hour)).toMatchObject({ usdt: null, reason: 'no candles of ZUSDT' });
    const young = [{ symbol: 'NEWUSDT', exposureUsdt: 1 }];
    expect(expectedShortfall(young, closes, hour)).toEqual({
      usdt: null,
      count: SHORTFALL_RETURNS_MIN - 1,
      reason: `not enough data: ${SHORTFALL_RETURNS_MIN - 1} of ${SHORTFALL_RETURNS_MIN} hours`,
    });
  });
});
