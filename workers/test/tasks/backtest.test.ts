import { beforeAll, describe, expect, it } from 'vitest';
import { OutOfMemory } from '../../src/engine/engine.ts';
import type { BacktestInput, BacktestResult } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { pushAtr } from '../../src/tasks/backtest.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { unknownContract, withContract } from '../../src/candles/contract.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { fullEngine } from '../support/brokenEngines.ts';
import { randomBacktest } from '../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

function run(input: BacktestInput): TaskResult<BacktestResult> {
  return runTask(engine, { name: 'backtest', input }) as TaskResult<BacktestResult>;
}

/** Case 3 of seed 1 with changes. */
function changed(change: (input: BacktestInput) => void): BacktestInput {
  const input = structuredClone(randomBacktest(1, 3));
  input.costs.leverage = 5;
  change(input);
  return input;
}

/** A column of the candles with one value replaced. */
function withValue({ candles }: BacktestInput, name: 'open' | 'high' | 'low', i: number, value: number): Float64Array {
  const column = candles[name].slice();
  column[i] = value;
  return column;
}

describe('backtest', () => {
  it('gives one equity and one score per scored candle, and sums that agree with the trades', () => {
    const result = run(randomBacktest(1, 3));
    if (!result.ok) throw new Error(result.error.message);
    const { summary, trades, equity, score } = result.value;
    expect([equity.length, score.length]).toEqual([summary.scoredCount, summary.scoredCount]);
    expect(trades.length).toBeGreaterThan(0);
    const sum = (pick: (trade: (typeof trades)[number]) => number): number =>
      trades.reduce((all, t) => all + pick(t), 0);
    expect(summary.netPnl).toBeCloseTo(
      sum((trade) => trade.netPnl),
      9,
    );
    expect(summary.netPnl).toBeCloseTo(summary.grossPnl - summary.fees - summary.funding, 9);
    const initial = randomBacktest(1, 3).costs.initialEquity;
    expect(equity.at(-1)).toBeCloseTo(initial + summary.netPnl, 9);
  });

  it('opens trades only after a signal on a scored candle', () => {
    const input = changed((it) => (it.scoredCount = 150));
    const result = run(input);
    if (!result.ok) throw new Error(result.error.message);
    const first = input.candles.time.length - 150;
    for (const trade of result.value.trades) {
      const score = result.value.score[trade.entryIndex - 1 - first] ?? Number.NaN;
      const isSigned =
        trade.side === 'LONG' ? score >= input.params.entryThreshold : score <= -input.params.entryThreshold;
      expect(isSigned, `entry ${trade.entryIndex} score ${score}`).toBe(true);
    }
  });

  it('reports its progress and the end of it', () => {
    const seen: string[] = [];
    runTask(engine, { name: 'backtest', input: randomBacktest(1, 3) }, ({ done, total }) =>
      seen.push(`${done}/${total}`),
    );
    expect(seen).toEqual(['0/2', '1/2', '2/2']);
  });

  it('leaves the engine free for the next task after an error', () => {
    expect(run(changed((input) => (input.costs.leverage = -1))).ok).toBe(false);
    expect(run(randomBacktest(1, 3)).ok).toBe(true);
  });

  it.each<[field: string, change: (input: BacktestInput) => void]>([
    ['candles.close', (input) => (input.candles.close = input.candles.close.subarray(1))],
    ['candles.open[7]', (input) => (input.candles.open[7] = Number.NaN)],
    ['candles.volume[7]', (input) => (input.candles.volume[7] = -1)],
    ['candles.high[7]', (input) => (input.candles.high[7] = 0.5)],
    ['candles.low[7]', (input) => (input.candles.low[7] = Math.max(input.candles.open[7]!, input.candles.close[7]!))],
    ['candles.low[8]', (input) => (input.candles.low[8] = 0)],
    ['candles.time[7]', (input) => (input.candles.time[7] = input.candles.time[6]!)],
    ['candles.time[7]', (input) => (input.candles.time[7] = input.candles.time[6]! + 0.5)],
    ['candles.time[299]', (input) => (input.candles.time[299] = 9e15)],
    ['candles.time[299]', (input) => (input.candles.time[299] = 253_402_300_800_000)], // the year 10000
    ['candles.time[0]', (input) => (input.candles.time[0] = -9e15)],
    ['candles.time[0]', (input) => (input.candles.time[0] = 1e300)],
    ['candles.high[7]', (input) => (input.candles.high[7] = 1e16)],
    ['candles.open[7]', (input) => (input.candles.open[7] = 1e-310)],
    ['costs.initialEquity', (input) => (input.costs.initialEquity = 5e-324)],
    ['costs.notional', (input) => (input.costs.notional = 5e-324)],
    [
      'costs.funding.rate[0]',
      (input) => (input.costs.funding = { time: Float64Array.of(1), rate: Float64Array.of(1e308) }),
    ],
    [
      'costs.funding.time[0]',
      (input) => (input.costs.funding = { time: Float64Array.of(1e300), rate: Float64Array.of(0) }),
    ],
    [
      'costs.funding.mark[0]',
      (input) => {
        const [time, rate, mark] = [Float64Array.of(1), Float64Array.of(0), Float64Array.of(1e300)];
        input.costs.funding = { time, rate, mark };
      },
    ],
    ['params.weights.astrology', (input) => (input.params.weights['astrology'] = 1)],
    ['params.weights.rsi', (input) => (input.params.weights['rsi'] = 0.55)],
    ['params.weights.rsi', (input) => (input.params.weights['rsi'] = 2.1)],
    ['params.entryThreshold', (input) => (input.params.entryThreshold = 0)],
    ['params.entryThreshold', (input) => (input.params.entryThreshold = Number.NaN)],
    ['params.stopLossFraction', (input) => (input.params.stopLossFraction = 1)],
    ['params.takeProfitFraction', (input) => (input.params.takeProfitFraction = 0)],
    ['params.trailing.callbackFraction', (input) => (input.params.trailing.callbackFraction = -0.1)],
    ['params.trailing.atrPeriod', (input) => (input.params.trailing.atrPeriod = 1.5)],
    ['params.holdingBarsMax', (input) => (input.params.holdingBarsMax = -1)],
    ['costs.takerFeeFraction', (input) => (input.costs.takerFeeFraction = 5)],
    ['costs.leverage', (input) => (input.costs.leverage = 0)],
    ['costs.notional', (input) => (input.costs.notional = Number.POSITIVE_INFINITY)],
    [
      'costs.funding.rate',
      (input) => (input.costs.funding = { time: Float64Array.of(1, 2), rate: Float64Array.of(0) }),
    ],
    [
      'costs.funding.time[1]',
      (input) => (input.costs.funding = { time: Float64Array.of(2, 1), rate: Float64Array.of(0, 0) }),
    ],
    ['markPrices.low', (input) => (input.markPrices = { ...input.candles, low: Float64Array.of(1) })],
    ['markPrices.open[4]', (input) => (input.markPrices = { ...input.candles, open: withValue(input, 'open', 4, 0) })],
    ['markPrices.high[5]', (input) => (input.markPrices = { ...input.candles, high: withValue(input, 'high', 5, -1) })],
    ['markPrices.low[6]', (input) => (input.markPrices = { ...input.candles, low: withValue(input, 'low', 6, NaN) })],
    [
      'markPrices.high[7]',
      (input) => (input.markPrices = { ...input.candles, high: withValue(input, 'high', 7, 1e-3) }),
    ],
    ['markPrices.low[8]', (input) => (input.markPrices = { ...input.candles, low: withValue(input, 'low', 8, 1e9) })],
    ['fineCandles.high[0]', (input) => (input.fineCandles = { ...input.candles, high: new Float64Array(300) })],
    ['scoredCount', (input) => (input.scoredCount = 301)],
    ['scoredCount', (input) => (input.scoredCount = 0)],
  ])('names %s when it is wrong', (field, change) => {
    const result = run(changed(change));
    if (result.ok) throw new Error('accepted');
    expect(result.error.code).toBe('bad_input');
    expect(result.error.field).toBe(field);
    expect(result.error.message).toContain(field);
  });

  it('says which vote lacks candles when there are too few', () => {
    const input = changed((it) => {
      for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
        it.candles[name] = it.candles[name].slice(0, 30);
      }
      it.scoredCount = 30;
      it.params.weights = { macd: 1 };
    });
    const result = run(input);
    expect(result).toMatchObject({ ok: false, error: { code: 'too_short', field: 'candles' } });
    if (!result.ok) expect(result.error.message).toContain('macd');
  });

  it('rejects a leverage above what the tier of the notional allows', () => {
    const tiers = [{ notionalFloor: 0, maintenanceMarginFraction: 0.01, maintenanceAmount: 0, leverageMax: 4 }];
    expect(run(changed((input) => (input.costs.tiers = tiers)))).toMatchObject({
      ok: false,
      error: { code: 'bad_input', field: 'costs.leverage' },
    });
  });

  it('takes assumed tiers like the one maintenance rate they state, and no size from their end on', () => {
    const unknown = unknownContract('binance', 'BTCUSDT');
    const flat = changed(({ costs }) => {
      delete costs.tiers;
      Object.assign(costs, { liquidationModel: 'binance', tickSize: 0, stepSize: 0, minNotional: 0 });
    });
    const assumed = { ...flat, costs: withContract(flat.costs, unknown) };
    const [one, other] = [run(flat), run(assumed)];
    if (!one.ok || !other.ok) throw new Error('rejected');
    expect(other.value.trades).toEqual(one.value.trades);
    expect(other.value.trades.length).toBeGreaterThan(0);
    const large = withContract({ ...flat.costs, leverage: 125, notional: 1e7, initialEquity: 1e7 }, unknown);
    expect(run({ ...flat, costs: large })).toMatchObject({
      ok: false,
      error: {
        field: 'costs.notional',
        message: expect.stringContaining('must be below 250000 USDT') as string,
      },
    });
  });

  it.each([
    ['leverage', { leverage: 21 }],
    ['notional', { notional: 250_000 }],
  ])('rejects a %s above the limits where rules come without tiers', (field, change) => {
    const rulesOf = { exchange: 'binance', symbol: 'BTCUSDT' } as const;
    const result = run(changed((input) => Object.assign(input.costs, { tiers: undefined, rulesOf, ...change })));
    expect(result).toMatchObject({ ok: false, error: { field: `costs.${field}` } });
  });

  it('rejects a margin that is not above the maintenance margin', () => {
    // 1 / 5 = 20 % margin against 20 % maintenance: liquidated at the entry.
    const result = run(changed((input) => (input.costs.maintenanceMarginFraction = 0.2)));
    expect(result).toMatchObject({ ok: false, error: { field: 'costs.leverage' } });
  });

  it('reports a memory maximum that is reached as out_of_memory', async () => {
    const full = startEngine(await fullEngine());
    const result = runTask(full, { name: 'backtest', input: randomBacktest(1, 3) });
    expect(result).toMatchObject({ ok: false, error: { code: 'out_of_memory' } });
  });

  it('cannot take more memory than the module declares', () => {
    const before = engine.engine.raw.memory.buffer.byteLength;
    expect(() => engine.engine.reserveBytes(2 ** 30)).toThrow(OutOfMemory);
    expect(engine.engine.raw.memory.buffer.byteLength).toBe(before);
  });
});

describe('the average true range of a trailing stop', () => {
  // Open, high, low, close by hand; the true ranges of candles 1 to 3 are 4 (12 - 8), 6 (14 - 8: the close before was 8) and 5 (14 - 9).
  const candles = {
    time: [0, 60_000, 120_000, 180_000],
    open: [9, 10, 12, 13],
    high: [10, 12, 14, 14],
    low: [9, 8, 9, 9],
    close: [10, 8, 14, 10],
    volume: [1, 1, 1, 1],
  };
  it.each([1, 0, -3])('X9 of a period of %i candles is that of one candle, the true range itself', (period) => {
    const { engine: host } = engine;
    host.raw.arenaReset();
    const columns = Object.values(candles).map((column) => host.push(Float64Array.from(column)));
    const at = pushAtr(host, columns, 4, period);
    expect([...host.pull(at, 4)]).toEqual([NaN, 4, 6, 5]);
  });
});
