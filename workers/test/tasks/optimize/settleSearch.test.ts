import { joinColumns } from '../../../src/candles/candleColumns.ts';
// Long because each case of the minutes of a search is tested on the same markets.
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { minutesByBar } from '../../../src/candles/minutes.ts';
import type { Candles } from '../../../src/protocol/backtest.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../../src/protocol/tasks.ts';
import type { OptimizeInput, OptimizeResult, WalkForwardResult } from '../../../src/protocol/optimize.ts';
import { requestedBars, settleSearch, type SettleSearchOptions } from '../../../src/tasks/optimize/settleSearch.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { type Searched, searchOnPool } from '../../../src/tasks/optimize/onPool.ts';
import { defaultWeights } from '../../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { market, marksOf, minutesOf } from '../../support/markets.ts';
import { type Random, randomCosts, randomParams, seededRandom } from '../../support/randomRuns.ts';
import { randomStrategyInput } from '../../support/randomStrategies.ts';
import { risingCandles, risingSearch } from '../../support/risingMarket.ts';

const QUARTER_MS = 15 * MINUTE_MS;

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const pool = (threads: number): EnginePool => ({
  run: (name, input) => Promise.resolve(runTask(engine, { name, input } as never) as never),
  close: () => Promise.resolve(),
  threads,
});

const withFine = (input: OptimizeInput, fineCandles: Candles | undefined): OptimizeInput =>
  fineCandles === undefined ? input : { ...input, fineCandles };

const searchOn = (input: OptimizeInput, threads = 1): Promise<Searched> =>
  searchOnPool(pool(threads), input, { signal: new AbortController().signal });

/** The search with minutes as the page makes it. */
function settle(
  input: OptimizeInput,
  load: SettleSearchOptions<Searched>['load'],
  { threads = 1, minutesMax }: { threads?: number; minutesMax?: number } = {},
) {
  const requesting = { ...input, withUnknown: true };
  return settleSearch({
    candles: input.candles,
    intervalMs: QUARTER_MS,
    load,
    ...(minutesMax === undefined ? {} : { minutesMax }),
    draft: async () => requestedBars(pool(threads), input, await searchOn({ ...requesting, refine: false }, threads)),
    run: async (fineCandles) => {
      const value = await searchOn(withFine(requesting, fineCandles), threads);
      return { value, ...(await requestedBars(pool(threads), withFine(input, fineCandles), value)) };
    },
  });
}

/** The result of a search, without the candles it requested. */
function matchedBy({ parts, last }: Searched) {
  const without = ({ unknownBars: _requested, best, walkForward, ...result }: OptimizeResult) => {
    const walked = { ...walkForward };
    delete walked.unknownBars;
    const shown = { ...best };
    delete shown.unknownBars;
    return { ...result, walked, shown };
  };
  return { parts: parts.map(without), last: without(last) };
}

/** The minutes of each candle: high and low in any two of them, the rest at the open, some minutes without volume. */
function randomMinutes(random: Random, { time, open, high, low, close, volume }: Candles): Candles[] {
  return Array.from(time, (from, i) => {
    const count = QUARTER_MS / MINUTE_MS;
    const top = Math.floor(random() * count);
    const bottom = (top + 1 + Math.floor(random() * (count - 1))) % count;
    const base = open[i] ?? 0;
    const endOf = (minute: number): number => (minute === count - 1 ? (close[i] ?? 0) : base);
    const isOneMinute = random() < 0.1; // both in one minute: the order stays unknown
    const column = (of: (minute: number) => number): Float64Array =>
      Float64Array.from({ length: count }, (_, k) => of(k));
    return {
      time: column((k) => from + k * MINUTE_MS),
      open: column(() => base),
      high: column((k) => (k === top ? (high[i] ?? 0) : Math.max(base, endOf(k)))),
      low: column((k) => (k === (isOneMinute ? top : bottom) ? (low[i] ?? 0) : Math.min(base, endOf(k)))),
      close: column(endOf),
      volume: column((k) => (k !== top && k !== bottom && random() < 0.3 ? 0 : (volume[i] ?? 0) / count)),
    };
  });
}

/** An exchange that has these minutes, but for a candle here and there. */
function exchangeOf(candles: Candles, each: readonly Candles[], hasHoles = true) {
  const requested: number[] = [];
  const known = minutesByBar(
    { candles, intervalMs: QUARTER_MS },
    Array.from(candles.time),
    joinColumns(each.filter((_, i) => !hasHoles || i % 17 !== 3)),
  );
  const load: SettleSearchOptions<unknown>['load'] = (opens) => {
    requested.push(...opens);
    return Promise.resolve({ found: known, problem: null });
  };
  const whole = joinColumns([...known.values()].flatMap((minutes) => minutes ?? []));
  return { asked: requested, load, whole };
}

/** A search over Classic: any parameters and costs, percent trailing, tight ranges in every second case. */
function randomClassic(index: number): OptimizeInput {
  const random = seededRandom(91_000 + index);
  const candles = market(520, index + 1, { trend: 0.2, volatility: 0.004 + 0.02 * random() });
  const params = randomParams(random);
  params.trailing.mode = 'percent';
  const costs = randomCosts(random, candles);
  costs.leverage = Math.min(costs.leverage, 20);
  if (random() < 0.3) costs.sameBar = 'target';
  return {
    candles,
    params,
    costs,
    ...(random() < 0.5 ? { markPrices: marksOf(candles, 0.001, random() < 0.5 ? 0.08 : 0) } : {}),
    scoredCount: 200,
    samples: 40,
    target: index % 3 === 0 ? 'sharpe' : 'pnl',
    seed: index,
    ...(index % 2 === 0
      ? { space: { stopLossFraction: { min: 0.002, max: 0.02 }, takeProfitFraction: { min: 0.002, max: 0.02 } } }
      : {}),
    ...(index % 4 === 0 ? { guide: true } : {}),
    walkForward: { kind: 'anchored', folds: 2, purgeBars: 2, embargoBars: 1 },
  };
}

/** A search over rules: stops and targets by range, break-even, opposite signals, every sizing. */
function randomRules(index: number): OptimizeInput {
  const { candles, context, news, strategy, costs } = randomStrategyInput(7, index);
  const random = seededRandom(52_000 + index);
  delete strategy.parameters;
  return {
    candles,
    params: randomParams(random),
    rules: { strategy, context, ...(news && { news }), space: { weight: { min: -1, max: 2 } } },
    costs: { ...costs, leverage: Math.min(costs.leverage, 20) },
    scoredCount: 200,
    samples: 30,
    target: 'pnl',
    seed: index,
    trainOn: 'scored',
    ...(random() < 0.5 ? { markPrices: marksOf(candles, 0.001) } : {}),
  };
}

describe('a search that loads the minutes its sets request', () => {
  it.each([
    ...Array.from({ length: 16 }, (_, i) => ['Classic', i, randomClassic] as const),
    ...Array.from({ length: 16 }, (_, i) => ['rules', i, randomRules] as const),
  ])(
    'has every trial of the search with the minutes of the whole window, to the bit: %s, case %i',
    async (_name, index, inputOf) => {
      const input = inputOf(index);
      const { asked, load, whole } = exchangeOf(
        input.candles,
        randomMinutes(seededRandom(index), input.candles),
        index % 2 === 0,
      );
      // Chunks on two threads request the same as one call.
      const { value, minutes } = await settle(input, load, { threads: 1 + (index % 2) });
      expect(matchedBy(value)).toEqual(matchedBy(await searchOn(withFine(input, whole), 1 + (index % 2))));
      expect(minutes.problem).toBeNull();
      expect(minutes.beyondCount).toBe(0);
      expect(new Set(asked).size).toBe(asked.length);
      // Fewer than all candles. The next test checks that their minutes change results.
      expect(asked.length).toBeLessThan(input.candles.time.length);
    },
  );

  it.each([
    ['Classic', randomClassic, 12],
    ['rules', randomRules, 6],
  ] as const)(
    'requests minutes in these cases of %s, and they change the trials of many',
    async (_name, inputOf, least) => {
      let [changed, candles] = [0, 0];
      for (let index = 0; index < 16; index++) {
        const input = inputOf(index);
        const { asked, load } = exchangeOf(input.candles, randomMinutes(seededRandom(index), input.candles));
        const { value } = await settle(input, load);
        const plain = await searchOn(input);
        candles += asked.length;
        if (plain.last.trials.netPnl.some((net, i) => net !== value.last.trials.netPnl[i])) changed++;
      }
      expect(changed).toBeGreaterThan(least);
      expect(candles).toBeGreaterThan(16 * 10);
    },
  );
});

/** Candles of risingMarket that reach no stop but those of `deep`, which go 3 % down, the first one furthest. */
const stairs = (deep: readonly number[]): Candles =>
  risingCandles((i) => (deep.includes(i) ? 0.97 + 0.001 * deep.indexOf(i) : i < 100 ? 0.99 : 0.995));
const byHand = (candles: Candles): OptimizeInput => risingSearch(candles, { samples: 200 });

describe('by hand: 599 trades, of which three candles hold stop and target of every set', () => {
  const deep = [300, 412, 799];
  const candles = stairs(deep);
  const opens = deep.map((bar) => candles.time[bar]!);
  const { load, asked } = exchangeOf(candles, [minutesOf(candles, 'high')], false);

  it('requests these three and no other, and takes the target that their minutes show first', async () => {
    const plain = await searchOn(byHand(candles));
    // 596 targets of 2 % and three stops of 1 % of 1,000.
    expect(plain.last.best!.value).toBeCloseTo(596 * 20 - 3 * 10, 6);
    const { value, minutes } = await settle(byHand(candles), load);
    expect(asked).toEqual(opens);
    expect(minutes).toMatchObject({ opens, absentCount: 0, beyondCount: 0, problem: null });
    expect(minutes.fineCandles!.time).toHaveLength(45);
    expect(value.last.best!.value).toBeCloseTo(599 * 20, 6);
    // The plain backtest of the winner, with its own minutes, is the row it won with.
    const { params, train, scored } = value.last.best!;
    const { costs, scoredCount } = byHand(candles);
    const alone = runTask(engine, {
      name: 'backtest',
      input: { candles, costs, scoredCount, params, fineCandles: minutes.fineCandles! },
    });
    expect(alone).toEqual({ ok: true, value: scored });
    expect(scored.summary).toEqual(train);
  });

  it('loads the largest candles where there is no room for all, those of the best set first, and counts the rest', async () => {
    const two = await settle(byHand(candles), load, { minutesMax: 30 });
    expect(two.minutes).toMatchObject({ opens: opens.slice(0, 2), absentCount: 0, beyondCount: 1 });
    expect(two.value.last.best!.value).toBeCloseTo(598 * 20 - 10, 6);
    const none = await settle(byHand(candles), load, { minutesMax: 14 });
    expect(none.minutes).toMatchObject({ opens: [], fineCandles: undefined, beyondCount: 3 });
    const wider = { ...candles, low: candles.low.map((low, i) => (i === deep[1] ? low * 0.99 : low)) };
    const one = exchangeOf(wider, [minutesOf(wider, 'high')], false);
    expect((await settle(byHand(wider), one.load, { minutesMax: 15 })).minutes.opens).toEqual([opens[1]]);
  });

  it('leaves a candle open whose minutes the exchange does not have, and goes on without minutes when none can be had', async () => {
    const holed = exchangeOf(
      candles,
      deep.slice(1).map((bar) => {
        const all = minutesOf(candles, 'high');
        const cut = (column: Float64Array): Float64Array => column.slice(15 * bar, 15 * (bar + 1));
        return {
          time: cut(all.time),
          open: cut(all.open),
          high: cut(all.high),
          low: cut(all.low),
          close: cut(all.close),
          volume: cut(all.volume),
        };
      }),
      false,
    );
    const { value, minutes } = await settle(byHand(candles), holed.load);
    expect(minutes).toMatchObject({ opens: opens.slice(1), absentCount: 1, beyondCount: 0, problem: null });
    expect(value.last.best!.value).toBeCloseTo(598 * 20 - 10, 6);
    const late = { found: new Map(), problem: 'too slow' };
    const failed = await settle(byHand(candles), () => Promise.resolve(late));
    expect(failed.minutes).toEqual({
      fineCandles: undefined,
      opens: [],
      absentCount: 0,
      beyondCount: 3,
      problem: 'too slow',
    });
    expect(matchedBy(failed.value)).toEqual(matchedBy(await searchOn(byHand(candles))));
  });

  it('takes the minutes that came before the load failed, and counts the others as not loaded', async () => {
    const loads: number[] = [];
    const { value, minutes } = await settle(byHand(candles), async (wanted) => {
      loads.push(wanted.length);
      const { found } = await load(wanted);
      return { found: new Map([...found].filter(([openMs]) => openMs === opens[0])), problem: 'too slow' };
    });
    expect(minutes).toMatchObject({ opens: [opens[0]], absentCount: 0, beyondCount: 2, problem: 'too slow' });
    expect(loads).toEqual([3]);
    // One of three stops of 1 % is a target of 2 % now.
    expect(value.last.best!.value).toBeCloseTo(597 * 20 - 2 * 10, 6);
  });

  it('walks forward with the minutes of the search and those its folds request', async () => {
    const { minutes } = await settle(byHand(candles), load);
    const input: OptimizeInput = {
      ...byHand(candles),
      walkForward: { kind: 'anchored', folds: 2, purgeBars: 0, embargoBars: 0 },
    };
    const walk = (fineCandles: Candles | undefined): WalkForwardResult => {
      const outcome = runTask(engine, {
        name: 'walkForward',
        input: { ...withFine(input, fineCandles), withUnknown: true },
      }) as TaskResult<WalkForwardResult>;
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.value;
    };
    const walked = await settleSearch({
      candles,
      intervalMs: QUARTER_MS,
      load,
      known: minutesByBar({ candles, intervalMs: QUARTER_MS }, minutes.opens, minutes.fineCandles!),
      run: (fineCandles) => {
        const value = walk(fineCandles);
        return Promise.resolve({ value, unknownBars: value.unknownBars ?? [] });
      },
    });
    expect(walked.value).toEqual(walk(minutesOf(candles, 'high')));
    expect(walk(undefined).unknownBars!.length).toBeGreaterThan(0);
  });
});

it('candles of a minute have no finer ones: the search runs once', async () => {
  const candles = market(520, 3, { stepMs: MINUTE_MS });
  let runs = 0;
  const { minutes } = await settleSearch({
    candles,
    intervalMs: MINUTE_MS,
    load: () => Promise.reject(new Error('asked')),
    draft: () => Promise.reject(new Error('drafted')),
    run: () => Promise.resolve({ value: ++runs, unknownBars: [300] }),
  });
  expect([runs, minutes.opens, minutes.problem]).toEqual([1, [], null]);
});

it('a search without the option returns no open candles, and has the same bits as one with it', async () => {
  const input: OptimizeInput = {
    ...byHand(stairs([300])),
    params: {
      ...byHand(stairs([])).params,
      weights: { ...defaultWeights },
      trailing: { enabled: true, callbackFraction: 0.004, stepFraction: 0.001 },
    },
  };
  delete input.space;
  const plain = await searchOn(input);
  expect('unknownBars' in plain.last || 'unknownBars' in plain.last.best!).toBe(false);
  expect(plain.unknownBars).toEqual([]);
  expect(matchedBy(await searchOn({ ...input, withUnknown: true }))).toEqual(matchedBy(plain));
});

it.each([
  ['5m', 5, 1200],
  ['1h', 60, 1000],
  ['4h', 240, 250],
  ['1d', 1440, 41],
] as const)(
  'of candles of %s with every one in question it loads as many as 60,000 minutes hold',
  async (_name, perCandle, most) => {
    const intervalMs = perCandle * MINUTE_MS;
    const candles = market(1200, 4, { stepMs: intervalMs });
    const bars = Array.from(candles.time.keys());
    const requested: number[] = [];
    const { minutes } = await settleSearch({
      candles,
      intervalMs,
      load: (opens) => {
        requested.push(...opens);
        return Promise.resolve({ found: new Map(), problem: null });
      },
      run: () => Promise.resolve({ value: null, unknownBars: bars }),
    });
    expect(requested).toHaveLength(most);
    expect(requested).toEqual(requested.toSorted((a, b) => a - b));
    const range = (openMs: number): number =>
      candles.high[candles.time.indexOf(openMs)]! / candles.low[candles.time.indexOf(openMs)]!;
    const left = Array.from(candles.time).filter((openMs) => !requested.includes(openMs));
    expect(Math.min(...requested.map(range))).toBeGreaterThan(Math.max(0, ...left.map(range)));
    expect([minutes.absentCount, minutes.beyondCount]).toEqual([most, 1200 - most]);
  },
);
