import { describe, expect, it } from 'vitest';
import { Follower, type FinishedEpisode } from '../../../src/features/arbitrage/sampler/episodes.ts';
import { FOLLOW_MS, REST_MS } from '../../../src/features/arbitrage/sampler/limits.ts';
import { Minutes } from '../../../src/features/arbitrage/sampler/minutes.ts';
import { NOT_SAMPLED, percentOfStored, storedOfPercent } from '../../../src/features/arbitrage/sampler/spreadRows.ts';

const pair = { coin: 'SOL', buy: 'binance', sell: 'okx' } as const;
const start = Date.UTC(2026, 0, 5);

/** One number a second; null: no comparable quote in that second. */
function follow(nets: readonly (number | null)[], follower = new Follower(), fromS = 0): FinishedEpisode[] {
  nets.forEach((net, second) => {
    const atMs = start + (fromS + second) * 1000;
    if (net !== null) follower.see('SOL 3', pair, atMs, net);
    follower.endRound(atMs);
  });
  return follower.takeFinished();
}
const below = (seconds: number): number[] => Array.from({ length: seconds }, () => -0.1);

describe('an episode, second by second', () => {
  it('lives from the first second above the threshold to the first one below it', () => {
    expect(follow([-0.1, 0.1, 0.3, 0.2, 0.01, -0.2, -0.3, ...below(30)])).toEqual([
      {
        ...pair,
        startedAtMs: start + 1000,
        lifetimeS: 3,
        followedS: 3,
        netPct: 0.1,
        peakPct: 0.3,
        // Seconds 2, 6 and 31: the remaining spread may be negative.
        left: [0.3, -0.3, -0.1],
      },
    ]);
  });

  it('that was there at the first sample has no known start and is not counted', () => {
    const follower = new Follower();
    expect(follow([0.3, 0.3, -0.1, ...below(40)], follower)).toEqual([]);
    expect(follow([0.3, 0.3], follower, 50)).toEqual([]);
    // It is still tracked from when it was first seen.
    const other = new Follower();
    follow([0.3, 0.3, 0.3], other);
    expect(other.sinceMs('SOL 3', start + 2000)).toBe(start);
    expect(other.sinceMs('SOL 3', start + 9000)).toBeNull();
    follow([-0.1], other, 3);
    expect(other.sinceMs('SOL 3', start + 3000)).toBeNull();
  });

  it('goes on over three seconds without a quote, and is cut short by a longer gap', () => {
    const [over] = follow([-0.1, 0.1, 0.1, null, null, 0.2, 0.2, -0.1, ...below(30)]);
    expect(over).toMatchObject({ lifetimeS: 6, peakPct: 0.2, left: [0.1, 0.2, -0.1] });
    const [lost] = follow([-0.1, 0.1, 0.1, null, null, null, null, null, 0.2, -0.1, ...below(30)]);
    expect(lost).toMatchObject({ lifetimeS: null, followedS: 1, left: [0.1, null, -0.1] });
    const [gone] = follow([-0.1, 0.1, ...Array.from({ length: 40 }, () => null)]);
    expect(gone).toMatchObject({ lifetimeS: null, followedS: 0, left: [null, null, null] });
  });

  it('that lasts longer than an hour is no longer tracked', () => {
    const seconds = FOLLOW_MS / 1000 + 5;
    const matches = follow([-0.1, ...Array.from({ length: seconds }, () => 0.5)]);
    expect(matches).toMatchObject([{ lifetimeS: null, followedS: 3600, left: [0.5, 0.5, 0.5] }]);
  });

  it('is one although it flickers around the threshold; the next one may start ten minutes later', () => {
    const trembling = Array.from({ length: 700 }, (_, second) => (second % 4 < 2 ? -0.01 : 0.03));
    const matches = follow([...trembling, ...below(40)]);
    expect(matches.map(({ startedAtMs }) => startedAtMs - start)).toEqual([2000, 2000 + REST_MS]);
    expect(matches.map(({ lifetimeS }) => lifetimeS)).toEqual([2, 2]);
  });
});

describe('spreads of each minute', () => {
  it('are means, five minutes in a row, direction by direction', () => {
    const minutes = new Minutes();
    const second = (at: number): number => start + at * 1000;
    minutes.add('SOL', 0, second(0), 0.1);
    minutes.add('SOL', 0, second(59), 0.2);
    minutes.add('SOL', 5, second(4 * 60), -0.4321);
    expect(minutes.takeRows()).toEqual([]);
    minutes.add('SOL', 0, second(300), 1);
    const [row] = minutes.takeRows();
    expect(row).toMatchObject({ coin: 'SOL', atMs: start });
    const expected = Array.from({ length: 30 }, () => NOT_SAMPLED);
    expected[0] = 1500;
    expected[29] = -4321;
    expect(row!.minutes).toEqual(expected);
    expect(minutes.takeRows()).toEqual([]);
  });

  it('are stored in ten-thousandths of a percent, within the range of two bytes', () => {
    for (const pct of [0, 0.1234, -0.5, 3.2766]) expect(percentOfStored(storedOfPercent(pct))).toBeCloseTo(pct, 9);
    expect(percentOfStored(storedOfPercent(80))).toBe(3.2767);
    expect(percentOfStored(storedOfPercent(-80))).toBe(-3.2767);
    expect(percentOfStored(NOT_SAMPLED)).toBeNull();
  });
});
