import { confidenceOf } from '@sextant/workers/src/signals/rescoring.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { describe, expect, it } from 'vitest';
import {
  recordOfVotes,
  type SavedTuning,
  usable,
  valueOfTuning,
  type VotedSignal,
} from '../../../src/features/trackRecord/tuningValue.ts';

const savedAt = new Date(Date.UTC(2026, 0, 10));
const dayMs = 86_400_000;

/** A LONG with votes of RSI and ADX: (1.5 + 1) / 16 of the weights, or RSI alone: 1.5 / 16. */
function signal(number: number, change: Partial<VotedSignal> & { said?: Record<string, number> } = {}): VotedSignal {
  const { said = { rsi: 1, adx: 1 }, ...more } = change;
  const closeAtMs = more.closeAtMs ?? savedAt.getTime() - dayMs;
  return {
    id: `id${number}`,
    symbol: `S${number}USDT`,
    direction: 'LONG',
    closeAtMs,
    issuedAtMs: closeAtMs,
    horizonMinutes: 30,
    confidence: 0.29,
    rawConfidence: 0.29,
    isCalibrated: false,
    chance: null,
    points: [],
    score: 2.5 / 16,
    outcome: 'TP',
    netFraction: 0.04,
    isAmbiguous: false,
    exitAtMs: closeAtMs + 60_000,
    opinions: [['1h', 1, said]],
    tuning: neutralTuning,
    ...more,
  };
}
const many = (count: number, from: number, change: Parameters<typeof signal>[1]): VotedSignal[] =>
  Array.from({ length: count }, (_, i) => signal(from + i, change));

const rsiOnly = { said: { rsi: 1 }, score: 1.5 / 16 };
const lost = { outcome: 'SL', netFraction: -0.02 } as const;
/** A higher ADX weight, RSI is not tunable: 1.5 / 16.5 and 3 / 16.5 of the weights. */
const louder: SavedTuning = { weights: { ...neutralTuning, adx: 1.5 }, savedAt, confidenceFloor: null };

describe('the value of saved weights', () => {
  it('is a veto by hand: 1.5 of 20.4 falls below 0.08, so signals of RSI alone would not have been given', () => {
    const heavy: SavedTuning = {
      weights: Object.fromEntries(Object.keys(neutralTuning).map((vote) => [vote, 1.5])),
      savedAt,
      confidenceFloor: null,
    };
    // Tunable votes weigh 8.8 of 16 (adx 1, supertrend 1.2, crosses 2, pivot 1, vwap 1, mfi 1, donchian 0.6, ichimoku 1); at 1.5 the total is 20.4.
    const given = [...many(12, 0, {}), ...many(11, 20, { ...rsiOnly, ...lost })];
    const { in_sample: half, out_of_sample: other } = valueOfTuning(usable(given), heavy);
    expect(1.5 / 20.4).toBeLessThan(0.08);
    expect(3 / 20.4).toBeGreaterThan(0.08);
    expect(half).toMatchObject({ is_enough: true, turned: 0, passed: { count: 12 }, vetoed: { count: 11 } });
    expect(half.value_added).toBeCloseTo(0.04 - (12 * 0.04 - 11 * 0.02) / 23, 12);
    const brier = (wonScore: number, lostScore: number) =>
      (12 * (confidenceOf(wonScore) - 1) ** 2 + 11 * confidenceOf(lostScore) ** 2) / 23;
    expect(half.brier_before).toBeCloseTo(brier(2.5 / 16, 1.5 / 16), 12);
    expect(half.brier_after).toBeCloseTo(brier(3 / 20.4, 1.5 / 20.4), 12);
    expect(other).toMatchObject({ is_enough: false, all: { count: 0 }, brier_before: null, brier_after: null });
  });

  it('separates what could be seen when they were saved from what came after', () => {
    const after = { closeAtMs: savedAt.getTime() + 1 };
    const at = { closeAtMs: savedAt.getTime() };
    const given = [...many(3, 0, {}), ...many(2, 10, at), ...many(4, 20, after)];
    const value = valueOfTuning(usable(given), louder);
    expect(value.in_sample.all.count).toBe(5);
    expect(value.out_of_sample.all.count).toBe(4);
    expect(value.saved_at).toBe('2026-01-10T00:00:00.000Z');
  });

  it('applies the floor, and says which signals would have pointed the other way', () => {
    const floor = confidenceOf(2 / 16);
    const value = valueOfTuning(usable([...many(10, 0, {}), ...many(10, 20, rsiOnly)]), {
      weights: neutralTuning,
      savedAt,
      confidenceFloor: floor,
    });
    expect(value.in_sample).toMatchObject({ turned: 0, passed: { count: 10 }, vetoed: { count: 10 } });
    // Three votes for it at 0.5 and RSI against it: 1.5 - 1.5 = 0, no direction.
    const torn = { said: { rsi: -1, adx: 1, ema_cross: 1, sma_cross: 1 }, score: 1.5 / 16 };
    const quiet = { ...neutralTuning, adx: 0.5, ema_cross: 0.5, sma_cross: 0.5 };
    const none = valueOfTuning(usable([signal(0, torn)]), { weights: quiet, savedAt, confidenceFloor: null });
    expect(none.in_sample).toMatchObject({ turned: 0, vetoed: { count: 1 } });
    const strong = {
      said: { rsi: -1, macd: -1, adx: 1, ema_cross: 1, sma_cross: 1, pivot: 1, vwap: 1 },
      score: 2 / 16,
    };
    const down = { ...quiet, pivot: 0.5, vwap: 0.5, mfi: 0.5, supertrend: 0.5, donchian: 0.5 };
    const turned = valueOfTuning(usable([signal(0, strong)]), { weights: down, savedAt, confidenceFloor: null });
    // 5 x 0.5 - 3 = -0.5 of 16 - 3.9 = 12.1: no direction.
    expect(turned.in_sample.turned).toBe(0);
    const more = { said: { ...strong.said, boll: -1, mfi: 1 }, score: 1.8 / 16 };
    // 6 x 0.5 - 4.2 = -1.2 of 12.1 (ichimoku stays at 1): -0.099, a SHORT.
    const other = valueOfTuning(usable([signal(0, more)]), { weights: down, savedAt, confidenceFloor: null });
    expect(other.in_sample).toMatchObject({ turned: 1, vetoed: { count: 1 } });
  });

  it('leaves out scores that the stored votes do not explain, and repeats of one bet', () => {
    const twin = signal(0, { id: 'twin', symbol: 'S1USDT' });
    const given = [signal(1), twin, signal(2, { opinions: [] }), signal(3, { score: 0.5 })];
    const result = usable(given);
    expect(result.unexplained).toBe(2);
    expect(result.observed.map(({ id }) => id)).toEqual(['id1']);
  });
});

describe('the record of a vote', () => {
  it('is right with a signal that gained and against one that lost; ten are needed for a rate', () => {
    const given = [
      ...many(6, 0, {}),
      ...many(4, 10, { ...lost, said: { rsi: -1, adx: 1 } }),
      ...many(2, 20, { ...lost, direction: 'SHORT', said: { rsi: -1 } }),
    ];
    const votes = new Map(recordOfVotes(given).map((vote) => [vote.vote, vote]));
    // RSI: six right with a gain, four right against a loss, two wrong with a loss.
    expect(votes.get('rsi')).toMatchObject({ count: 12, hit_rate: 10 / 12 });
    // ADX: six right, four wrong.
    expect(votes.get('adx')).toMatchObject({ count: 10, hit_rate: 0.6 });
    expect(votes.has('macd')).toBe(false);
    expect(recordOfVotes(given.slice(0, 9)).find(({ vote }) => vote === 'adx')).toMatchObject({
      count: 9,
      hit_rate: null,
      hit_rate_interval: null,
    });
  });
});
