import { describe, expect, it } from 'vitest';
import { recordObjection, recordWire, type ViewCount } from '../../../src/features/vision/decideView.ts';
import { statisticsOf } from '../../../src/features/vision/statistics.ts';
import type { VisionResult } from '../../../src/features/vision/contract.ts';
import { patternsOf } from '../../../src/features/vision/rules.ts';

const outcome = (sentiment: 'bullish' | 'bearish', patterns: string[], netPnl: number, roiPct: number) => ({
  sentiment,
  patterns,
  netPnl,
  roiPct,
});

describe('pattern performance and sentiment impact', () => {
  // Hammer: 12, -4, 6 of three. Engulfing: -4, 6, -10 of three. Worked by hand.
  const rows = [
    outcome('bullish', ['hammer'], 12, 6),
    outcome('bullish', ['hammer', 'engulfing'], -4, -2),
    outcome('bullish', ['engulfing', 'hammer'], 6, 3),
    outcome('bearish', ['engulfing'], -10, -5),
    outcome('bearish', [], 0, 0),
  ];

  it('VIS-010 are those of five closed positions, by hand', () => {
    const { closed_count: closed, needed, patterns, sentiments } = statisticsOf(rows);
    expect({ closed, needed }).toEqual({ closed: 5, needed: 5 });
    const third = 1 / 3;
    expect(patterns).toEqual([
      {
        id: 'engulfing',
        title: expect.any(String) as string,
        count: 3,
        win_count: 1,
        win_share: third,
        mean_roi_pct: expect.closeTo(-4 / 3, 12) as number,
        net_pnl: -8,
      },
      {
        id: 'hammer',
        title: 'Hammer',
        count: 3,
        win_count: 2,
        win_share: 2 * third,
        mean_roi_pct: expect.closeTo(7 / 3, 12) as number,
        net_pnl: 14,
      },
    ]);
    // A position that ended at 0 was not won.
    expect(sentiments).toEqual([
      {
        sentiment: 'bullish',
        count: 3,
        win_count: 2,
        win_share: 2 * third,
        mean_roi_pct: expect.closeTo(7 / 3, 12) as number,
        net_pnl: 14,
      },
      { sentiment: 'bearish', count: 2, win_count: 0, win_share: 0, mean_roi_pct: -2.5, net_pnl: -10 },
    ]);
  });

  it('VIS-010 show no figure before the fifth', () =>
    expect(statisticsOf(rows.slice(0, 4))).toEqual({ closed_count: 4, needed: 5, patterns: [], sentiments: [] }));
});

describe('the track record of a pattern', () => {
  const record = (followedCount: number) => ({
    patterns: { hammer: { bullish: { count: 100, followedCount }, bearish: { count: 0, followedCount: 0 } } },
    // A hundred spans of the horizon, so that each case counts.
    all: { count: 3000, higherCount: 1560, lowerCount: 1440 },
    seriesCount: 3,
    horizonCount: 10,
    interval: '1h',
  });
  const recordOf = (followedCount: number) =>
    patternsOf([{ id: 'hammer', index: 4, value: 100 }], record(followedCount))[0]?.record;

  // Wilson at 95 %, worked by hand with z = 1.96: 62 of 100 is 0.522 to 0.709, 61 of 100 is 0.512 to 0.700.
  it('VIS-007 has its interval, and beats any candle only when all of it lies above the base share', () => {
    const better = recordOf(62)!;
    expect(better).toMatchObject({ count: 100, followed_share: 0.62, base_share: 0.52, beats_base: true });
    expect(better.followed_low).toBeCloseTo(0.522, 3);
    expect(better.followed_high).toBeCloseTo(0.709, 3);
    const worse = recordOf(61)!;
    expect(worse.followed_low).toBeCloseTo(0.512, 3);
    expect(worse.beats_base).toBe(false);
  });

  it('HIST-157 is that of one series for sixty equal ones, whose cases are the same events', () => {
    const times = (series: number) => ({
      ...record(0),
      patterns: {
        hammer: {
          bullish: { count: 100 * series, followedCount: 61 * series },
          bearish: { count: 0, followedCount: 0 },
        },
      },
      all: { count: 1000 * series, higherCount: 520 * series, lowerCount: 480 * series },
      seriesCount: series,
    });
    const of = (series: number) => patternsOf([{ id: 'hammer', index: 4, value: 100 }], times(series))[0]?.record;
    expect(of(60)?.followed_low).toBeCloseTo(of(1)?.followed_low ?? 0, 12);
    expect([of(1)?.beats_base, of(60)?.beats_base]).toEqual([false, false]);
  });

  it('HIST-172 shows no edge before the thirtieth case, however often it was followed', () => {
    const edgeOf = (count: number) => {
      const patterns = {
        hammer: { bullish: { count, followedCount: count }, bearish: { count: 0, followedCount: 0 } },
      };
      return patternsOf([{ id: 'hammer', index: 4, value: 100 }], { ...record(0), patterns })[0]?.record?.beats_base;
    };
    expect([edgeOf(29), edgeOf(30)]).toEqual([false, true]);
  });

  it('has no interval where it never occurred', () =>
    expect(
      patternsOf([{ id: 'hammer', index: 4, value: 100 }], { ...record(0), patterns: {} })[0]?.record,
    ).toMatchObject({ count: 0, followed_share: null, followed_low: null, followed_high: null, beats_base: false }));
});

describe('the track record of the deciding view', () => {
  const counted = (of: Partial<ViewCount>) =>
    recordWire({
      by: 'rules',
      model: null,
      interval: '1h',
      count: 40,
      rightCount: 0,
      longCount: 0,
      roseCount: 0,
      ...of,
    });
  const resultWith = (record: ReturnType<typeof recordWire> | null) =>
    ({ decided_by: 'rules', views: [{ by: 'rules', record }] }) as unknown as VisionResult;

  it('is compared with a coin that says LONG as often', () => {
    // 30 of 40 LONG, 24 of 40 rises: 0.75 x 0.6 + 0.25 x 0.4 = 0.55.
    expect(counted({ longCount: 30, roseCount: 24 }).base_share).toBeCloseTo(0.55, 12);
    // Always LONG in a market that always rose is always right, and so is the coin.
    expect(counted({ longCount: 40, roseCount: 40 }).base_share).toBe(1);
    expect(counted({ count: 0 }).base_share).toBeNull();
  });

  it('blocks automatic opening where 30 views or more are no better than the coin', () => {
    const even = { longCount: 30, roseCount: 24 };
    expect(recordObjection(resultWith(counted({ ...even, rightCount: 22 })))).toBe(
      'The record of the rules on 1h is no better than its base rate: right in 55 % of 40 judged views, chance gives 55 %.',
    );
    expect(recordObjection(resultWith(counted({ ...even, rightCount: 23 })))).toBeNull();
    expect(recordObjection(resultWith(counted({ count: 29, rightCount: 0 })))).toBeNull();
    expect(recordObjection(resultWith(null))).toBeNull();
  });
});
