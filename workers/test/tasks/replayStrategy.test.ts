import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { candlesOf, indexFrom } from '../../src/candles/candleColumns.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { EnsembleTimeframe } from '../../src/protocol/ensemble.ts';
import { endings, replayedFields, type ReplaySignalsResult } from '../../src/protocol/replaySignals.ts';
import type { SignalsResult } from '../../src/protocol/signals.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { ownRulesOf } from '../../src/protocol/wire/strategy.ts';
import { rulesOfStrategy, signalSizing, standardSizing, timeframesOf } from '../../src/signals/signalRules.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { market } from '../support/markets.ts';
import { seededRandom } from '../support/randomRuns.ts';

let task: TaskEngine;
beforeAll(async () => {
  task = startEngine(await loadModule());
});

const stepMs = 3_600_000;
const FROM = 500;
const version = 'a'.repeat(64);
const candles = market(1500, 7, { trend: 0.1 });
const hourly = { ...candles, time: candles.time.map((_, i) => Date.UTC(2026, 0, 1) + i * stepMs) };
const framesOf = (strategy: Strategy, count = hourly.time.length): EnsembleTimeframe[] =>
  timeframesOf([{ interval: '1h', stepMs, candles: candlesOf((name) => hourly[name].slice(0, count)) }], strategy);

const replay = (strategy: Strategy, more: { count?: number; universeDays?: Float64Array; hasEnded?: boolean } = {}) => {
  const { count, ...rest } = more;
  const input = { timeframes: framesOf(strategy, count), strategy, version, fromIndex: FROM, ...rest };
  const result = runTask(task, { name: 'replayStrategy', input }) as TaskResult<ReplaySignalsResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const rowsOf = ({ signals }: ReplaySignalsResult) =>
  Array.from(signals.closeAtMs, (_, i) => Object.fromEntries(replayedFields.map((name) => [name, signals[name][i]!])));

/** The direction of the scanner's task on the candles closed by then. */
function scanAt(strategy: Strategy, count: number): number {
  const input = {
    items: [{ symbol: 'S', exchange: 'binance' as const, timeframes: framesOf(strategy, count) }],
    rules: rulesOfStrategy({ value: strategy, version }),
    sizing: signalSizing(standardSizing),
  };
  const result = runTask(task, { name: 'signals', input }) as TaskResult<SignalsResult>;
  if (!result.ok) throw new Error(result.error.message);
  const [row] = result.value.rows;
  if (row?.signal.ok !== true || row.signal.value.ensemble.levels === null) return 0;
  return { LONG: 1, SHORT: -1, NEUTRAL: 0 }[row.signal.value.ensemble.direction];
}

const weights: Strategy = {
  ...liveRules(['1h']),
  stop: { mode: 'percent', fraction: 0.02 },
  target: { mode: 'percent', fraction: 0.04 },
  holdingBarsMax: 12,
};
const own = ownRulesOf('long when rsi(14) < 40\nshort when rsi(14) > 60\nexit long when rsi(14) > 50', '1h');
if (!own.ok) throw new Error(JSON.stringify(own.error));
const ownRules: Strategy = { ...own.value, holdingBarsMax: 24 };

describe('the replay of a saved strategy', () => {
  it.each([
    ['weights', weights],
    ['own rules', ownRules],
  ])('HIST-145 has at each candle the signal of the scanner on the candles closed by then: %s', (_name, strategy) => {
    const whole = replay(strategy);
    const rows = rowsOf(whole);
    expect(rows.length).toBeGreaterThan(50);
    const sideAt = new Map(rows.map((row) => [row['closeAtMs'], row['side']]));
    const random = seededRandom(3);
    for (let k = 0; k < 40; k++) {
      const count = FROM + 1 + Math.floor(random() * 900);
      const closeMs = hourly.time[count - 1]! + stepMs;
      expect(sideAt.get(closeMs) ?? 0).toBe(scanAt(strategy, count));
      // Of the cut candles it has the same rows, as far as their time was over.
      const cutRows = rowsOf(replay(strategy, { count }));
      expect(cutRows).toEqual(rows.slice(0, cutRows.length));
      const later = rows[cutRows.length];
      if (later !== undefined)
        expect(later['closeAtMs']! + strategy.holdingBarsMax * stepMs).toBeGreaterThanOrEqual(closeMs);
    }
  });

  it('HIST-145 ends each signal by the exits of its strategy: level, time, rule, or the end of the contract', () => {
    for (const row of rowsOf(replay(weights))) {
      const first = indexFrom(hourly.time, row['closeAtMs']!);
      const [entry, side] = [hourly.open[first]!, row['side']!];
      // Twelve candles, walked by hand: the stop before the target, then the open of the thirteenth.
      let expected: [ending: string, price: number] | undefined;
      for (let i = first; i < first + 12 && expected === undefined; i++) {
        const [worst, best] = side > 0 ? [hourly.low[i]!, hourly.high[i]!] : [hourly.high[i]!, hourly.low[i]!];
        const [stop, target] = [entry * (1 - side * 0.02), entry * (1 + side * 0.04)];
        const gap = side * (hourly.open[i]! - stop) <= 0 ? hourly.open[i]! : stop;
        if (side * (worst - stop) <= 0) expected = ['SL', gap * (1 - side * 0.0002)];
        else if (side * (best - target) >= 0)
          expected = ['TP', side * (hourly.open[i]! - target) >= 0 ? hourly.open[i]! : target];
      }
      expected ??= ['TIME', hourly.open[first + 12]!];
      const [ending, price] = expected;
      expect(endings[row['ending']!]).toBe(ending);
      const gross = (side * (price - entry)) / entry;
      expect(row['netFraction']).toBeCloseTo(gross - 0.0005 * (1 + price / entry), 9);
    }
    const left = rowsOf(replay(ownRules)).filter((row) => endings[row['ending']!] === 'SIGNAL');
    expect(left.length).toBeGreaterThan(0);
    expect(left.every((row) => row['side'] === 1)).toBe(true);
    const open = replay(weights);
    expect(open.openCount).toBeGreaterThan(0);
    const ended = replay(weights, { hasEnded: true });
    expect(ended.openCount).toBe(0);
    expect(ended.signals.closeAtMs).toHaveLength(open.signals.closeAtMs.length + open.openCount);
  });

  it('HIST-145 has signals only of days on which the universe had the symbol', () => {
    const day = Date.UTC(2026, 0, 40);
    const rows = rowsOf(replay(weights));
    const of = rows.filter((row) => Math.floor(row['closeAtMs']! / DAY_MS) * DAY_MS === day);
    expect(of.length).toBeGreaterThan(0);
    expect(rowsOf(replay(weights, { universeDays: Float64Array.of(day) }))).toEqual(of);
  });

  it('HIST-145 has the signals before a halt, whose candles are no signals', () => {
    const until = 1450;
    const halted = candlesOf((name) =>
      hourly[name].map((value, i) => {
        if (i < until || name === 'time') return value;
        return name === 'volume' ? 0 : hourly.close[until - 1]!;
      }),
    );
    const timeframes = timeframesOf([{ interval: '1h', stepMs, candles: halted }], ownRules);
    const input = { timeframes, strategy: ownRules, version, fromIndex: FROM };
    const result = runTask(task, { name: 'replayStrategy', input }) as TaskResult<ReplaySignalsResult>;
    if (!result.ok) throw new Error(result.error.message);
    const haltedFromMs = hourly.time[until]!;
    const before = rowsOf(replay(ownRules, { count: until }));
    const rows = rowsOf(result.value);
    expect(before.length).toBeGreaterThan(50);
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(rows.every((row) => row['closeAtMs']! < haltedFromMs + 50 * stepMs)).toBe(true);
  });

  it('HIST-145 ends at the last close a signal whose time is over with the last candle of an ended contract', () => {
    const wide: Strategy = {
      ...weights,
      stop: { mode: 'percent', fraction: 0.4 },
      target: { mode: 'percent', fraction: 0.8 },
    };
    const due = Array.from({ length: 40 }, (_, k) => 1500 - k).flatMap((count) =>
      rowsOf(replay(wide, { count, hasEnded: true })).filter(
        (row) => row['closeAtMs']! + 12 * stepMs === hourly.time[count - 1]! + stepMs,
      ),
    );
    expect(due.length).toBeGreaterThan(0);
    expect(due.map((row) => endings[row['ending']!])).toEqual(due.map(() => 'DELISTED'));
  });
});
