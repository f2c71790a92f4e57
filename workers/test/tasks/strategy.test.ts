// Long because one strategy runs in the lab, the scanner and the monitor.
import { POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { classicAsRules } from '../../src/signals/classicRules.ts';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import type { BookPosition } from '../../src/positions/bookTypes.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import { sizePosition } from '../../src/positions/sizing.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import { neutralTuning, rulesOf as signalRulesOf, timeframesOf } from '../../src/signals/signalRules.ts';
import { backtest, pushAtr } from '../../src/tasks/backtest.ts';
import { backtestStrategy } from '../../src/tasks/backtestStrategy.ts';
import { ensemble } from '../../src/tasks/ensemble.ts';
import { openRulesMarket } from '../../src/tasks/index.ts';
import { strategyRulesOf, tierRows } from '../../src/tasks/rules.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest, randomCandles, seededRandom } from '../support/randomRuns.ts';
import {
  contextOf,
  randomStrategyInput,
  STRATEGY_CANDLES,
  STRATEGY_SCORED,
  STRATEGY_SEED,
} from '../support/randomStrategies.ts';

/** `npm test` has a share of them. */
const runs = Number(process.env['STRATEGY_RUNS'] ?? 16);
const seed = STRATEGY_SEED;
const count = STRATEGY_CANDLES;
const scoredCount = STRATEGY_SCORED;
const randomInput = (index: number): StrategyInput => randomStrategyInput(seed, index);

let engine: Engine;
let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await testEngine());
  engine = instantiate(module);
}, engineTimeoutMs);

const firstOf = (candles: Candles, length: number): Candles => {
  const cut = (column: Float64Array): Float64Array => column.slice(0, length);
  const { time, open, high, low, close, volume } = candles;
  return { time: cut(time), open: cut(open), high: cut(high), low: cut(low), close: cut(close), volume: cut(volume) };
};

/** The scanner at one candle: the ensemble on the candles that had closed by then. */
function scannerAt({ candles, context, strategy, news }: StrategyInput, i: number) {
  engine.raw.arenaReset();
  const closeMs = (candles.time[i] ?? 0) + intervalMs['15m'];
  const timeframes = strategy.intervals.map(({ interval, weight }, t) => {
    const stepMs = intervalMs[interval];
    const series = t === 0 ? candles : (context[t - 1] as Candles);
    const closed = t === 0 ? i + 1 : series.time.filter((time) => time + stepMs <= closeMs).length;
    return { interval, stepMs, weight, candles: firstOf(series, closed) };
  });
  const vote = news?.[i] ?? 0;
  const { weights, parameters, entryThreshold: threshold } = strategy;
  const rules = { ...signalRulesOf(neutralTuning), weights, parameters, threshold };
  return ensemble(engine, { ...rules, timeframes, ...(vote !== 0 && { news: vote as -1 | 1 }) });
}

interface Line {
  side: string;
  entryTimeMs: number;
  entryPrice: number;
  quantity: number;
  exitTimeMs: number;
  exitPrice: number;
  reason: string;
}

/** A trader who opens by the engine's own opening, leaves levels to the position monitor, and acts on signals at the open. */
class Trader {
  readonly lines: Line[] = [];
  readonly #book = new PositionBook(instantiate(module), { ageMs: 0, moveFraction: 0 });
  readonly #helper = instantiate(module);
  readonly #rules: Float64Array;
  readonly #input: StrategyInput;
  held: (BookPosition & { barCount: number }) | null = null;
  isLeaving = false;

  constructor(input: StrategyInput) {
    this.#input = input;
    this.#rules = strategyRulesOf(input.strategy, input.costs, input.scoredCount);
  }

  enter(i: number, side: number, range: number): void {
    const { candles, costs, strategy } = this.#input;
    const { raw } = this.#helper;
    const [time, price] = [candles.time[i] as number, candles.open[i] as number];
    raw.arenaReset();
    const rulesAt = this.#helper.push(this.#rules);
    const tiersAt = this.#helper.push(tierRows([]));
    const stateAt = this.#helper.reserve(POSITION_LENGTH);
    const { initialEquity: equity } = costs;
    const response = raw.openPosition(rulesAt, tiersAt, 0, stateAt, side, time, price, equity, range, 0, Infinity);
    if (response !== abi.OPEN_DONE) return;
    const state = this.#helper.pull(stateAt, POSITION_LENGTH);
    const get = (slot: number): number => state[slot] as number;
    const liquidation = get(positionSlot.liquidationPrice);
    this.held = {
      id: String(i),
      side: side > 0 ? 'LONG' : 'SHORT',
      entryTimeMs: time,
      entryPrice: get(positionSlot.entryPrice),
      quantity: get(positionSlot.quantity),
      leverage: costs.leverage,
      stopPrice: get(positionSlot.stopPrice),
      targetPrice: get(positionSlot.targetPrice),
      liquidationPrice: Number.isNaN(liquidation) ? null : liquidation,
      bestPrice: get(positionSlot.entryPrice),
      isArmed: false,
      tickSize: costs.tickSize ?? 0,
      takerFeeFraction: costs.takerFeeFraction,
      trailing: { mode: 'off' },
      atr: strategy.trailing.mode === 'atr' ? { interval: '15m', period: strategy.atrPeriod } : null,
      barCount: 0,
    };
    this.isLeaving = false;
    this.#book.add('x', this.held, this.#rules);
  }

  /**
   * Marks the position to leave when it was held long enough or must leave; the book closes it at the open, after the levels this open
   * meets.
   */
  leaveAtOpen(i: number): void {
    const { held } = this;
    const { holdingBarsMax } = this.#input.strategy;
    const isDue = held !== null && holdingBarsMax > 0 && held.barCount >= holdingBarsMax;
    if (held === null || !(isDue || this.isLeaving)) return;
    const { time, open } = this.#input.candles;
    const [atMs, price] = [time[i] as number, open[i] as number];
    this.#book.setExitDue(held.id, { atMs, reason: isDue ? 'TIME' : 'SIGNAL' });
    const [event] = this.#book.tick('x', { price, mark: price, atMs });
    if (event?.kind !== 'closed') throw new Error('a position whose exit is due leaves at the next price');
    this.#close(held, atMs, event.price, event.reason);
  }

  watch(i: number, range: number): void {
    const { held } = this;
    if (held === null) return;
    held.barCount++;
    const { time, open, high, low, close, volume } = this.#input.candles;
    const at = (column: Float64Array): number => column[i] as number;
    const prices = { open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) };
    const bar = { timeMs: at(time), spanMs: intervalMs['15m'], ...prices };
    for (const event of this.#book.candle('x', bar, () => range)) {
      if (event.kind === 'closed') this.#close(held, bar.timeMs, event.price, event.reason);
    }
  }

  /** At the close: whether to leave, and the side to enter at the next open; 0 for none. */
  decide(signal: number, hasRange: boolean): number {
    const { direction, stop, target, onOpposite } = this.#input.strategy;
    const sides = { both: [1, -1], long: [1], short: [-1] }[direction];
    const isByRange = stop.mode === 'atr' || target.mode === 'atr';
    const side = sides.includes(signal) && (!isByRange || hasRange) ? signal : 0;
    if (this.held === null) return side;
    const isOpposite = signal === (this.held.side === 'LONG' ? -1 : 1);
    if (!isOpposite || onOpposite === 'hold') return 0;
    this.isLeaving = true;
    return onOpposite === 'reverse' ? side : 0;
  }

  #close(held: BookPosition, exitTimeMs: number, exitPrice: number, reason: string): void {
    const { side, entryTimeMs, entryPrice, quantity } = held;
    this.lines.push({ side, entryTimeMs, entryPrice, quantity, exitTimeMs, exitPrice, reason });
    this.#book.remove(held.id);
    this.held = null;
  }
}

/** The trades of someone who follows the signals given, one per scored candle. */
function follow(input: StrategyInput, signals: readonly number[]): Trader {
  const { candles, strategy } = input;
  const start = count - scoredCount;
  engine.raw.arenaReset();
  const columns = [candles.time, candles.open, candles.high, candles.low, candles.close, candles.volume];
  const at = pushAtr(
    engine,
    columns.map((column) => engine.push(column)),
    count,
    strategy.atrPeriod,
  );
  const ranges = engine.pull(at, count);
  const trader = new Trader(input);
  let pending = 0;
  for (let i = start; i < count; i++) {
    if ((candles.volume[i] as number) > 0) {
      trader.leaveAtOpen(i);
      if (pending !== 0) trader.enter(i, pending, ranges[i - 1] as number);
    }
    trader.watch(i, ranges[i] as number);
    pending = trader.decide(signals[i - start] as number, (ranges[i] as number) > 0);
  }
  return trader;
}

const bits = (value: number): bigint => new BigUint64Array(Float64Array.of(value).buffer)[0] as bigint;
const names = { LONG: 1, SHORT: -1, NEUTRAL: 0 } as const;

describe('one strategy, in the lab and live', () => {
  it(`gives the signals of the scanner and the trades of the monitor, to the bit, on ${runs} random strategies (seed ${seed})`, () => {
    const seen = new Map<string, number>();
    const note = (key: string): unknown => seen.set(key, (seen.get(key) ?? 0) + 1);
    for (let index = 0; index < runs; index++) {
      const where = `seed ${seed} case ${index}`;
      const input = randomInput(index);
      engine.raw.arenaReset();
      const result = backtestStrategy(engine, '0'.repeat(64), input);
      if (!result.ok) {
        note(result.error.code);
        continue;
      }
      const { score, trades } = result.value;
      const signals: number[] = [];
      for (let k = 0; k < scoredCount; k++) {
        const live = scannerAt(input, count - scoredCount + k);
        if (!live.ok) {
          expect(score[k], `${where} candle ${k}`).toBeNaN();
          signals.push(0);
          continue;
        }
        expect(bits(live.value.score), `${where} candle ${k}`).toBe(bits(score[k] as number));
        signals.push(names[live.value.direction]);
      }
      const trader = follow(input, signals);
      const closed = trades.filter(({ closeReason }) => closeReason !== 'END');
      const lines = closed.map(({ side, closeReason: reason, ...trade }): Line => {
        const { entryTimeMs, entryPrice, quantity, exitTimeMs, exitPrice } = trade;
        return { side, entryTimeMs, entryPrice, quantity, exitTimeMs, exitPrice, reason };
      });
      // The forced close at the end may be a liquidation, so a position that is still open is not compared.
      const mine = trader.held === null ? lines : lines.filter((line) => line.entryTimeMs !== trader.held?.entryTimeMs);
      expect(trader.lines, where).toEqual(mine);
      for (const { reason } of mine) note(reason);
    }
    for (const reason of ['TP', 'SL', 'SIGNAL', 'TIME']) {
      expect(seen.get(reason) ?? 0, JSON.stringify([...seen])).toBeGreaterThan(runs / 4);
    }
  });

  it('sizes a trade by risk as a live position is sized', () => {
    let compared = 0;
    for (let index = 0; index < 100; index++) {
      const input = randomInput(5000 + index);
      input.strategy.sizing.mode = 'risk';
      input.costs.initialEquity = 1000 * (1 + (index % 20));
      engine.raw.arenaReset();
      const result = backtestStrategy(engine, '0'.repeat(64), input);
      if (!result.ok) continue;
      const { costs, strategy } = input;
      let equity = costs.initialEquity;
      for (const trade of result.value.trades) {
        const { entryPrice, quantity, side } = trade;
        // The stop of a trade may have moved: the first one follows from the rules.
        const isFirst = strategy.trailing.mode === 'off' && strategy.breakEvenR === 0;
        if (isFirst) {
          const account = {
            mode: 'risk' as const,
            balanceUsdt: costs.initialEquity,
            riskFraction: strategy.sizing.riskFraction,
            baseUsdt: costs.notional / costs.leverage,
            freeUsdt: equity,
          };
          const market = {
            tickSize: 0,
            stepSize: costs.stepSize ?? 0,
            minNotional: costs.minNotional ?? 0,
            maxQuantity: costs.maxQuantity ?? 0,
            maxLeverage: null,
          };
          const order = {
            side,
            price: entryPrice,
            stopPrice: trade.stopLossPrice,
            leverage: costs.leverage,
            aiMultiplier: 1,
          };
          expect(quantity, `case ${index}`).toBe(sizePosition(account, market, order, costs).quantity);
          compared++;
        }
        equity += trade.netPnl;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe('Classic as a strategy', () => {
  it('gives the result of the backtest of the specification, hash by hash, on 200 random runs', () => {
    let compared = 0;
    for (let index = 0; index < 200; index++) {
      const { params, ...market } = randomBacktest(seed, index);
      const strategy = classicAsRules(params, '1h');
      engine.raw.arenaReset();
      const plain = backtest(engine, 'e', { ...market, params });
      engine.raw.arenaReset();
      const value = backtestStrategy(engine, 'e', { ...market, strategy, context: [] });
      expect(value.ok, `case ${index}`).toBe(plain.ok);
      if (!plain.ok || !value.ok) continue;
      expect(value.value.hashes.result, `case ${index}`).toBe(plain.value.hashes.result);
      expect(value.value.hashes.data).toBe(plain.value.hashes.data);
      compared++;
    }
    expect(compared).toBeGreaterThan(150);
  });
});

describe('an open market of rules', () => {
  it('gives the bits of a separate run for every change of weights, exits, costs and window', () => {
    const at = { engine: instantiate(module), hash: 'e' };
    for (let index = 0; index < 8; index++) {
      const first = randomInput(index);
      const opened = openRulesMarket(at, first);
      if (!opened.ok) throw new Error(opened.error.message);
      // Strategies of other cases on the candles and intervals of this one.
      const others = [1, 2, 3].map((step) => randomInput(index + 100 * step));
      const inputs = others.map((other, i): StrategyInput => {
        const { intervals, parameters = {} } = first.strategy;
        const strategy = { ...other.strategy, intervals, parameters };
        return { ...first, strategy, costs: other.costs, scoredCount: scoredCount - 10 * i };
      });
      const funding = { time: first.candles.time.slice(300, 304), rate: Float64Array.of(0.01, -0.02, 0.03, 0.01) };
      inputs.push({ ...first, costs: { ...first.costs, funding } });
      for (const input of [...inputs, first]) {
        expect(opened.value.isOf(input)).toBe(true);
        engine.raw.arenaReset();
        expect(opened.value.run(input), `case ${index}`).toEqual(backtestStrategy(engine, 'e', input));
      }
    }
  });

  it('rejects other candles, intervals and vote parameters, and names the field of a bad value', () => {
    const first = randomInput(1);
    const opened = openRulesMarket({ engine: instantiate(module), hash: 'e' }, first);
    if (!opened.ok) throw new Error(opened.error.message);
    const { isOf, run } = opened.value;
    const [base] = first.strategy.intervals;
    const louder = { ...first.strategy, intervals: [{ interval: base?.interval ?? '15m', weight: 0.9 }] };
    expect(isOf({ ...first, candles: { ...first.candles } })).toBe(false);
    expect(isOf({ ...first, strategy: louder })).toBe(false);
    const longer = (strategy: Strategy, period: number): Strategy => ({
      ...strategy,
      parameters: { ...strategy.parameters, rsi: { ...strategy.parameters?.['rsi'], period } },
    });
    expect(isOf({ ...first, strategy: longer(first.strategy, 31) })).toBe(false);
    // A vote without a weight has no effect now, but may have one in the next run.
    const silent = { ...first.strategy, weights: { ...first.strategy.weights, rsi: 0 } };
    expect(isOf({ ...first, strategy: silent })).toBe(true);
    expect(isOf({ ...first, strategy: longer(silent, 31) })).toBe(false);
    const bad = { ...first, strategy: { ...first.strategy, breakEvenR: -1 } };
    expect(run(bad)).toMatchObject({ ok: false, error: { field: 'strategy.breakEvenR' } });
    expect(run(first).ok).toBe(true);
  });
});

describe('Live rules as a strategy', () => {
  it('weigh what the scanner weighs, with the tuning of a user', () => {
    const tuning = { ...neutralTuning, adx: 1.35, pivot: 0.55, news: 0.5 };
    const { weights, intervals, entryThreshold } = liveRules(['4h', '15m', '1h'], tuning);
    // ADX 1 x 1.35, pivot 1 x 0.55, RSI is not tuned.
    expect([weights['adx'], weights['pivot'], weights['news'], weights['rsi']]).toEqual([1.35, 0.55, 0.5, 1.5]);
    const series = (['4h', '15m', '1h'] as const).map((interval) => ({
      interval,
      stepMs: intervalMs[interval],
      candles: randomCandles(seededRandom(1), 2, intervalMs[interval]),
    }));
    expect(intervals).toEqual(timeframesOf(series).map(({ interval, weight }) => ({ interval, weight })));
    expect(entryThreshold).toBe(signalRulesOf(tuning).threshold);
  });

  it('ignore a candle of a longer interval until it has closed', () => {
    const random = seededRandom(seed);
    const candles = randomCandles(random, 300, intervalMs['15m']);
    const strategy = liveRules(['15m', '4h']);
    const context = contextOf(random, candles, '4h', 120);
    const { costs } = randomInput(1);
    const scoreOf = (series: Candles): Float64Array => {
      engine.raw.arenaReset();
      const result = backtestStrategy(engine, 'e', { candles, context: [series], strategy, costs, scoredCount: 100 });
      if (!result.ok) throw new Error(result.error.message);
      return result.value.score;
    };
    const absurd = { ...context, high: context.high.slice(), close: context.close.slice() };
    const last = absurd.time.length - 1;
    absurd.high[last] = 1e6;
    absurd.close[last] = 1e6;
    // The last 4 h candle closes after the last base candle does.
    expect((absurd.time[last] as number) + intervalMs['4h']).toBeGreaterThan(
      (candles.time.at(-1) ?? 0) + intervalMs['15m'],
    );
    expect(scoreOf(absurd)).toEqual(scoreOf(context));
  });

  it.each([
    ['weights.rsi', { weights: { rsi: 5.5 } }],
    ['weights.rsi', { weights: { rsi: 0.0033 } }],
    ['stop.multiple', { stop: { mode: 'atr' as const, multiple: 0 } }],
    ['breakEvenR', { breakEvenR: -1 }],
    ['parameters.rsi.period', { parameters: { rsi: { period: 0 } } }],
    ['parameters.rsi.length', { parameters: { rsi: { length: 14 } } }],
    ['parameters.macd.fast', { parameters: { macd: { fast: 40 } } }],
    ['parameters.pivot', { parameters: { pivot: { period: 2 } } }],
    ['intervals', { intervals: [] }],
    ['sizing.riskFraction', { sizing: { mode: 'risk' as const, riskFraction: 0, isCompounding: false } }],
  ])('are rejected by the name of the field: %s', (field, change) => {
    const input = randomInput(3);
    const strategy = { ...liveRules(['15m']), ...change };
    const result = backtestStrategy(engine, 'e', { ...input, strategy, context: [] });
    expect(result).toMatchObject({ ok: false, error: { code: 'bad_input', field: `strategy.${field}` } });
  });
});
