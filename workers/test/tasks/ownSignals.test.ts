import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadModule } from '../../src/node/loadModule.ts';
import type { BacktestResult, Candles } from '../../src/protocol/backtest.ts';
import type { EnsembleResult } from '../../src/protocol/ensemble.ts';
import type { SignalsResult } from '../../src/protocol/signals.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { strategyVersion } from '../../src/protocol/wire/strategy.ts';
import { awaitsSettlement, leavesByRule, readsOf } from '../../src/rules/liveInputs.ts';
import { ruleSetOf, strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { rulesOfStrategy, signalSizing, standardSizing, timeframesOf } from '../../src/signals/signalRules.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { signalHashes } from '../../src/tasks/signalHashes.ts';
import { contextOf } from '../support/randomStrategies.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';
import { randomRules } from '../rules/randomRules.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

type Columns = keyof Candles;
const cut = (candles: Candles, count: number): Candles =>
  Object.fromEntries(
    Object.entries(candles).map(([name, column]) => [name, (column as Float64Array).slice(0, count)]),
  ) as Record<Columns, Float64Array<ArrayBuffer>>;

function own(text: string, interval: IntervalName = '15m') {
  const made = strategyOfRules(text, interval);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return { ...made.value, rules: text };
}
type Own = ReturnType<typeof own>;
const valueOf = <T>(result: TaskResult<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** The candles of each interval that had closed with base candle `i`. */
function seriesAt(strategy: Own, base: Candles, context: readonly Candles[], i: number) {
  const stepMs = intervalMs[strategy.intervals[0]!.interval];
  const closeMs = (base.time[i] ?? 0) + stepMs;
  return timeframesOf(
    strategy.intervals.map(({ interval }, t) => {
      const longMs = intervalMs[interval];
      const whole = t === 0 ? base : context[t - 1]!;
      const count = whole.time.filter((open) => open + longMs <= closeMs).length;
      return { interval, stepMs: longMs, candles: cut(whole, count) };
    }),
    strategy,
  );
}

const rulesOf = (strategy: Own) => rulesOfStrategy({ value: strategy, version: strategyVersion(strategy) });
const signalAt = (strategy: Own, timeframes: ReturnType<typeof timeframesOf>): EnsembleResult =>
  valueOf(runTask(at, { name: 'ensemble', input: { ...rulesOf(strategy), timeframes } }) as TaskResult<EnsembleResult>);

describe('the signal of own rules', () => {
  it('RULE-013 at candle i is column i of their backtest, over random rules', () => {
    let directed = 0;
    let left = 0;
    for (let index = 0; index < 60; index++) {
      const random = seededRandom(41_000 + index);
      // Mark prices, funding and news are no candles.
      const text = randomRules(random).replaceAll(/\b(mark|funding_in|funding|news)\b/g, 'volume');
      const made = strategyOfRules(text, '15m');
      if (!made.ok) continue;
      const strategy = own(text);
      const base = randomCandles(random, 500, intervalMs['15m']);
      const context = strategy.intervals.slice(1).map(({ interval }) => contextOf(random, base, interval, 60));
      const costs = { ...defaultCosts, fundingSource: 'off' as const };
      const input = { candles: base, context, strategy, costs, scoredCount: 500 };
      const run = runTask(at, { name: 'backtestStrategy', input });
      if (!run.ok) continue;
      const { score } = run.value as BacktestResult;
      const { base: lookBack, longer } = ruleSetOf(strategy).lookBack;
      for (let i = 499; i > Math.max(lookBack, 380); i -= 7) {
        const timeframes = seriesAt(strategy, base, context, i);
        if (timeframes.slice(1).some(({ candles }, t) => candles.time.length <= (longer[t] ?? 0))) continue;
        const signal = signalAt(strategy, timeframes);
        expect({ text, i, score: signal.score }).toEqual({ text, i, score: score[i] });
        // Every candle before it too: nothing of the past depends on a later candle.
        expect(signal.scores).toEqual(score.slice(0, i + 1));
        if (signal.direction !== 'NEUTRAL') directed++;
        if (signal.exits?.long === true || signal.exits?.short === true) left++;
      }
    }
    expect(directed).toBeGreaterThan(50);
    expect(left).toBeGreaterThan(20);
  });

  it('RULE-013 has the levels of its text, the score 1 and one vote without contributions', () => {
    // The last candle closes above the one before it, always.
    const strategy = own('long when close > 0\nstop 3 * atr(10); target 2R', '1h');
    const candles = randomCandles(seededRandom(7), 120, intervalMs['1h']);
    const timeframes = timeframesOf([{ interval: '1h', stepMs: intervalMs['1h'], candles }], strategy);
    const items = ['A', 'B'].map((symbol) => ({ symbol, exchange: 'binance' as const, timeframes }));
    const sizing = signalSizing(standardSizing);
    const rules = rulesOf(strategy);
    const { rows } = valueOf(
      runTask(at, { name: 'signals', input: { items, rules, sizing } }) as TaskResult<SignalsResult>,
    );
    const alone = signalAt(strategy, timeframes);
    for (const { signal } of rows) {
      const { ensemble, position, meta } = valueOf(signal);
      expect(ensemble).toMatchObject({ direction: 'LONG', score: 1, rawConfidence: 1, contributions: [] });
      expect(ensemble).toMatchObject({ liveVoteCount: 1, effectiveVoteCount: 1, exits: { long: false, short: false } });
      const { price, atr, levels } = ensemble;
      expect(atr).toBe(alone.atr);
      expect(levels!.stopLossPrice).toBeCloseTo(price - 3 * atr, 9);
      expect(levels!.takeProfitPrice).toBeCloseTo(price + 6 * atr, 9);
      expect(position!.quantity).toBeGreaterThan(0);
      expect(meta).toMatchObject({ atr });
      expect(meta.rsi).toBeGreaterThan(0);
    }
  });

  it('RULE-013 needs the candles of every interval and of its look-back, and names what is wrong', () => {
    const strategy = own('long when close > sma(close, 100) and 4h(close > sma(close, 5))', '1h');
    const candles = randomCandles(seededRandom(8), 120, intervalMs['1h']);
    const base = { interval: '1h', stepMs: intervalMs['1h'] as number, candles };
    const longer = { interval: '4h', stepMs: intervalMs['4h'], candles: contextOf(seededRandom(9), candles, '4h', 20) };
    const errorOf = (series: (typeof base)[], rules = rulesOf(strategy)) => {
      const timeframes = timeframesOf(series, strategy);
      const result = runTask(at, { name: 'ensemble', input: { ...rules, timeframes } });
      return result.ok ? undefined : result.error;
    };
    expect(errorOf([base, longer])).toBeUndefined();
    expect(errorOf([base])).toMatchObject({ code: 'too_short', message: 'timeframes: no 4h candles for the rules' });
    const few = { ...base, candles: cut(candles, 90) };
    expect(errorOf([few, longer])?.message).toMatch(/^timeframes: 90 candles are too few; the rules look back \d+$/);
    expect(errorOf([base, { ...longer, candles: cut(longer.candles, 3) }])?.code).toBe('too_short');
    const bad = { ...rulesOf(strategy), ownRules: { rules: 'long when', intervals: strategy.intervals } };
    expect(errorOf([base, longer], bad)).toMatchObject({ code: 'bad_input', field: 'ownRules.rules' });
  });

  it('RULE-013 has the vote of the news at its own candle alone', () => {
    const strategy = own('long when news == 1\nshort when news[1] == 0', '1h');
    const candles = randomCandles(seededRandom(7), 120, intervalMs['1h']);
    const timeframes = timeframesOf([{ interval: '1h', stepMs: intervalMs['1h'], candles }], strategy);
    const input = { ...rulesOf(strategy), timeframes };
    const directionOf = (news?: 1 | -1) =>
      valueOf(
        runTask(at, {
          name: 'ensemble',
          input: news === undefined ? input : { ...input, news },
        }) as TaskResult<EnsembleResult>,
      ).direction;
    expect([directionOf(1), directionOf(-1), directionOf()]).toEqual(['LONG', 'NEUTRAL', 'NEUTRAL']);
  });

  it('RULE-013 reads the funding and the mark price of its candle, as its backtest does', () => {
    const strategy = own(
      'long when funding > 0 and mark > close\nshort when funding < 0 and funding_in < 3\nexit long when sum(funding, 9) < 0',
      '1h',
    );
    const random = seededRandom(77);
    const candles = randomCandles(random, 200, intervalMs['1h']);
    // From the first candle on, every eight hours.
    const time = Float64Array.from({ length: 25 }, (_, k) => (candles.time[0] ?? 0) + 8 * k * intervalMs['1h']);
    const funding = { time, rate: time.map(() => random() - 0.5) };
    const open = candles.open.map((price) => price * (0.99 + 0.02 * random()));
    const markPrices = {
      open,
      high: candles.high.map((price, i) => Math.max(price, open[i] ?? 0)),
      low: candles.low.map((price, i) => Math.min(price, open[i] ?? 0)),
    };
    const costs = { ...defaultCosts, fundingSource: 'history' as const, funding };
    const input = { candles, context: [], strategy, costs, markPrices, scoredCount: 200 };
    const { score } = valueOf(runTask(at, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>);
    const seen = new Set<number>();
    const hashes = new Set<string>();
    for (let i = 60; i < 200; i++) {
      const closeMs = (candles.time[i] ?? 0) + intervalMs['1h'];
      const known = time.filter((each) => each <= closeMs).length;
      const ruleInputs = {
        funding: { time: time.slice(0, known), rate: funding.rate.slice(0, known) },
        markPrices: cut(markPrices as unknown as Candles, i + 1),
      };
      const timeframes = seriesAt(strategy, candles, [], i);
      const signal = valueOf(
        runTask(at, {
          name: 'ensemble',
          input: { ...rulesOf(strategy), timeframes, ruleInputs },
        }) as TaskResult<EnsembleResult>,
      );
      expect([i, signal.score]).toEqual([i, score[i]]);
      seen.add(signal.score);
      if (i < 70) hashes.add(signalHashes({ timeframes, ruleInputs }, rulesOf(strategy)).data);
    }
    expect(seen).toEqual(new Set([-1, 0, 1]));
    // Inputs are data: without them the hash is another one.
    const timeframes = seriesAt(strategy, candles, [], 60);
    expect(hashes.size).toBe(10);
    expect(hashes.has(signalHashes({ timeframes }, rulesOf(strategy)).data)).toBe(false);
    const short = { markPrices: cut(markPrices as unknown as Candles, 3) };
    const result = runTask(at, { name: 'ensemble', input: { ...rulesOf(strategy), timeframes, ruleInputs: short } });
    expect(result).toMatchObject({ ok: false, error: { field: 'ruleInputs.markPrices' } });
  });

  it('RULE-013 waits for a settlement that is due at its close', () => {
    const hour = intervalMs['1h'];
    const every8 = (count: number, late = 0) =>
      Array.from({ length: count }, (_, k) => 8 * k * hour + (k > 0 ? late : 0));
    // Due at 24 h: known are 0, 8, 16.
    expect(awaitsSettlement(every8(3), 24 * hour)).toBe(true);
    expect(awaitsSettlement(every8(4), 24 * hour)).toBe(false);
    // Stamped a few milliseconds late, as exchanges do.
    expect(awaitsSettlement(every8(3, 4), 24 * hour)).toBe(true);
    expect(awaitsSettlement(every8(4, 4), 24 * hour)).toBe(false);
    // None is due at 23 h; after a gap, or without any, the next one is unknown.
    expect(awaitsSettlement(every8(3), 23 * hour)).toBe(false);
    expect(awaitsSettlement(every8(3), 40 * hour)).toBe(false);
    expect(awaitsSettlement([], 24 * hour)).toBe(false);
    expect(awaitsSettlement([0], 8 * hour)).toBe(true);
    // Every four hours.
    expect(awaitsSettlement([0, 4 * hour], 8 * hour)).toBe(true);
  });

  it('RULE-013 has hashes of its version: another text is other rules', () => {
    const candles = randomCandles(seededRandom(7), 120, intervalMs['1h']);
    const hashOf = (text: string) => {
      const strategy = own(text, '1h');
      const timeframes = timeframesOf([{ interval: '1h', stepMs: intervalMs['1h'], candles }], strategy);
      return signalHashes({ timeframes }, rulesOf(strategy));
    };
    const [one, same, other] = ['rsi(14) < 30', 'rsi(14) < 30', 'rsi(14) < 31'].map((part) =>
      hashOf(`long when ${part}`),
    );
    expect(same).toEqual(one);
    expect(other!.data).toBe(one!.data);
    expect(other!.params).not.toBe(one!.params);
  });

  it('RULE-014 says at each candle whether its rules leave a side', () => {
    const strategy = own(
      'long when close > 0\nexit long when close > close[1]\nexit short when close < close[1]',
      '1h',
    );
    const candles = randomCandles(seededRandom(12), 60, intervalMs['1h']);
    for (let i = 30; i < 60; i++) {
      const { exits } = signalAt(strategy, seriesAt(strategy, candles, [], i));
      const [now, before] = [candles.close[i] ?? 0, candles.close[i - 1] ?? 0];
      expect(exits).toEqual({ long: now > before, short: now < before });
    }
  });

  it('RULE-014 knows which sides a text leaves and what it reads beside candles', () => {
    const left = own('long when close > 0\nexit long when close < open');
    expect([leavesByRule(left, 'LONG'), leavesByRule(left, 'SHORT')]).toEqual([true, false]);
    expect(leavesByRule({ ...left, rules: 'long when' }, 'LONG')).toBe(false);
    expect(readsOf(own('long when funding < 0 and mark > 0 and news == 1'))).toEqual({ funding: true, mark: true });
    expect(readsOf(own('long when funding_in < 2'))).toEqual({ funding: true, mark: false });
    expect(readsOf(left)).toEqual({ funding: false, mark: false });
    expect(readsOf({ ...left, rules: 'long when' })).toEqual({ funding: false, mark: false });
  });
});
