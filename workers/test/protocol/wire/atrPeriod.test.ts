import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { describe, expect, it } from 'vitest';
import type { BacktestResult } from '../../../src/protocol/backtest.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import { runTask, startEngine } from '../../../src/tasks/index.ts';
import { backtestFromWire, BacktestRequestWire } from '../../../src/protocol/wire/backtest.ts';
import { StrategyWire, strategyVersion } from '../../../src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '../../../src/protocol/wire/strategyParams.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { randomCandles, seededRandom } from '../../support/randomRuns.ts';

const classicPeriod = (atrPeriod: unknown) => StrategyParamsWire.safeParse({ trailing: { atrPeriod } });
const rulesPeriod = (atrPeriod: unknown) => StrategyWire.safeParse({ ...liveRules(['1h']), atrPeriod });

describe('X9 an ATR period that arrives by API', () => {
  it.each([
    [0, 1],
    [-7, 1],
    [1, 1],
    [2, 2],
    [1000, 1000],
  ])('of %d candles is %d', (sent, used) => {
    expect(classicPeriod(sent).data?.trailing.atrPeriod).toBe(used);
    expect(rulesPeriod(sent).data?.atrPeriod).toBe(used);
  });

  it.each([0.5, 1001, '0', null])('of %j is rejected with its field', (sent) => {
    expect(classicPeriod(sent).error?.issues).toMatchObject([{ path: ['trailing', 'atrPeriod'] }]);
    expect(rulesPeriod(sent).error?.issues).toMatchObject([{ path: ['atrPeriod'] }]);
  });

  it('is the default when absent', () => {
    expect(StrategyParamsWire.parse({}).trailing.atrPeriod).toBeUndefined();
    expect(rulesPeriod(undefined).success).toBe(false);
  });

  it('makes the rules of 0 and of 1 one version', () =>
    expect(strategyVersion(rulesPeriod(0).data!)).toBe(strategyVersion(rulesPeriod(1).data!)));
});

it(
  'X9 a run with an ATR period of 0 has the trades of a period of 1',
  async () => {
    const engine = startEngine(await testEngine());
    const candles = randomCandles(seededRandom(9), 400);
    const run = (atrPeriod: number) => {
      const trailing = { enabled: true, mode: 'atr', atrMultiplier: 1, atrPeriod };
      const columns = Object.fromEntries(
        Object.entries<Float64Array>({ ...candles }).map(([name, column]) => [name, [...column]]),
      );
      const input = backtestFromWire(BacktestRequestWire.parse({ candles: columns, params: { trailing } }));
      const result = runTask(engine, { name: 'backtest', input }) as TaskResult<BacktestResult>;
      if (!result.ok) throw new Error(result.error.message);
      return result.value.trades;
    };
    const [none, one, many] = [run(0), run(1), run(14)];
    expect(one.length).toBeGreaterThan(0);
    expect(none).toEqual(one);
    expect(none).not.toEqual(many);
  },
  engineTimeoutMs,
);
