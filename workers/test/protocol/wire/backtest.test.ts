import { describe, expect, it } from 'vitest';
import { backtestFromWire, BacktestRequestWire } from '../../../src/protocol/wire/backtest.ts';
import { BacktestResultWire, backtestToWire } from '../../../src/protocol/wire/backtestResult.ts';
import { defaultCosts, defaultWeights, standardLiquidity } from '../../../src/protocol/wire/defaults.ts';
import { firstIssue } from '../../../src/protocol/wire/issue.ts';
import { toWireError } from '../../../src/protocol/wire/wireError.ts';
import { runTask, startEngine } from '../../../src/tasks/index.ts';
import type { BacktestResult } from '../../../src/protocol/backtest.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { randomCandles, seededRandom } from '../../support/randomRuns.ts';

const columns = { time: [1, 2], open: [5, 5], high: [6, 6], low: [4, 4], close: [5, 5], volume: [1, 1] };

describe('a backtest request', () => {
  it('is complete with candles alone: the specified defaults fill the rest', () => {
    const input = backtestFromWire(BacktestRequestWire.parse({ candles: columns }));
    expect(input.params).toEqual({
      weights: defaultWeights,
      entryThreshold: 0.08,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
    });
    const fillRules = { entryCandleExits: true, lastClose: 'order' };
    expect(input.costs).toEqual({ ...defaultCosts, ...standardLiquidity, ...fillRules });
    expect(input.scoredCount).toBe(2);
    expect(input.candles.close).toEqual(Float64Array.of(5, 5));
  });

  it('carries everything the engine knows', () => {
    const request = BacktestRequestWire.parse({
      candles: columns,
      scored: 1,
      params: {
        slPct: 0.01,
        tpPct: 0.03,
        holdingBarsMax: 7,
        trailing: { enabled: true, mode: 'atr', atrMultiplier: 2, atrPeriod: 5, activationPct: 0.02, stepPct: 0 },
      },
      costs: {
        liquidationModel: 'okx',
        tickSize: 0.1,
        stepSize: 0.01,
        minNotional: 5,
        tiers: [{ notionalFloor: 0, maintenanceMarginFraction: 0.01, leverageMax: 20 }],
        funding: { time: [1], rate: [0.0001], mark: [5] },
      },
      markPrices: { open: [5, 5], high: [6, 6], low: [4, 4] },
      fineCandles: columns,
    });
    expect(backtestFromWire(request)).toMatchObject({
      scoredCount: 1,
      params: {
        stopLossFraction: 0.01,
        takeProfitFraction: 0.03,
        holdingBarsMax: 7,
        trailing: { mode: 'atr', atrMultiplier: 2, atrPeriod: 5, activationFraction: 0.02, stepFraction: 0 },
      },
      costs: {
        liquidationModel: 'okx',
        tickSize: 0.1,
        stepSize: 0.01,
        minNotional: 5,
        tiers: [{ notionalFloor: 0, maintenanceMarginFraction: 0.01, maintenanceAmount: 0, leverageMax: 20 }],
        funding: { time: Float64Array.of(1), rate: Float64Array.of(0.0001), mark: Float64Array.of(5) },
      },
      markPrices: { low: Float64Array.of(4, 4) },
      fineCandles: { volume: Float64Array.of(1, 1) },
    });
  });

  it.each<[field: string, request: object]>([
    ['candles.close[1]', { candles: { ...columns, close: [1, null] } }],
    ['candles.low', { candles: { ...columns, low: 'cheap' } }],
    ['params.slPct', { candles: columns, params: { slPct: 2 } }],
    ['params.trailing.callbackPct', { candles: columns, params: { trailing: { callbackPct: 0 } } }],
    ['params.weights.rsi', { candles: columns, params: { weights: { rsi: 0.25 } } }],
    ['costs.leverage', { candles: columns, costs: { leverage: 126 } }],
    [
      'costs.tiers[0].leverageMax',
      { candles: columns, costs: { tiers: [{ notionalFloor: 0, maintenanceMarginFraction: 0 }] } },
    ],
    ['', { candles: columns, extra: 1 }],
  ])('that is wrong at "%s" says so', (field, request) => {
    const { error } = BacktestRequestWire.safeParse(request);
    expect(error && firstIssue(error).field).toBe(field);
  });
});

it("turns a task's field names into those of the JSON form", () => {
  const rename = (field: string): string =>
    toWireError({ code: 'bad_input', message: `${field} is wrong`, field }).message;
  expect(
    ['params.stopLossFraction', 'params.trailing.stepFraction', 'scoredCount', 'requests[2].params.period'].map(rename),
  ).toEqual([
    'params.slPct is wrong',
    'params.trailing.stepPct is wrong',
    'scored is wrong',
    'indicators[2].period is wrong',
  ]);
});

it(
  'prints a result that its own schema accepts, with null for what is not defined',
  async () => {
    const { time, open, high, low, close, volume } = randomCandles(seededRandom(5), 120);
    const all = { time, open, high, low, close, volume };
    const candles = Object.fromEntries(Object.entries(all).map(([name, column]) => [name, [...column]]));
    const request = BacktestRequestWire.parse({ candles });
    const engine = startEngine(await testEngine());
    const result = runTask(engine, {
      name: 'backtest',
      input: backtestFromWire(request),
    }) as TaskResult<BacktestResult>;
    if (!result.ok) throw new Error(result.error.message);
    const sent = JSON.parse(
      JSON.stringify(backtestToWire(result.value, request.params, { costs: defaultCosts })),
    ) as Record<string, unknown>;
    expect(BacktestResultWire.parse(sent)).toEqual(sent);
    expect((sent['score'] as unknown[])[0]).toBeNull();
    expect(sent['trades']).toBe(result.value.trades.length);
  },
  engineTimeoutMs,
);
