import { TRADE_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '../engine/engine.ts';
import type {
  HonestyFigure,
  HonestyInput,
  HonestyResult,
  RulesRun,
  TrialReturns,
  TrialSearch,
} from '../protocol/honesty.ts';
import type { OptimizeInput } from '../protocol/optimize.ts';
import { fail, type TaskError, type TaskResult } from '../protocol/taskResult.ts';
import { type Sight, withheld } from './honesty/figure.ts';
import { bothWindowsFigure, readingOf } from './honesty/reading.ts';
import { resampledFigures, type Resampled } from './honesty/resampling.ts';
import { selectionFigures, type Trials } from './honesty/selection.ts';
import { showRules } from './honesty/rules.ts';
import {
  holdoutFigure,
  meanBarsHeld,
  plateauFigure,
  returnsOf,
  type Shows,
  showOn,
  strategyFigures,
  unseenFigure,
} from './honesty/strategy.ts';
import { prepareSearch, searchOrKnown } from './optimize.ts';
import {
  bestOf,
  type Candidate,
  candidateOf,
  runSets,
  sampleSets,
  type Search,
  type Trials as SearchedTrials,
} from './optimize/search.ts';
import { triedCount } from './optimize/space.ts';
import { check, firstFailure } from './validateParams.ts';
import { ok } from '../core/result.ts';

/** Trials whose return columns are read; a larger search is represented by evenly spaced ones and its best. */
const COLUMNS_MAX = 2000;
const CELLS_MAX = 20_000_000;

/** How much of a result is luck: every figure of the panel, or why it cannot be given. docs/honesty.md. */
export function honesty(engine: Engine, input: HonestyInput): TaskResult<HonestyResult> {
  const earlier = check('earlierTrialCount', input.earlierTrialCount ?? 0, { min: 0, max: 1e12 }, true);
  if (!earlier.ok) return earlier;
  if (input.kind === 'rules') return honestyOfRules(engine, input);
  return input.kind === 'returns' ? honestyOfReturns(engine, input) : honestyOfSearch(engine, input);
}

function honestyOfReturns(engine: Engine, input: TrialReturns): TaskResult<HonestyResult> {
  const valid = validateReturns(input);
  if (!valid.ok) return valid;
  const bars = input.returns.length / input.trialCount;
  const returnsAt = engine.push(input.returns);
  const trials: Trials = {
    returnsAt,
    bars,
    columnCount: input.trialCount,
    bestColumn: input.bestIndex,
    trialCount: input.trialCount + (input.earlierTrialCount ?? 0),
    tradeCount: input.tradeCount,
    barMs: input.barMs,
    seed: BigInt(input.seed),
    next: input.isOfAccount === true ? 'account' : 'search',
  };
  const selection = selectionFigures(engine, trials);
  const column = {
    at: returnsAt + 8 * input.bestIndex * bars,
    bars,
    barsHeld: 1,
    seed: trials.seed,
    window: 'search',
    isUnseen: false,
    lookCount: 1,
  } as const;
  const resampled = resampledFigures(engine, column, { trials: trials.trialCount, bars, trades: input.tradeCount });
  return ok(assemble(trials, selection, resampled, input.unseen ? [unseenFigure(engine, input.unseen)] : []));
}

function validateReturns(input: TrialReturns): TaskResult<null> {
  const { returns, trialCount, bestIndex, barMs, seed, tradeCount, unseen } = input;
  const bad = returns.findIndex((value) => !Number.isFinite(value));
  const isUnseenBad = unseen?.returns.some((value) => !Number.isFinite(value)) === true;
  return firstFailure([
    () => check('trialCount', trialCount, { min: 1, max: 1_000_000 }, true),
    () => check('returns.length', returns.length, { min: 2 * trialCount, max: CELLS_MAX }, true),
    () =>
      returns.length % trialCount === 0
        ? ok(null)
        : fail(
            'bad_input',
            `returns has ${returns.length} values, which ${trialCount} trials do not share evenly`,
            'returns',
          ),
    () =>
      bad < 0
        ? ok(null)
        : fail('bad_input', `returns[${bad}] is ${returns[bad] ?? ''}, must be a finite number`, `returns[${bad}]`),
    () => check('bestIndex', bestIndex, { min: 0, max: trialCount - 1 }, true),
    () => check('barMs', barMs, { min: 1, max: 1e12 }),
    () => check('seed', seed, { min: 0, max: Number.MAX_SAFE_INTEGER }, true),
    () => check('tradeCount', tradeCount ?? 0, { min: 0, max: 1e12 }, true),
    () => (isUnseenBad ? fail('bad_input', 'unseen.returns must be finite numbers', 'unseen.returns') : ok(null)),
    () => check('unseen.lookCount', unseen?.lookCount ?? 1, { min: 1, max: 1e12 }, true),
  ]);
}

function honestyOfSearch(
  engine: Engine,
  { search: input, earlierTrialCount = 0, earlierLookCount = 0 }: TrialSearch,
): TaskResult<HonestyResult> {
  const looks = check('earlierLookCount', earlierLookCount, { min: 0, max: 1e12 }, true);
  if (!looks.ok) return looks;
  if (input.part !== undefined || input.bestOfParts !== undefined) {
    return fail('bad_input', 'search.part must be absent: the panel judges a whole search', 'search.part');
  }
  const prepared = prepareSearch(engine, input);
  if (!prepared.ok) return inSearch(prepared.error);
  const search = prepared.value;
  const outcome = searchOrKnown(search, input);
  if (!outcome.ok) return inSearch(outcome.error);
  const searched = outcome.value;
  const own = sampleSets(search, [0]);
  const best = bestOf(searched) ?? ownCandidate(search, own);
  const trials = pushTrials(search, input, searched, best, earlierTrialCount);
  const count = search.evaluator.count;
  const shown = showOn(search, input, best, { start: count - input.scoredCount, end: count });
  const sight = { isUnseen: input.trainOn !== 'scored', lookCount: 1 + earlierLookCount };
  const samples = searched.columns.length / abi.RESULT_LENGTH;
  const ordinary = searched.columns.subarray(abi.RESULT_VALUE * samples, (abi.RESULT_VALUE + 1) * samples);
  const isOfSearch = input.samples > 1 || input.refine !== false;
  return ok(judge(trials, shown, sight, { plateau: plateauFigure(search, best, ordinary), isOfSearch }));
}

/** A run of rules as the one trial it is, chosen on the candles it is shown on, among those made before. */
function honestyOfRules(
  engine: Engine,
  { run, seed, earlierTrialCount = 0, made }: RulesRun,
): TaskResult<HonestyResult> {
  const shown = showRules(engine, run, made);
  if (!shown.ok) return inSearch(shown.error, 'run');
  const returns = returnsOf(shown.value);
  const trials: Trials = {
    returnsAt: engine.push(returns),
    bars: returns.length,
    columnCount: 1,
    bestColumn: 0,
    trialCount: 1 + earlierTrialCount,
    tradeCount: shown.value.single.trades.length / TRADE_LENGTH,
    barMs: barMsOf(run.candles.time),
    seed: BigInt(seed),
    next: 'rules',
  };
  const noSearch = 'only of a search: its neighbours need ordinary sets beside them';
  const plateau = withheld('plateau', noSearch, { count: 0, window: 'search' });
  const shows = { own: shown.value, compared: shown.value };
  return ok(judge(trials, shows, { isUnseen: false, lookCount: 1 }, { plateau, isOfSearch: false }));
}

/** Every figure of the chosen trial and of its run on the scored candles. */
function judge(
  trials: Trials,
  shows: Shows,
  sight: Sight,
  { plateau, isOfSearch }: { plateau: HonestyFigure; isOfSearch: boolean },
): HonestyResult {
  const { own, compared } = shows;
  const { engine, window, single } = own;
  const selection = selectionFigures(engine, trials);
  const bars = window.end - window.start;
  const column = {
    at: engine.push(returnsOf(own)),
    bars,
    barsHeld: meanBarsHeld(own),
    seed: trials.seed,
    window: 'scored',
    ...sight,
  } as const;
  const trades = single.trades.length / TRADE_LENGTH;
  const resampled = resampledFigures(engine, column, { trials: trials.trialCount, bars, trades });
  const rest = [plateau, holdoutFigure(compared, sight, isOfSearch), ...strategyFigures(shows, sight, trials.seed)];
  return assemble(trials, selection, resampled, rest);
}

/** The error of a search or a run, with the field names of this task's input. */
function inSearch({ code, message, field }: TaskError, at = 'search'): TaskResult<never> {
  return field === undefined
    ? fail(code, message)
    : fail(code, message.replace(field, `${at}.${field}`), `${at}.${field}`);
}

/** No set was ranked: the panel then describes the user's own set. */
function ownCandidate(search: Search, set: Float64Array): Candidate {
  return candidateOf(set, runSets(search, set).columns, 0, 'sample', 0);
}

/** Return columns of the trials, the chosen one first. */
function pushTrials(
  search: Search,
  input: OptimizeInput,
  { refined }: SearchedTrials,
  best: Candidate,
  earlierTrialCount: number,
): Trials {
  const { engine, window, setLength } = search;
  const bars = window.end - window.start;
  const refinedCount = refined.sets.length / setLength;
  const room = Math.max(2, Math.min(COLUMNS_MAX, Math.floor(CELLS_MAX / bars)) - 1);
  const isOther = (kind: Candidate['origin']['kind']) => (index: number) =>
    best.origin.kind !== kind || best.origin.index !== index;
  const samples = evenly(input.samples, room).filter(isOther('sample'));
  const others = evenly(refinedCount, Math.max(0, room - samples.length)).filter(isOther('refined'));
  const drawn = new Float64Array(setLength * (1 + samples.length + others.length));
  drawn.set(best.set);
  drawn.set(sampleSets(search, samples), setLength);
  others.forEach((index, i) => {
    const set = refined.sets.subarray(index * setLength, (index + 1) * setLength);
    drawn.set(set, setLength * (1 + samples.length + i));
  });
  const drawnCount = input.samples + refinedCount;
  const tried = triedCount(input, drawnCount);
  // Columns of one trial twice would look like trials that agree.
  const sets = tried < drawnCount ? differentSets(drawn, setLength) : drawn;
  const { equity } = runSets(search, sets, true);
  const initial = input.costs.initialEquity;
  const returns = equity.map(
    (value, cell) => (value - (cell % bars === 0 ? initial : (equity[cell - 1] ?? 0))) / initial,
  );
  return {
    returnsAt: engine.push(returns),
    bars,
    columnCount: returns.length / bars,
    bestColumn: 0,
    trialCount: tried + earlierTrialCount,
    tradeCount: best.row[abi.RESULT_TRADE_COUNT] ?? 0,
    barMs: barMsOf(input.candles.time),
    seed: search.seed,
  };
}

/** Each set once, in order of their first. */
function differentSets(sets: Float64Array, setLength: number): Float64Array {
  const known = new Map<string, Float64Array>();
  for (let at = 0; at < sets.length; at += setLength) {
    const set = sets.subarray(at, at + setLength);
    const key = set.join();
    if (!known.has(key)) known.set(key, set);
  }
  return Float64Array.from([...known.values()].flatMap((set) => [...set]));
}

/** At most `most` of the indices 0 .. count - 1, evenly spaced. */
function evenly(count: number, most: number): number[] {
  const step = Math.max(1, count / Math.max(1, most));
  return Array.from({ length: Math.min(count, most) }, (_, i) => Math.floor(i * step));
}

/** The usual distance of two candles: gaps do not count. */
function barMsOf(times: Float64Array): number {
  let least = Infinity;
  for (let i = 1; i < times.length; i++) least = Math.min(least, (times[i] ?? 0) - (times[i - 1] ?? 0));
  return least;
}

/** Why figures of candles and search are absent. */
const absences = {
  returns: 'it needs the candles and the search, not only returns',
  account: 'measured for one symbol in the lab, not for an account',
};

function assemble(
  trials: Trials,
  selection: { figures: HonestyFigure[]; halvings: Float64Array },
  resampled: Resampled,
  rest: HonestyFigure[],
): HonestyResult {
  const measured = [...selection.figures, ...resampled.figures, ...rest];
  const made = [...measured, bothWindowsFigure(measured)];
  const figures = honestyRegistry.map(({ id }) => {
    const match = made.find((figure) => figure.id === id);
    return (
      match ?? withheld(id, absences[trials.next === 'account' ? 'account' : 'returns'], { count: 0, window: 'scored' })
    );
  });
  const { halvings } = selection;
  const every = (from: number): Float64Array => halvings.filter((_, i) => i % 3 === from);
  return {
    trialCount: trials.trialCount,
    barCount: trials.bars,
    reading: readingOf(figures, trials.trialCount, trials.next),
    figures,
    halvings: { inside: every(0), outside: every(1), rank: every(2) },
    fan: resampled.fan,
  };
}
