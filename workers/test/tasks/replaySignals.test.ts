import { readFile } from 'node:fs/promises';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { candlesOf, indexFrom } from '../../src/candles/candleColumns.ts';
import { compileEngine } from '../../src/engine/engine.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { EnsembleTimeframe } from '../../src/protocol/ensemble.ts';
import { replayedFields, type ReplaySignalsInput, type ReplaySignalsResult } from '../../src/protocol/replaySignals.ts';
import type { SignalsResult } from '../../src/protocol/signals.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { neutralTuning, rulesOf, signalSizing, standardSizing, timeframesOf } from '../../src/signals/signalRules.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { market } from '../support/markets.ts';
import { seededRandom } from '../support/randomRuns.ts';

let task: TaskEngine;
beforeAll(async () => {
  const { path } = await buildEngine();
  task = startEngine(await compileEngine(new Uint8Array(await readFile(path))));
});

const quarterMs = 900_000;
const COUNT = 2400;
const FROM = 600;
const rules = rulesOf(neutralTuning);

/** Candles of a longer interval made of whole groups of shorter ones. */
function merged(candles: Candles, size: number): Candles {
  const count = Math.floor(candles.time.length / size);
  const slices = Array.from({ length: count }, (_, i) => [i * size, (i + 1) * size] as const);
  const over = (name: keyof Candles, pick: (values: number[]) => number) =>
    Float64Array.from(slices, ([from, until]) => pick([...candles[name].subarray(from, until)]));
  return {
    time: over('time', (values) => values[0]!),
    open: over('open', (values) => values[0]!),
    high: over('high', (values) => Math.max(...values)),
    low: over('low', (values) => Math.min(...values)),
    close: over('close', (values) => values.at(-1)!),
    volume: over('volume', (values) => values.reduce((sum, value) => sum + value, 0)),
  };
}

const seriesOf = (candles: Candles): EnsembleTimeframe[] =>
  timeframesOf([
    { interval: '15m', stepMs: quarterMs, candles },
    { interval: '1h', stepMs: 4 * quarterMs, candles: merged(candles, 4) },
    { interval: '4h', stepMs: 16 * quarterMs, candles: merged(candles, 16) },
  ]);

/** The candles that had closed at a moment, epoch ms. */
const closedAt = (timeframes: readonly EnsembleTimeframe[], atMs: number): EnsembleTimeframe[] =>
  timeframes.map((each) => {
    const end = indexFrom(each.candles.time, atMs - each.stepMs + 1);
    return { ...each, candles: candlesOf((name) => each.candles[name].slice(0, end)) };
  });

type Replay = (input: ReplaySignalsInput) => ReplaySignalsResult;
const replay: Replay = (input) => {
  const result = runTask(task, { name: 'replaySignals', input }) as TaskResult<ReplaySignalsResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const rowAt = ({ signals }: ReplaySignalsResult, i: number) =>
  Object.fromEntries(replayedFields.map((name) => [name, signals[name][i]]));
const rowsOf = (result: ReplaySignalsResult) => Array.from(result.signals.closeAtMs, (_, i) => rowAt(result, i));

/** The signal of the scanner's task at a moment. */
function scanAt(timeframes: readonly EnsembleTimeframe[], atMs: number) {
  const input = {
    items: [{ symbol: 'S', exchange: 'binance' as const, timeframes: closedAt(timeframes, atMs) }],
    rules,
    sizing: signalSizing(standardSizing),
  };
  const result = runTask(task, { name: 'signals', input }) as TaskResult<SignalsResult>;
  if (!result.ok) throw new Error(result.error.message);
  const [row] = result.value.rows;
  if (row?.signal.ok !== true) return null;
  const { direction, rawConfidence, price, levels, horizonMinutes } = row.signal.value.ensemble;
  if (direction === 'NEUTRAL' || levels === null || horizonMinutes === null) return null;
  const { stopLossPrice: stopLoss, takeProfitPrice: takeProfit } = levels;
  const side = direction === 'LONG' ? 1 : -1;
  return { closeAtMs: atMs, side, rawConfidence, price, stopLoss, takeProfit, horizonMinutes };
}

const known = (time: Float64Array) => (time.at(-1) ?? 0) + quarterMs;

/**
 * Whether, at random moments, a replay has the signal of the scanner's task on the candles closed by then, and what it knew then equals
 * the replay of those candles.
 */
function isPointInTime(run: Replay, moments: number): boolean {
  const timeframes = seriesOf(market(COUNT, 11, { trend: 0.1 }));
  const whole = rowsOf(run({ timeframes, rules, fromIndex: FROM }));
  const lastMs = whole.at(-1)?.['closeAtMs'] ?? 0;
  const byClose = new Map(whole.map((row) => [row['closeAtMs'], row]));
  const random = seededRandom(5);
  const [{ candles }] = timeframes as [EnsembleTimeframe];
  for (let k = 0; k < moments; k++) {
    const atMs = (candles.time[FROM + 1 + Math.floor(random() * (COUNT - FROM - 1))] ?? 0) + quarterMs;
    const cut = rowsOf(run({ timeframes: closedAt(timeframes, atMs), rules, fromIndex: FROM }));
    const endMs = (row: (typeof whole)[number]) =>
      row['closeAtMs']! + Math.min(3 * row['horizonMinutes']!, 7 * 1440) * 60_000;
    const expected = whole.filter((row) => endMs(row) <= atMs);
    if (JSON.stringify(cut) !== JSON.stringify(expected)) return false;
    const signal = scanAt(timeframes, atMs);
    const replayed = byClose.get(atMs);
    if (atMs > lastMs) continue;
    if ((signal === null) !== (replayed === undefined)) return false;
    if (signal !== null && Object.entries(signal).some(([name, value]) => replayed?.[name] !== value)) return false;
  }
  return true;
}

describe('a replay of one series', () => {
  it("HIST-030 gives at each candle the signal of the scanner's task on the candles closed by then, over 200 moments", () => {
    const timeframes = seriesOf(market(COUNT, 3, { trend: 0.1 }));
    const { signals, openCount } = replay({ timeframes, rules, fromIndex: FROM });
    const byClose = new Map(Array.from(signals.closeAtMs, (close, i) => [close, i]));
    expect(signals.closeAtMs.length).toBeGreaterThan(500);
    expect(openCount).toBeGreaterThan(0);
    const random = seededRandom(1);
    const lastMs = signals.closeAtMs.at(-1) ?? 0;
    let compared = 0;
    for (let k = 0; k < 200; k++) {
      const i = FROM + Math.floor(random() * (COUNT - FROM));
      const atMs = (timeframes[0]!.candles.time[i] ?? 0) + quarterMs;
      if (atMs > lastMs) continue;
      compared += 1;
      const at = byClose.get(atMs);
      const expected = scanAt(timeframes, atMs);
      if (expected === null) expect(at).toBeUndefined();
      else expect(rowAt({ signals, openCount, engineHash: '' }, at!)).toMatchObject(expected);
    }
    expect(compared).toBeGreaterThan(150);
  });

  it('HIST-031 equals, up to any of 200 moments, the replay of the candles closed by then', () => {
    expect(isPointInTime(replay, 200)).toBe(true);
  });

  it.each([
    [
      'a later candle',
      (input: ReplaySignalsInput): ReplaySignalsInput => ({
        ...input,
        timeframes: input.timeframes.map((each) => ({
          ...each,
          candles: candlesOf((name) =>
            name === 'time' ? each.candles.time : each.candles[name].map((value, i, all) => all[i + 1] ?? value),
          ),
        })),
      }),
      (result: ReplaySignalsResult) => result,
    ],
    [
      'a longer candle before its close',
      (input: ReplaySignalsInput): ReplaySignalsInput => ({
        ...input,
        timeframes: input.timeframes.map((each, t) =>
          t === 0
            ? each
            : { ...each, candles: { ...each.candles, time: each.candles.time.map((ms) => ms - each.stepMs) } },
        ),
      }),
      (result: ReplaySignalsResult) => result,
    ],
    [
      'the universe of the end',
      (input: ReplaySignalsInput): ReplaySignalsInput => {
        const [{ candles }] = input.timeframes as [EnsembleTimeframe];
        const isRising = (candles.close.at(-1) ?? 0) > (candles.close[0] ?? 0);
        return isRising ? input : { ...input, universeDays: Float64Array.of() };
      },
      (result: ReplaySignalsResult) => result,
    ],
    [
      'outcomes before their time is over',
      (input: ReplaySignalsInput) => input,
      (result: ReplaySignalsResult) => {
        const isLast = (i: number) =>
          i < result.signals.closeAtMs.length - 5 || (result.signals.netFraction[i] ?? 0) < 0;
        const indexes = [...result.signals.closeAtMs.keys()].filter(isLast);
        const columns = Object.entries(result.signals).map(([name, column]) => [
          name,
          Float64Array.from(indexes, (i) => column[i] ?? 0),
        ]);
        return { ...result, signals: Object.fromEntries(columns) as typeof result.signals };
      },
    ],
  ])('HIST-031 %s, planted, is detected', (_, before, after) => {
    expect(isPointInTime((input) => after(replay(before(input))), 200)).toBe(false);
  });

  it('HIST-032 resolves each signal like a slow walk over the candles after it', () => {
    const candles = market(COUNT, 8, { trend: 0.15 });
    const { signals } = replay({ timeframes: seriesOf(candles), rules, fromIndex: FROM });
    const endings = new Set<number>();
    for (const [k, closeAtMs] of signals.closeAtMs.entries()) {
      const [side, stop, target] = [signals.side[k]!, signals.stopLoss[k]!, signals.takeProfit[k]!];
      const untilMs = closeAtMs + Math.min(3 * signals.horizonMinutes[k]!, 7 * 1440) * 60_000;
      const from = candles.time.indexOf(closeAtMs);
      const entry = candles.open[from]!;
      let exit: { price: number; ending: number } | undefined;
      for (let i = from; exit === undefined; i++) {
        const [open, high, low] = [candles.open[i]!, candles.high[i]!, candles.low[i]!];
        const worst = side > 0 ? low : high;
        const best = side > 0 ? high : low;
        // The market has no gaps beyond a level but at the first open.
        if (side * (open - stop) <= 0) exit = { price: open * (1 - side * 0.0002), ending: 1 };
        else if (side * (open - target) >= 0) exit = { price: open, ending: 0 };
        else if (side * (worst - stop) <= 0) exit = { price: stop * (1 - side * 0.0002), ending: 1 };
        else if (side * (best - target) >= 0) exit = { price: target, ending: 0 };
        else if (candles.time[i]! + quarterMs >= untilMs) exit = { price: candles.close[i]!, ending: 2 };
      }
      endings.add(exit.ending);
      expect(signals.ending[k]).toBe(exit.ending);
      const net = (side * (exit.price - entry)) / entry - 0.0005 * (1 + exit.price / entry);
      expect(signals.netFraction[k]).toBeCloseTo(net, 12);
    }
    expect([...endings].sort()).toEqual([0, 1, 2]);
  });

  it('HIST-033 has signals of the days only on which the universe had the symbol', () => {
    const timeframes = seriesOf(market(COUNT, 3, { trend: 0.1 }));
    const whole = rowsOf(replay({ timeframes, rules, fromIndex: FROM }));
    const [{ candles }] = timeframes as [EnsembleTimeframe];
    const startMs = Math.floor((candles.time[FROM] ?? 0) / DAY_MS) * DAY_MS;
    const universeDays = Float64Array.of(startMs + 8 * DAY_MS, startMs + 11 * DAY_MS);
    const rows = rowsOf(replay({ timeframes, rules, fromIndex: FROM, universeDays }));
    const isInside = (row: (typeof whole)[number]) =>
      universeDays.includes(Math.floor(row['closeAtMs']! / DAY_MS) * DAY_MS);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows).toEqual(whole.filter(isInside));
  });

  it('HIST-075 settles what is open when the contract ends at its last close, by a slow walk', () => {
    const timeframes = seriesOf(market(COUNT, 8, { trend: 0.15 }));
    const whole = replay({ timeframes, rules, fromIndex: FROM });
    const endMs = (timeframes[0]!.candles.time[1800] ?? 0) + quarterMs;
    const cut = closedAt(timeframes, endMs);
    const [{ candles }] = cut as [EnsembleTimeframe];
    const open = replay({ timeframes: cut, rules, fromIndex: FROM });
    const ended = replay({ timeframes: cut, rules, fromIndex: FROM, hasEnded: true });
    expect(ended.openCount).toBe(0);
    expect(rowsOf(ended).length).toBe(rowsOf(open).length + open.openCount);
    const settled = rowsOf(ended).filter((row) => row['ending'] === 3);
    expect(settled.length).toBeGreaterThan(3);
    const wholeRows = new Map(rowsOf(whole).map((row) => [row['closeAtMs'], row]));
    const lastClose = candles.close.at(-1)!;
    for (const row of rowsOf(ended)) {
      const later = wholeRows.get(row['closeAtMs']);
      // An exit before the end is the one that the signal had without it.
      if (row['ending'] !== 3) {
        expect(row).toEqual(later);
        continue;
      }
      expect(later?.['exitAtMs'] ?? Infinity).toBeGreaterThanOrEqual(endMs);
      const at = candles.time.indexOf(row['closeAtMs']!);
      const entry = at < 0 ? row['price']! : candles.open[at]!;
      const exit = at < 0 ? row['price']! : lastClose;
      const net = (row['side']! * (exit - entry)) / entry - 0.0005 * (1 + exit / entry);
      expect(row['netFraction']).toBeCloseTo(net, 12);
    }
  });

  it('HIST-030 does not judge a signal across a missing candle', () => {
    const candles = market(COUNT, 3, { trend: 0.1 });
    const without = candlesOf((name) => candles[name].filter((_, i) => i !== 1500));
    const holed = replay({ timeframes: [seriesOf(without)[0]!], rules, fromIndex: FROM });
    const whole = replay({ timeframes: [seriesOf(candles)[0]!], rules, fromIndex: FROM });
    const gapMs = candles.time[1500]!;
    const across = rowsOf(holed).filter((row) => row['closeAtMs']! <= gapMs && row['exitAtMs']! >= gapMs);
    expect(across).toEqual([]);
    expect(holed.openCount).toBeGreaterThan(whole.openCount);
    expect(known(candles.time)).toBeGreaterThan(gapMs);
  });

  it('names a wrong first candle', () => {
    const input = { timeframes: seriesOf(market(COUNT, 3)), rules, fromIndex: -1 };
    expect(runTask(task, { name: 'replaySignals', input })).toMatchObject({
      ok: false,
      error: { code: 'bad_input', field: 'fromIndex' },
    });
  });
});
