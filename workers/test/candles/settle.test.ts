import { beforeAll, describe, expect, it } from 'vitest';
import { cutCandles, joinColumns } from '../../src/candles/candleColumns.ts';
import {
  alignMarks,
  minutesByBar,
  missingOpens,
  RUN_MINUTES_MAX,
  SETTLE_ROUNDS_MAX,
} from '../../src/candles/minutes.ts';
import type { BacktestInput, BacktestResult, Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { settleRun } from '../../src/candles/settle.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest } from '../support/randomRuns.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const runOf = (input: BacktestInput): TaskResult<BacktestResult> =>
  runTask(engine, { name: 'backtest', input }) as TaskResult<BacktestResult>;

function resultOf(input: BacktestInput): BacktestResult {
  const result = runOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Stop and target near the entry: many candles of 1h hold both. */
function tightRun(): BacktestInput {
  const input = structuredClone(randomBacktest(1, 3));
  Object.assign(input.params, { stopLossFraction: 0.004, takeProfitFraction: 0.004, entryThreshold: 0.05 });
  input.params.trailing.enabled = false;
  input.costs = { ...input.costs, leverage: 2, takeProfitOrder: 'market', notional: 100, initialEquity: 100_000 };
  delete input.costs.tiers;
  delete input.markPrices;
  delete input.fineCandles;
  input.params.holdingBarsMax = 0;
  return input;
}

/** The 60 minutes of a candle on the way open, first, second, close: two whole moves, then standing still. */
function minutesAlong(candles: Candles, bar: number, isUpFirst: boolean): Candles {
  const of = (name: keyof Candles): number => candles[name][bar]!;
  const [first, second] = isUpFirst ? [of('high'), of('low')] : [of('low'), of('high')];
  const stops = [of('open'), first, second, of('close')];
  const at = (minute: number): number => stops[Math.min(minute, 3)]!;
  const column = (make: (minute: number) => number): Float64Array =>
    Float64Array.from({ length: 60 }, (_, i) => make(i));
  return {
    time: column((i) => of('time') + i * MINUTE_MS),
    open: column(at),
    high: column((i) => Math.max(at(i), at(i + 1))),
    low: column((i) => Math.min(at(i), at(i + 1))),
    close: column((i) => at(i + 1)),
    volume: column(() => 1),
  };
}

/** A market whose candles reach the target before the stop, on either side of the trade. */
function targetFirst(input: BacktestInput, plain: BacktestResult): (opens: readonly number[]) => Candles {
  const isLong = new Map(plain.trades.map(({ exitIndex, side }) => [input.candles.time[exitIndex], side === 'LONG']));
  return (opens) =>
    joinColumns(opens.map((open) => minutesAlong(input.candles, input.candles.time.indexOf(open), isLong.get(open)!)));
}

const settle = (input: BacktestInput, load: Parameters<typeof settleRun>[0]['load']) =>
  settleRun({
    candles: input.candles,
    intervalMs: HOUR_MS,
    run: (fineCandles) => Promise.resolve(runOf(fineCandles === undefined ? input : { ...input, fineCandles })),
    load,
  });

describe('settling by minutes', () => {
  it('requests only the candles whose order is open, and takes the exit the minutes show', async () => {
    const input = tightRun();
    const plain = resultOf(input);
    const ambiguous = plain.trades.filter((trade) => trade.isAmbiguous);
    expect(ambiguous.length).toBeGreaterThan(5);
    expect(plain.askedBars).toEqual(ambiguous.map(({ exitIndex }) => exitIndex));
    expect(plain.unknownBars).toEqual(plain.askedBars);

    const requested: number[] = [];
    const load = targetFirst(input, plain);
    const market = { candles: input.candles, intervalMs: HOUR_MS };
    const { result, problem } = await settle(input, (opens) => {
      requested.push(...opens);
      return Promise.resolve({ found: minutesByBar(market, opens, load(opens)), problem: null });
    });
    expect(problem).toBeNull();
    if (!result.ok) throw new Error(result.error.message);
    expect(requested).toEqual(ambiguous.map(({ exitIndex }) => input.candles.time[exitIndex]));
    // The target came first every time: the net PnL is that of a run that takes the target first.
    expect(result.value.summary.netPnl).toBe(
      resultOf({ ...input, costs: { ...input.costs, sameBar: 'target' } }).summary.netPnl,
    );
    expect(result.value.summary.netPnl).toBeGreaterThan(plain.summary.netPnl);
    expect(result.value.summary.ambiguousFraction).toBe(0);
    expect(result.value.askedBars).toEqual(plain.askedBars);
    expect(result.value.unknownBars).toEqual([]);
    expect(result.value.hashes.data).toBe(plain.hashes.data);
    expect(result.value.hashes.result).not.toBe(plain.hashes.result);
  });

  it('gives the same result and hashes with the minutes of the whole window as with those it requested', async () => {
    const input = tightRun();
    const plain = resultOf(input);
    const load = targetFirst(input, plain);
    const market = { candles: input.candles, intervalMs: HOUR_MS };
    const { result } = await settle(input, (opens) =>
      Promise.resolve({ found: minutesByBar(market, opens, load(opens)), problem: null }),
    );
    const all = joinColumns(
      Array.from(input.candles.time, (open, bar) =>
        plain.askedBars.includes(bar) ? load([open]) : minutesAlong(input.candles, bar, true),
      ),
    );
    expect(result).toEqual({ ok: true, value: resultOf({ ...input, fineCandles: all }) });
  });

  it('keeps a candle open whose minutes have a hole, or leave its range', () => {
    const { candles } = tightRun();
    const market = { candles, intervalMs: HOUR_MS };
    const opens = [candles.time[100]!, candles.time[101]!, candles.time[102]!];
    const whole = opens.map((_, i) => minutesAlong(candles, 100 + i, true));
    const [first, second, third] = whole as [Candles, Candles, Candles];
    const lone = cutCandles(first, 0, opens[0]! + MINUTE_MS);
    second.high[7] = candles.high[101]! * 1.001;
    const matches = minutesByBar(market, opens, joinColumns([lone, second, third]));
    expect([...matches.values()].map((each) => each?.time.length ?? null)).toEqual([null, null, 60]);
  });

  it('goes on with the order that the costs assume when the minutes cannot be had', async () => {
    const input = tightRun();
    const late = { found: new Map(), problem: 'too slow' };
    const { result, problem, fineCandles } = await settle(input, () => Promise.resolve(late));
    expect([problem, fineCandles]).toEqual(['too slow', undefined]);
    expect(result).toEqual({ ok: true, value: resultOf(input) });
  });

  it('takes the minutes that came before the load failed, names the failure, and requests no more', async () => {
    const input = tightRun();
    const load = targetFirst(input, resultOf(input));
    const market = { candles: input.candles, intervalMs: HOUR_MS };
    const requested: number[][] = [];
    const { result, problem, fineCandles } = await settle(input, (opens) => {
      requested.push([...opens]);
      const first = opens.slice(0, 2);
      return Promise.resolve({ found: minutesByBar(market, first, load(first)), problem: 'too slow' });
    });
    const [first = []] = requested;
    expect([requested.length, problem, fineCandles]).toEqual([1, 'too slow', load(first.slice(0, 2))]);
    expect(result).toEqual({ ok: true, value: resultOf({ ...input, fineCandles: load(first.slice(0, 2)) }) });
    expect(result).not.toEqual({ ok: true, value: resultOf(input) });
  });

  it('names the failure of its last load too', async () => {
    const { candles } = tightRun();
    const market = { candles, intervalMs: HOUR_MS };
    let runs = 0;
    // Each run leaves one more candle open; the last round that loads gets its candle and a failure.
    const { problem } = await settleRun({
      ...market,
      run: () => {
        const bars = Array.from({ length: ++runs }, (_, bar) => bar);
        return Promise.resolve({ ok: true, value: { askedBars: bars, unknownBars: bars } } as never);
      },
      load: (opens) => {
        const minutes = opens.map((openMs) => minutesAlong(candles, candles.time.indexOf(openMs), true));
        const matches = minutesByBar(market, opens, joinColumns(minutes));
        return Promise.resolve({ found: matches, problem: runs === SETTLE_ROUNDS_MAX ? 'too slow' : null });
      },
    });
    expect([runs, problem]).toEqual([SETTLE_ROUNDS_MAX + 1, 'too slow']);
  });

  it('requests no more than a run may have, the oldest candles first, and nothing below minutes', () => {
    const count = RUN_MINUTES_MAX / 60 + 5;
    const time = Float64Array.from({ length: count }, (_, i) => i * HOUR_MS);
    const candles = { time, open: time, high: time, low: time, close: time, volume: time };
    const bars = Array.from({ length: count }, (_, i) => i);
    const requested = { askedBars: bars, unknownBars: bars };
    expect(missingOpens(requested, { candles, intervalMs: HOUR_MS }, new Map())).toEqual([...time].slice(0, -5));
    expect(missingOpens(requested, { candles, intervalMs: MINUTE_MS }, new Map())).toEqual([]);
  });
});

describe('mark prices beside candles', () => {
  const column = (...values: number[]) => Float64Array.from(values);
  const candles: Candles = {
    time: column(10, 20, 30),
    open: column(1, 2, 3),
    high: column(1.5, 2.5, 3.5),
    low: column(0.5, 1.5, 2.5),
    close: column(1, 2, 3),
    volume: column(1, 1, 1),
  };

  it('stand at the candle of their time; where there are none the own prices do, and are counted', () => {
    const marks = { time: column(10, 30), open: column(7, 9), high: column(8, 10), low: column(6, 8) };
    expect(alignMarks(candles, marks)).toEqual({
      prices: { open: column(7, 2, 9), high: column(8, 2.5, 10), low: column(6, 1.5, 8) },
      missingCount: 1,
    });
  });

  it('are none when not one belongs to these candles', () => {
    const marks = { time: column(11), open: column(7), high: column(8), low: column(6) };
    expect(alignMarks(candles, marks)).toBeNull();
  });
});
