import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { rejectLeverage } from './rules.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { STATUS_LEVERAGE_TOO_HIGH } from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../engine/engine.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type {
  Finalist,
  OptimizeBest,
  OptimizeInput,
  OptimizeResult,
  SearchedRules,
  Window,
} from '../protocol/optimize.ts';
import { createClassicEvaluator } from './optimize/setEvaluator.ts';
import { isOwnRules } from '../rules/strategyOfRules.ts';
import { createOwnEvaluator } from './optimize/ownEvaluator.ts';
import { createRulesEvaluator } from './optimize/rulesEvaluator.ts';
import { type Market, pushMarket, runSingle } from './optimize/market.ts';
import {
  type Candidate,
  bestOf,
  candidateOf,
  drawGeneration,
  leadersOf,
  refine,
  rowAt,
  runSamples,
  runSets,
  sampleRange,
  sampleSets,
  type Search,
  startSearch,
  trialColumns,
  type Trials,
  valueOf,
} from './optimize/search.ts';
import { knownTrials } from './optimize/known.ts';
import { nameSet, ownSetOf, packSet, spaceOf, triedCount } from './optimize/space.ts';
import { trainWindow, validateOptimize } from './optimize/validate.ts';
import { differences } from './optimize/verify.ts';
import { runWalkForward } from './optimize/walkForward.ts';
import { readSummary } from './readResult.ts';
import { ok } from '../core/result.ts';

/** Random search, refinement, walk-forward, and the best set run once more by the plain backtest. docs/optimiser.md. */
export function optimize(
  engine: Engine,
  engineHash: string,
  input: OptimizeInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<OptimizeResult> {
  const prepared = prepareSearch(engine, input);
  if (!prepared.ok) return prepared;
  const response = responseOf(engineHash, prepared.value, input, onProgress);
  if (!response.ok || input.withUnknown !== true) return response;
  const all = new Set([...prepared.value.evaluator.unknownBars(), ...(response.value.best?.unknownBars ?? [])]);
  return ok({ ...response.value, unknownBars: [...all].sort((a, b) => a - b) });
}

function responseOf(
  engineHash: string,
  search: Search,
  input: OptimizeInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<OptimizeResult> {
  if (input.finalist !== undefined) return judgeFinalist(engineHash, search, input, input.finalist);
  if (input.generation !== undefined) return ok(runGeneration(search, input, input.generation));
  if (input.marked !== undefined) return ok(runMarked(search, input, input.marked));
  const searched = searchOrKnown(search, input, onProgress);
  if (!searched.ok) return searched;
  const trials = searched.value;
  const isKnown = input.known !== undefined;
  const result: OptimizeResult = {
    target: input.target,
    seed: input.seed,
    train: search.window,
    from: trials.from,
    trials: trialColumns(isKnown ? new Float64Array() : trials.columns),
    refined: trialColumns(isKnown ? new Float64Array() : trials.refined.columns),
    trialCount: triedCount(input, input.samples + trials.refined.columns.length / abi.RESULT_LENGTH),
    leaders: trials.leaders.map(({ set, row, origin }) => ({
      index: origin.index,
      ...nameSet(input, set),
      value: valueOf(row),
    })),
  };
  if (input.withSets === true) result.sets = setsOf(search, input, trials);
  if (input.part !== undefined) return ok({ ...result, trialCount: input.part.count });
  const best = judgeBest(engineHash, search, input, bestOf(trials));
  if (!best.ok) return best;
  result.best = best.value;
  if (input.walkForward !== undefined) result.walkForward = runWalkForward(search, input, input.walkForward);
  return ok(result);
}

/** One chunk of a generation, with its sets: its trials are the samples of the result. */
function runGeneration(
  search: Search,
  { target, seed }: OptimizeInput,
  { draw, from, count }: NonNullable<OptimizeInput['generation']>,
): OptimizeResult {
  const sets = drawGeneration(search, draw, from, count);
  const trials = trialColumns(runSets(search, sets).columns);
  const none = new Float64Array();
  const shared = { target, seed, train: search.window, from: draw.first + from, trialCount: count, leaders: [] };
  return { ...shared, trials, refined: trialColumns(none), sets: { trials: sets, refined: none } };
}

/** Sets with the equity of every candle, which a target that ranks by it makes the kernel write; how that target ranks them is left out. */
function runMarked(search: Search, { target, seed }: OptimizeInput, sets: Float64Array): OptimizeResult {
  const trials = trialColumns(runSets({ ...search, target: abi.TARGET_SHARPE }, sets).columns);
  trials.value.fill(Number.NaN);
  const none = trialColumns(new Float64Array());
  const trialCount = trials.value.length;
  return { target, seed, train: search.window, from: 0, trialCount, leaders: [], trials, refined: none };
}

function judgeFinalist(
  engineHash: string,
  search: Search,
  input: OptimizeInput,
  { set, value, origin, refinedCount }: Finalist,
): TaskResult<OptimizeResult> {
  const { columns } = runSets(search, set);
  const candidate = { ...candidateOf(set, columns, 0, 'sample', 0), origin };
  if (!Object.is(valueOf(candidate.row), value)) {
    return fail('bad_input', `finalist is of another search: its value is ${valueOf(candidate.row)}`, 'finalist');
  }
  const result = value === -Infinity ? undefined : candidate;
  const best = judgeBest(engineHash, search, input, result);
  if (!best.ok) return best;
  const none = trialColumns(new Float64Array());
  const shared = { target: input.target, seed: input.seed, train: search.window, from: 0, leaders: [] };
  const trialCount = triedCount(input, input.samples + refinedCount);
  return ok({ ...shared, trials: none, refined: none, trialCount, best: best.value });
}

/** Sets of the trials: samples are drawn again from their indices, which costs less than keeping them. */
function setsOf(search: Search, input: OptimizeInput, { from, columns, refined }: Trials) {
  const count = columns.length / abi.RESULT_LENGTH;
  const { bestOfParts } = input;
  const drawn = bestOfParts === undefined ? sampleRange(search, from, count) : sampleSets(search, bestOfParts);
  return { trials: drawn, refined: refined.sets };
}

/** Checks the input and puts the symbol into the arena. */
export function prepareSearch(engine: Engine, input: OptimizeInput): TaskResult<Search> {
  const valid = validateOptimize(input);
  if (!valid.ok) return valid;
  const space = spaceOf(input);
  if (!space.ok) return space;
  const { rules } = input;
  if (rules !== undefined) {
    const made = evaluatorOfRules(engine, input, { rules, space: space.value });
    if (!made.ok) return made;
    const evaluator = made.value;
    const window = trainWindow(input, evaluator);
    if (!window.ok) return window;
    const allowed = evaluator.tryOwn(window.value);
    return allowed.ok ? ok(startSearch(engine, evaluator, space.value, input, window.value)) : allowed;
  }
  const market = pushMarket(engine, input);
  const evaluator = createClassicEvaluator(engine, market, input);
  const window = trainWindow(input, evaluator);
  if (!window.ok) return window;
  const allowed = checkLeverage(engine, market, input, window.value);
  return allowed.ok ? ok(startSearch(engine, evaluator, space.value, input, window.value)) : allowed;
}

function evaluatorOfRules(engine: Engine, input: OptimizeInput, of: { rules: SearchedRules; space: Float64Array }) {
  const { strategy } = of.rules;
  if (isOwnRules(strategy)) return createOwnEvaluator(engine, input, { ...of.rules, strategy });
  return ok(createRulesEvaluator(engine, input, of));
}

function checkLeverage(engine: Engine, market: Market, input: OptimizeInput, window: Window): TaskResult<null> {
  const { status } = runSingle(engine, market, packSet(input.params), input, window);
  if (status !== STATUS_LEVERAGE_TOO_HIGH) return ok(null);
  return rejectLeverage(input.costs);
}

/** The trials of the input: run here, or known already. */
export function searchOrKnown(
  search: Search,
  input: OptimizeInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<Trials> {
  const { known } = input;
  return known === undefined ? ok(searchTrials(search, input, onProgress)) : knownTrials(search, input, known);
}

/** The whole search of the input, or its part. */
export function searchTrials(
  search: Search,
  input: OptimizeInput,
  onProgress?: (progress: TaskProgress) => void,
): Trials {
  const { samples, part, bestOfParts } = input;
  const from = part?.from ?? 0;
  const count = part?.count ?? samples;
  const indices = bestOfParts ?? Array.from({ length: 0 }, () => 0);
  const columns =
    bestOfParts === undefined
      ? runSamples(search, from, count, (done) => onProgress?.({ done, total: count }))
      : runSets(search, sampleSets(search, indices)).columns;
  const leaders = leadersOf(columns).map((i) => {
    const index = bestOfParts === undefined ? from + i : (indices[i] ?? 0);
    const origin = { kind: 'sample' as const, index };
    return { set: sampleSets(search, [index]), row: rowAt(columns, i), origin };
  });
  const isRefined = part === undefined && input.refine !== false;
  const refined = isRefined
    ? refine(search, leaders, samples)
    : { sets: new Float64Array(), columns: new Float64Array() };
  return { from, columns, refined, leaders };
}

function judgeBest(
  engineHash: string,
  search: Search,
  input: OptimizeInput,
  result: Candidate | undefined,
): TaskResult<OptimizeBest> {
  const best = result ?? currentCandidate(search, input);
  const train = search.evaluator.runAlone(best.set, search.window);
  const wrong = differences(best.row, train);
  if (wrong.length > 0) {
    return fail('engine_trap', `the optimiser and the plain backtest disagree about the best set: ${wrong.join('; ')}`);
  }
  const ownSize = search.evaluator.runOwnSize(best.set, search.window);
  const scored = search.evaluator.runBest(best.set, engineHash);
  if (!scored.ok) return scored;
  const reason = `no set qualified for ${input.target} (${searchTargets[input.target].condition}); showing yours`;
  return ok({
    ...nameSet(input, best.set),
    origin: best.origin,
    train: readSummary(ownSize.summary),
    scored: scored.value,
    ...(input.withUnknown === true
      ? { unknownBars: [...train.unknownBars, ...ownSize.unknownBars, ...scored.value.unknownBars] }
      : {}),
    ...(result === undefined ? { value: null, reason } : { value: valueOf(result.row) }),
  });
}

function currentCandidate(search: Search, input: OptimizeInput): Candidate {
  const set = ownSetOf(input);
  return candidateOf(set, runSets(search, set).columns, 0, 'sample', 0);
}
