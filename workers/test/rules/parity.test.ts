import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import { STATUS_OK } from '@sextant/engine-as/abi/status.ts';
import { candleColumns, type Columns, mulberry, roughMarket } from '@sextant/engine-as/test/candles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { RulesInput } from '../../src/protocol/rules.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { compileRules, exitsOf, type RuleSet } from '../../src/rules/compileRules.ts';
import { parseRules } from '../../src/rules/parseRules.ts';
import { createProblems } from '../../src/rules/problems.ts';
import { startEngine } from '../../src/tasks/index.ts';
import { pushProgram, runProgram } from '../../src/tasks/ownRules/program.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomRules } from './randomRules.ts';
import { type IndicatorOf, interpretRules } from './reference/interpret.ts';

/** RULES_PARITY=10000 for the long run: .ci/statistics.ts. */
const programs = Number(process.env['RULES_PARITY'] ?? 500);
const SEED = 20_261_129;

let engine: Engine;
beforeAll(async () => {
  ({ engine } = startEngine(await testEngine()));
}, engineTimeoutMs);

/** The indicators have twins of their own: here they are the engine's, so that every bit of the language counts. */
const engineIndicators: IndicatorOf = (id, candles, parameters) => {
  const entry = indicatorEntry(id)!;
  engine.raw.arenaReset();
  const length = candles.time.length;
  const pushed = candleColumns.map((name) => engine.push(candles[name]));
  const columns = engine.reserveBytes(4 * pushed.length);
  engine.i32View(columns, pushed.length).set(pushed);
  const paramsAt = engine.push(Float64Array.from([...parameters, 0, 0, 0, 0]));
  const out = engine.reserve(entry.outputs.length * length);
  expect(engine.raw.indicator(entry.kind, columns, length, paramsAt, out, length, 0), id).toBe(STATUS_OK);
  return Object.fromEntries(entry.outputs.map(({ name }, k) => [name, engine.pull(out + 8 * k * length, length)]));
};

interface Market {
  candles: Columns;
  longer: Partial<Record<IntervalName, Columns>>;
  marks: Float64Array;
  news: Int8Array;
  funding: { time: Float64Array; rate: Float64Array };
}

const START_MS = 1_704_067_200_000; // a UTC midnight
const BASE: IntervalName = '15m';
const LONGER = ['1h', '4h', '1d'] as const;

/** Base candles with holes from the fifth day on; longer ones from the first day on; settlements that stop for two days. */
function marketOf(seed: number, count: number): Market {
  const random = mulberry(seed);
  const whole = roughMarket(count + 40, seed);
  const isThere = (i: number): boolean => !(i >= 60 && i < 60 + (seed % 40));
  const rows = [...whole.time.keys()].filter(isThere).slice(0, count);
  const pick = (column: Float64Array): Float64Array<ArrayBuffer> => Float64Array.from(rows, (i) => column[i]!);
  const candles = Object.fromEntries(candleColumns.map((name) => [name, pick(whole[name])])) as Columns;
  candles.time.forEach((time, i) => (candles.time[i] = time + 5 * intervalMs['1d']));
  const end = (candles.time.at(-1) ?? START_MS) + intervalMs['1d'];
  const longer = Object.fromEntries(
    LONGER.map((interval, k) => {
      const stepMs = intervalMs[interval];
      return [interval, roughMarket(Math.ceil((end - START_MS) / stepMs), seed + 100 * (k + 1), { stepMs })];
    }),
  );
  const times = Array.from({ length: 40 }, (_, i) => START_MS + (4 * 24 + 8 * i) * 3_600_000 + (i % 3 === 0 ? 12 : 0));
  const time = Float64Array.from(times.filter((_, i) => i < 6 || i > 11));
  return {
    candles,
    longer,
    marks: candles.close.map((close) => close * (1 + (random() - 0.5) / 500)),
    news: Int8Array.from(candles.time, () => Math.floor(random() * 3) - 1),
    funding: { time, rate: time.map(() => (random() - 0.4) / 1000) },
  };
}

/** The last settlement at each close, worked out candle by candle. */
function slowFunding({ candles, funding }: Market): { funding: number[]; funding_in: number[] } {
  const rows = [...candles.time].map((open) => {
    const close = open + intervalMs[BASE];
    const known = [...funding.time.keys()].filter((k) => funding.time[k]! <= close);
    const last = known.at(-1);
    const at = last === undefined ? Number.NaN : funding.time[last]!;
    if (last === undefined || close - at > 86_400_000) return { rate: Number.NaN, hours: Number.NaN };
    const distance = known.length < 2 ? 8 * 3_600_000 : Math.min(86_400_000, at - funding.time[last - 1]!);
    let next = at;
    while (next <= close) next += distance;
    return { rate: funding.rate[last]!, hours: (next - close) / 3_600_000 };
  });
  return { funding: rows.map(({ rate }) => rate), funding_in: rows.map(({ hours }) => hours) };
}

/** The first `count` candles of the base and of every longer series those that have opened before their end: the last one may be forming. */
function firstOf(market: Market, count: number): Market {
  const end = market.candles.time[count - 1]! + intervalMs[BASE];
  const cut = (candles: Columns, length: number): Columns =>
    Object.fromEntries(candleColumns.map((name) => [name, candles[name].slice(0, length)])) as Columns;
  return {
    ...market,
    candles: cut(market.candles, count),
    longer: Object.fromEntries(
      LONGER.map((interval) => {
        const candles = market.longer[interval]!;
        return [interval, cut(candles, candles.time.filter((time) => time < end).length)];
      }),
    ),
    marks: market.marks.slice(0, count),
    news: market.news.slice(0, count),
  };
}

interface Columns8 {
  signal: number[];
  exits: number[];
}

function byEngine(set: RuleSet, values: readonly number[], market: Market): Columns8 {
  const { program } = set;
  const own = program.values.map((value, v) => values[program.valueParameters[v] ?? -1] ?? value);
  const input: RulesInput = {
    candles: market.candles,
    context: program.intervals.map((interval): Candles => market.longer[interval]!),
    interval: BASE,
    program: { ...program, values: own },
    exits: exitsOf(set),
    costs: { ...defaultCosts, funding: market.funding },
    scoredCount: 1,
    markPrices: { open: market.marks, high: market.marks, low: market.marks },
    news: market.news,
  };
  engine.raw.arenaReset();
  const pushed = pushProgram(engine, input);
  const ran = runProgram(pushed);
  if (!ran.ok) throw new Error(`${ran.error.message}: ${set.text}`);
  const pull = (at: number): number[] => [...engine.i8View(at, pushed.count)];
  return { signal: pull(pushed.signalAt), exits: pull(pushed.exitsAt) };
}

function byReference(set: RuleSet, values: readonly number[], market: Market): Columns8 {
  const { candles, longer, marks, news } = market;
  const more = { mark: marks, news, ...slowFunding(market) };
  const named = Object.fromEntries(set.parameters.map(({ name }, k) => [name, values[k]!]));
  const statements = parseRules(set.text, createProblems(set.text));
  const world = { candles, longer, interval: BASE, more };
  return interpretRules(statements, world, { values: named, indicatorOf: engineIndicators });
}

/** A set of the grid by dice. */
const randomSet = ({ parameters }: RuleSet, random: () => number): number[] =>
  parameters.map(({ from, step, count, value }) => (count === 1 ? value : from + step * Math.floor(random() * count)));

function compiled(text: string): RuleSet {
  const result = compileRules(text, { interval: BASE });
  if (!result.ok) throw new Error(`${text}: ${JSON.stringify(result.error)}`);
  return result.value;
}

describe('own rules in the engine', () => {
  it(`RULE-042 RULE-043 equal the interpreter of the text to the bit, and know no later candle: ${programs} random texts`, () => {
    const random = mulberry(SEED);
    const markets = [2, 33, 150, 150, 260].map((count, k) => marketOf(SEED + k, count));
    let signals = 0;
    let framed = 0;
    for (let trial = 0; trial < programs; trial++) {
      const market = markets[trial % markets.length]!;
      const set = compiled(randomRules(random));
      const values = random() < 0.5 ? randomSet(set, random) : set.parameters.map(({ value }) => value);
      const hint = `text ${trial} with ${values.join(' ')}: ${set.text}`;
      const whole = byEngine(set, values, market);
      const want = byReference(set, values, market);
      expect(whole.signal, hint).toEqual(want.signal);
      expect(whole.exits, hint).toEqual(want.exits);
      const count = 1 + Math.floor(random() * market.candles.time.length);
      const part = byEngine(set, values, firstOf(market, count));
      expect(part.signal, `first ${count} of ${hint}`).toEqual(whole.signal.slice(0, count));
      expect(part.exits, `first ${count} of ${hint}`).toEqual(whole.exits.slice(0, count));
      signals += Number(whole.signal.some((signal) => signal !== 0));
      framed += Number(set.program.intervals.length > 0);
    }
    // The texts must be worth the comparison: many decide something, many read a longer interval.
    expect(signals).toBeGreaterThan(programs / 4);
    expect(framed).toBeGreaterThan(programs / 5);
  }, 3_600_000);
});
