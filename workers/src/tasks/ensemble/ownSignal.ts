import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { RULE_EXITS_LONG, RULE_EXITS_SHORT } from '@sextant/engine-as/abi/ruleProgram.ts';
import { ok } from '../../core/result.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Candles } from '../../protocol/backtest.ts';
import type { EnsembleInput, EnsembleResult, RuleInputs } from '../../protocol/ensemble.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { compiledRules, type OwnRules, problemText } from '../../rules/strategyOfRules.ts';
import { rejectDeadMarket } from '../notTrading.ts';
import { type ProgramInput, pushProgram, runProgram } from '../ownRules/program.ts';
import { atrSeries, signalOfScore } from './signalOfScore.ts';
import { pushIntegers } from './timeframes.ts';

/**
 * The signal of own rules at the last closed base candle: the column of their backtest at that candle, -1, 0 or 1, as a score. A rule has
 * no votes: it counts as one, and nothing contributes beside it. Levels, price and range are those of any strategy.
 * @param input checked
 */
export function ownSignal(engine: Engine, input: EnsembleInput, own: OwnRules): TaskResult<EnsembleResult> {
  const [first] = input.timeframes;
  const dead = first && rejectDeadMarket(first.candles, 'timeframes');
  if (dead !== undefined) return dead;
  const ran = ownColumns(engine, input, own);
  if (!ran.ok) return ran;
  const { scores, exitsAt, candles, atrs } = ran.value;
  const last = candles.time.length - 1;
  const score = scores[last] ?? 0;
  const price = candles.close[last] ?? Number.NaN;
  const atr = atrs.at(-1) ?? Number.NaN;
  return ok({
    timeMs: candles.time[last] ?? Number.NaN,
    price,
    score,
    numerator: score,
    denominator: 1,
    contributions: [],
    ...signalOfScore(engine, input, { score, atr, price }),
    timeframes: input.timeframes.map(({ interval, weight, candles: { time } }, t) => ({
      interval,
      weight,
      // A longer interval is a part of the rule and has no score of its own.
      score: t === 0 ? score : Number.NaN,
      timeMs: time.at(-1) ?? Number.NaN,
    })),
    liveVoteCount: 1,
    effectiveVoteCount: 1,
    exits: exitsAt(last),
    atr,
    scores,
  });
}

export interface OwnColumns {
  candles: Candles;
  /** -1, 0 or 1 at each base candle. */
  scores: Float64Array;
  exitsAt: (i: number) => Record<'long' | 'short', boolean>;
  /** The average true range at each base candle. */
  atrs: Float64Array;
}

/**
 * What own rules say at every base candle, each from the candles closed by then. Whether the market trades at one of them is the caller's
 * check: at the last candle it says nothing of the earlier ones.
 */
export function ownColumns(engine: Engine, input: EnsembleInput, own: OwnRules): TaskResult<OwnColumns> {
  const readable = programOf(input, own);
  if (!readable.ok) return readable;
  const { candles } = readable.value;
  const count = candles.time.length;
  const pushed = pushProgram(engine, readable.value);
  const ran = runProgram(pushed);
  if (!ran.ok) return ran;
  const scores = engine.pull(pushed.scoreAt, count);
  const exits = engine.i8View(pushed.exitsAt, count).slice();
  const columnsAt = pushIntegers(engine, pushed.columns);
  const has = (i: number, flag: number): boolean => ((exits[i] ?? 0) & flag) !== 0;
  return ok({
    candles,
    scores,
    exitsAt: (i) => ({ long: has(i, RULE_EXITS_LONG), short: has(i, RULE_EXITS_SHORT) }),
    atrs: atrSeries(engine, { columnsAt, count }, input.atrPeriod ?? ATR_PERIOD),
  });
}

/** The compiled program with all that it reads, or what is missing. */
function programOf(input: EnsembleInput, own: OwnRules): TaskResult<ProgramInput> {
  const [base] = own.intervals;
  if (base === undefined) return fail('bad_input', 'ownRules.intervals is empty', 'ownRules.intervals');
  const compiled = compiledRules(own);
  if (!compiled.ok) return fail('bad_input', `ownRules.rules ${problemText(compiled.error[0])}`, 'ownRules.rules');
  const { program, lookBack } = compiled.value;
  const series = seriesOf(input, [base.interval, ...program.intervals]);
  if (!series.ok) return series;
  const [candles, ...context] = series.value;
  if (candles === undefined) throw new Error('one series per interval');
  const count = candles.time.length;
  const rejected = tooShort(series.value, [lookBack.base, ...lookBack.longer]) ?? unevenInput(count, input.ruleInputs);
  if (rejected !== undefined) return rejected;
  const { funding, markPrices } = input.ruleInputs ?? {};
  return ok({
    candles,
    context,
    program,
    interval: base.interval,
    costs: { fundingSource: 'off', ...(funding && { funding }) },
    news: newsColumn(count, input.news ?? 0),
    ...(markPrices && { markPrices }),
  });
}

/** Candles of the rules' intervals, the base first. Without one of them the rules say something else. */
function seriesOf({ timeframes }: EnsembleInput, names: readonly IntervalName[]): TaskResult<Candles[]> {
  const [first] = timeframes;
  if (first?.interval !== names[0]) return fail('bad_input', `timeframes must start with ${names[0]}`, 'timeframes');
  const found: Candles[] = [];
  for (const name of names) {
    const match = timeframes.find(({ interval }) => interval === name);
    if (match === undefined) return fail('too_short', `timeframes: no ${name} candles for the rules`, 'timeframes');
    if (match.stepMs !== intervalMs[name])
      return fail('bad_input', `timeframes: ${name} candles of ${match.stepMs} ms`, 'timeframes');
    found.push(match.candles);
  }
  return ok(found);
}

/** No condition is true before the look-back: the candles would be silent, whatever the market does. */
function tooShort(series: readonly Candles[], lookBacks: readonly number[]): TaskResult<never> | undefined {
  for (const [frame, { time }] of series.entries()) {
    const least = lookBacks[frame] ?? 0;
    if (time.length > least) continue;
    const message = `timeframes: ${time.length} candles are too few; the rules look back ${least}`;
    return fail('too_short', message, 'timeframes');
  }
  return undefined;
}

function unevenInput(count: number, { funding, markPrices }: RuleInputs = {}): TaskResult<never> | undefined {
  const bad = (field: string, text: string) => fail('bad_input', `ruleInputs.${field} ${text}`, `ruleInputs.${field}`);
  if (funding !== undefined && funding.time.length !== funding.rate.length)
    return bad('funding', 'has columns of different lengths');
  if (markPrices !== undefined && markPrices.open.length !== count)
    return bad('markPrices', `has ${markPrices.open.length} prices for ${count} candles`);
  return undefined;
}

/** The vote of the news is known at the deciding candle alone; what they said before is undefined. */
const newsColumn = (count: number, vote: number): Float64Array => {
  const column = new Float64Array(count).fill(Number.NaN);
  column[count - 1] = vote;
  return column;
};
