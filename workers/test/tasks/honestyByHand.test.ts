import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyFigure, HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput } from '../../src/protocol/optimize.ts';
import type { Costs, StrategyParams } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { steadyMarket, straightCandles } from '../support/steadyMarkets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const SCORED = 100;
/** The balance of volume follows a steady market in every candle, so the rules enter wherever they can, always on its side. */
const follower: StrategyParams = {
  weights: { obv: 1 },
  entryThreshold: 0.5,
  stopLossFraction: 0.005,
  takeProfitFraction: 0.009,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const free: Costs = {
  ...defaultCosts,
  takerFeeFraction: 0,
  slippageFraction: 0,
  stopSlippageFraction: 0,
  initialEquity: 100_000,
};

function panel(more: Partial<OptimizeInput>): HonestyResult {
  const search: OptimizeInput = {
    candles: steadyMarket(200, 0.01),
    params: follower,
    costs: free,
    scoredCount: SCORED,
    samples: 1,
    seed: 1,
    target: 'pnl',
    trainOn: 'scored',
    refine: false,
    ...more,
  };
  const result = runTask(engine, { name: 'honesty', input: { kind: 'search', search } }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(`${result.error.field ?? ''} ${result.error.message}`);
  return result.value;
}
const find = ({ figures }: HonestyResult, id: HonestyFigure['id']): HonestyFigure =>
  figures.find((figure) => figure.id === id)!;

/**
 * A run that enters this many times, wherever it can, against random entries on the same side: only a random run that skips no entry is as
 * good.
 */
function expectAsGood({ value }: HonestyFigure, entries: number): void {
  const share = (entries / (entries + 1)) ** entries;
  expect(Math.abs(value! - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / 1000));
}

describe('entries by dice in a market that only goes one way', () => {
  // Each candle moves 1 %: with the market a position ends in its first candle at +0.9 %, against it at -0.5 %. The own run decides at the
  // first of 100 candles and holds a winner in each of the 99 others; an entry is possible at 100 candles, so random entries have a chance
  // of 0.99. Random entries on the side of the market are as good as the own run when they skip none of 99: 0.99^99 = 0.370. With random
  // sides they lose on half of the candles and never get there.
  it.each([
    ['rises, and the rules were only ever long', 0.01],
    ['falls, and the rules were only ever short', -0.01],
  ])('are on the side of the run when it %s: being there is no skill', (_, move) => {
    const figure = find(panel({ candles: steadyMarket(200, move) }), 'randomEntry');
    expectAsGood(figure, 99);
    // 0.37: between 5 % and one half a test says neither.
    expect(figure.says).toBe('neither');
  });
});

describe('entries by dice when the votes warm up on the scored candles', () => {
  // Three swings up and down, then 1 % up in each candle. Scored are the last 140 of 200: the balance of volume votes from the first of
  // them on and decides 139 entries; Ichimoku votes from the 17th on, 123.
  const climb = straightCandles(Array.from({ length: 200 }, (_, i) => (i < 48 && i % 16 >= 10 ? -0.01 : 0.01)));

  it.each([
    ['obv', 139],
    ['ichimoku', 123],
  ])('come where %s spoke, and as often: being long is no skill', (vote, entries) => {
    const params = { ...follower, weights: { [vote]: 1 } };
    expectAsGood(find(panel({ candles: climb, params, scoredCount: 140 }), 'randomEntry'), entries);
  });
});

describe('buying and holding', () => {
  it('is compared on the starting equity, whatever the size of a position', () => {
    // 99 trades won 9 each on 100,000; 1,000 held over 100 candles of 1 % grew to 1.01^100 times as much.
    const figure = find(panel({}), 'buyAndHold');
    expect(figure.value).toBeCloseTo((99 * 9 - 1000 * (1.01 ** 100 - 1)) / 100_000, 9);
  });
});

describe('the fee that leaves nothing', () => {
  const withFee = (takerFeeFraction: number): Costs => ({ ...free, takerFeeFraction });

  it('speaks for luck from the fee that is paid on, and the panel says so', () => {
    // Each trade buys for 1,000 and sells for 1,009: 9 of 2,009 is 0.448 % a fill.
    const [below, above] = [0.0044, 0.0045].map((fee) => panel({ costs: withFee(fee) })) as [
      HonestyResult,
      HonestyResult,
    ];
    for (const result of [below, above]) expect(find(result, 'breakEvenFee').value).toBeCloseTo(9 / 2009, 12);
    expect(find(below, 'breakEvenFee').says).toBe('neither');
    expect(below.reading.luck).not.toContain('breakEvenFee');
    expect(find(above, 'breakEvenFee').says).toBe('luck');
    expect(above.reading.luck).toContain('breakEvenFee');
    expect(above.reading.level).not.toBe('holds up');
    expect(find(above, 'breakEvenFee').words).toContain('at a fee of 0.448 % per fill; you pay 0.450 %.');
  });

  it('counts the funding that the trades paid', () => {
    // To +2.5 % it takes three candles: 10 / p units are charged 0.1 % at the opens of the second and third, 1.01 p and 1.0201 p, and
    // 25 - 2.0301 is left of a turnover of 1,000 + 1,025: 1.134 % a fill. Without funding it would be 1.235 %.
    const candles = steadyMarket(200, 0.01);
    const funding = { time: candles.time, rate: candles.time.map(() => 0.001) };
    const params = { ...follower, takeProfitFraction: 0.025 };
    const judged = (fee: number): HonestyFigure =>
      find(panel({ candles, params, costs: { ...withFee(fee), funding } }), 'breakEvenFee');
    expect(judged(0.0113)).toMatchObject({
      value: expect.closeTo((25 - 2.0301) / 2025, 12) as number,
      says: 'neither',
    });
    expect(judged(0.0114).says).toBe('luck');
  });
});
