import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import * as abi from '@sextant/engine-as/abi/ensemble.ts';
import type { Engine } from '../engine/engine.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { EnsembleContribution, EnsembleInput, EnsembleResult } from '../protocol/ensemble.ts';
import {
  expectOk,
  type KnownSeries,
  type PushedTimeframe,
  pushIntegers,
  pushParameters,
  pushRows,
  pushTimeframe,
} from './ensemble/timeframes.ts';
import { ownSignal } from './ensemble/ownSignal.ts';
import { lastAtr, signalOfScore } from './ensemble/signalOfScore.ts';
import { ensembleVoteIds } from '../core/ensembleVotes.ts';
import { validateEnsemble } from './ensemble/validate.ts';
import { rejectDeadMarket } from './notTrading.ts';
import { ok } from '../core/result.ts';

const REDUNDANCY_COUNT = 500;

/**
 * The signal of the last closed base candle over all its intervals. Definitions: docs/ensemble.md.
 * @param known series that were checked and pushed before, under the same rules
 */
export function ensemble(
  engine: Engine,
  input: EnsembleInput,
  known: KnownSeries = new Map(),
): TaskResult<EnsembleResult> {
  const valid = validateEnsemble(input, known);
  if (!valid.ok) return valid;
  return input.ownRules === undefined ? voteSignal(engine, input, known) : ownSignal(engine, input, input.ownRules);
}

function voteSignal(engine: Engine, input: EnsembleInput, known: KnownSeries): TaskResult<EnsembleResult> {
  const [first, ...others] = input.timeframes;
  if (first === undefined) throw new Error('validateEnsemble lets no empty list through');
  const parametersAt = pushParameters(engine, input.parameters);
  const base = pushTimeframe(engine, { ...first, parametersAt }, known);
  const pushed = [
    base,
    ...others.map((timeframe) => pushTimeframe(engine, { ...timeframe, parametersAt }, known, base)),
  ];
  const weights = voteUnits(input);
  const weightsAt = pushIntegers(engine, weights);
  const tenths = input.timeframes.map(({ weight }) => Math.round(weight * 10));
  const rowsAt = pushRows(engine, pushed, tenths);

  const { scores, liveVoteCount } = scoreAll(engine, base, rowsAt, pushed.length, weightsAt);
  const last = base.count - 1;
  const dead = rejectDeadMarket(first.candles, 'timeframes');
  if (dead !== undefined) return dead;
  if (Number.isNaN(scores[last])) {
    const message =
      'timeframes: some weighted vote is not defined at the last candle; send more candles, or fresher ones';
    return fail('too_short', message, 'timeframes');
  }
  const newsAt = input.news === undefined ? 0 : pushNews(engine, base.count, input.news);
  const parts = partsOf(engine, input, pushed, { rowsAt, weightsAt, newsAt });
  const score = parts.denominator === 0 ? 0 : parts.numerator / parts.denominator;
  const price = first.candles.close[last] ?? Number.NaN;
  const atr = lastAtr(engine, base, input.atrPeriod ?? ATR_PERIOD);
  const newsVotes = input.news !== undefined && (weights[abi.VOTE_NEWS] ?? 0) !== 0 ? 1 : 0;
  return ok({
    timeMs: first.candles.time[last] ?? Number.NaN,
    price,
    score,
    ...parts,
    ...signalOfScore(engine, input, { score, atr, price }),
    timeframes: timeframeScores(engine, input, pushed, weightsAt),
    liveVoteCount: liveVoteCount + newsVotes,
    effectiveVoteCount: effectiveVotes(engine, base, weightsAt, input.redundancyCount ?? REDUNDANCY_COUNT),
    atr,
    scores,
  });
}

/** Weight x tuning of each vote in the engine's whole units; a product of f64 may end beside the unit that was meant. */
export function voteUnits({ weights, tuning = {} }: EnsembleInput): number[] {
  return ensembleVoteIds.map((id) => Math.round((weights[id] ?? 0) * (tuning[id] ?? 1) * abi.WEIGHT_UNITS));
}

export function scoreAll(engine: Engine, base: PushedTimeframe, rowsAt: number, count: number, weightsAt: number) {
  const scoreAt = engine.reserve(base.count);
  const liveAt = engine.reserveBytes(4 * base.count);
  expectOk(engine.raw.ensembleScore(rowsAt, count, base.count, weightsAt, 0, scoreAt, liveAt));
  const liveVoteCount = engine.i32View(liveAt, base.count)[base.count - 1] ?? 0;
  return { scores: engine.pull(scoreAt, base.count), liveVoteCount };
}

function pushNews(engine: Engine, count: number, news: number): number {
  const at = engine.reserveBytes(count);
  engine.i8View(at, count).fill(0)[count - 1] = news;
  return at;
}

interface Addresses {
  rowsAt: number;
  weightsAt: number;
  newsAt: number;
}

function partsOf(engine: Engine, input: EnsembleInput, pushed: readonly PushedTimeframe[], at: Addresses) {
  const voteCount = abi.ENSEMBLE_VOTE_COUNT;
  const partsAt = engine.reserveBytes(4 * pushed.length * voteCount);
  const last = (pushed[0]?.count ?? 0) - 1;
  const { rowsAt, weightsAt, newsAt } = at;
  const denominator = engine.raw.ensembleParts(rowsAt, pushed.length, last, weightsAt, newsAt, partsAt);
  const numerators = engine.i32View(partsAt, pushed.length * voteCount).slice();
  const contributions = input.timeframes.flatMap(({ interval }, t) =>
    ensembleVoteIds.map((vote, k): EnsembleContribution => {
      const numerator = numerators[t * voteCount + k] ?? 0;
      const { opinion, isLive } = opinionOf(engine, pushed, t, k, input.news);
      return {
        vote,
        interval,
        opinion,
        isLive,
        numerator,
        contribution: denominator === 0 ? 0 : numerator / denominator,
      };
    }),
  );
  return { contributions, denominator, numerator: numerators.reduce((sum, part) => sum + part, 0) };
}

function opinionOf(engine: Engine, pushed: readonly PushedTimeframe[], t: number, k: number, news?: number) {
  if (k === abi.VOTE_NEWS) return { opinion: news ?? 0, isLive: news !== undefined };
  const timeframe = pushed[t];
  if (timeframe === undefined) return { opinion: 0, isLive: false };
  const candle = lastCandle(engine, timeframe, pushed[0]);
  const first = engine.i32View(timeframe.firstAt, k + 1)[k] ?? 0;
  const isLive = candle >= 0 && candle >= first;
  const opinion = isLive ? (engine.i8View(timeframe.votesAt + k * timeframe.stride + candle, 1)[0] ?? 0) : 0;
  return { opinion, isLive };
}

/** The candle of an interval that is known at the last base candle, or -1. */
function lastCandle(engine: Engine, { indexAt, count }: PushedTimeframe, base?: PushedTimeframe): number {
  const baseCount = base?.count ?? 0;
  return indexAt === 0 ? count - 1 : (engine.i32View(indexAt, baseCount)[baseCount - 1] ?? -1);
}

function timeframeScores(engine: Engine, input: EnsembleInput, pushed: readonly PushedTimeframe[], weightsAt: number) {
  return input.timeframes.map(({ interval, weight, candles }, t) => {
    const own = pushed[t];
    if (own === undefined) throw new Error('one pushed timeframe per timeframe');
    const candle = lastCandle(engine, own, pushed[0]);
    const scores = (own.series.ownScores ??= ownScores(engine, own, weightsAt));
    return { interval, weight, score: scores[candle] ?? Number.NaN, timeMs: candles.time[candle] ?? Number.NaN };
  });
}

function ownScores(engine: Engine, own: PushedTimeframe, weightsAt: number): Float64Array {
  const rowsAt = pushRows(engine, [{ ...own, indexAt: 0 }], [10]);
  return scoreAll(engine, own, rowsAt, 1, weightsAt).scores;
}

function effectiveVotes(engine: Engine, base: PushedTimeframe, weightsAt: number, count: number): number {
  const from = Math.max(0, base.count - count);
  return engine.raw.effectiveVotes(base.votesAt, base.stride, from, base.count, weightsAt);
}
