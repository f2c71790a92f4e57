import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { STRATEGY_RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { isSameParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import type { Engine } from '../engine/engine.ts';
import type { BacktestResult, Candles } from '../protocol/backtest.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { StrategyInput } from '../protocol/strategy.ts';
import { ok } from '../core/result.ts';
import { readRun, type UnhashedRun, validateMarket, withHashes } from './backtest.ts';
import { rejectDeadMarket } from './notTrading.ts';
import {
  type DataSections,
  dataSections,
  hashData,
  modelSections,
  parameterSections,
  type RunSections,
  type Section,
} from './hashes.ts';
import { inArena } from './honesty/kernels.ts';
import { rulesSections } from './backtestRules.ts';
import { rulesInputOf } from './ownRules/inputOfStrategy.ts';
import { isOwnRules, ruleSetOf } from '../rules/strategyOfRules.ts';
import { tierRows } from './rules.ts';
import { pushRulesMarket, type RulesMarket, scoreRules, simulateScored, unitsOf } from './strategy/market.ts';
import { validateStrategyValue } from './strategy/validate.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { validateCandles } from './validateCandles.ts';
import { firstFailure } from './validateParams.ts';

/**
 * The backtest of a strategy: the score of every candle as the scanner computes it at that candle (the same kernels, so the
 * same bits), and the simulation every backtest goes through.
 */
export function backtestStrategy(...of: Parameters<typeof unhashedStrategy>): TaskResult<BacktestResult> {
  const run = unhashedStrategy(...of);
  return run.ok ? ok(withHashes(run.value)) : run;
}

export function unhashedStrategy(
  engine: Engine,
  engineHash: string,
  input: StrategyInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<UnhashedRun> {
  const valid = validateStrategyInput(input);
  if (!valid.ok) return valid;
  onProgress?.({ done: 0, total: 2 });
  const market = pushRulesMarket(engine, input);
  onProgress?.({ done: 1, total: 2 });
  const run = runOn(market, input, { engine: engineHash, data: strategyData(input) });
  onProgress?.({ done: 2, total: 2 });
  return run;
}

/** Runs of strategies that read the same votes. */
export interface OpenRules {
  /** Whether an input is of the same candles, intervals and parameters of votes. */
  isOf: (input: StrategyInput) => boolean;
  /** @param input one that `isOf` accepts */
  run: (input: StrategyInput) => TaskResult<BacktestResult>;
}

/**
 * Keeps the votes of a market in the arena, so that a change of weights, threshold, exits or costs computes none of them again: the same
 * result as `backtestStrategy`, bit for bit. The engine must run no other task meanwhile.
 */
export function openRules(engine: Engine, engineHash: string, first: StrategyInput): TaskResult<OpenRules> {
  const valid = validateStrategyInput(first);
  if (!valid.ok) return valid;
  const market = pushRulesMarket(engine, first);
  const known = ({ costs: { funding }, markPrices }: StrategyInput) => ({ funding, markPrices });
  let data = { ...known(first), hash: hashData(strategyData(first)) };
  return ok({
    isOf: (input) => isSameMarket(first, input),
    run(input) {
      const checked = validateStrategyInput(input);
      if (!checked.ok) return checked;
      const { funding, markPrices } = known(input);
      if (data.funding !== funding || data.markPrices !== markPrices)
        data = { funding, markPrices, hash: hashData(strategyData(input)) };
      const ran = inArena(engine, () => runOn(market, input, { engine: engineHash, data: data.hash }));
      return ran.ok ? ok(withHashes(ran.value)) : ran;
    },
  });
}

/**
 * The very columns, the same parameters of votes, and the same intervals with the same weights: the votes and how they are joined. Mark
 * prices and finer candles give no vote.
 */
function isSameMarket(a: StrategyInput, b: StrategyInput): boolean {
  const isSameContext = a.context.length === b.context.length && a.context.every((each, i) => each === b.context[i]);
  const intervalsOf = ({ strategy }: StrategyInput): string => JSON.stringify(strategy.intervals);
  const isJoinedAlike = isSameContext && intervalsOf(a) === intervalsOf(b);
  // A vote without a weight may have one in the next run: its parameters count too.
  const isVotedAlike =
    isSameParameters(a.strategy.parameters, b.strategy.parameters) && a.strategy.rules === b.strategy.rules;
  return a.candles === b.candles && a.news === b.news && isJoinedAlike && isVotedAlike;
}

function runOn(
  market: RulesMarket,
  input: StrategyInput,
  sections: Pick<RunSections, 'engine' | 'data'>,
): TaskResult<UnhashedRun> {
  const scored = scoreWhole(market, input);
  if (!scored.ok) return scored;
  const run = simulateScored(market, input.strategy, input);
  if (!run.ok) return run;
  const params = strategyParams(input, run.value.rules);
  return ok(readRun(market.engine, input, run.value, { scoreAt: market.scoreAt, sections: { ...sections, params } }));
}

export function validateStrategyInput(input: StrategyInput): TaskResult<null> {
  const { strategy, candles, context, news } = input;
  const longer = strategy.intervals.length - 1;
  const bad = (field: string, text: string): TaskResult<null> => fail('bad_input', `${field} ${text}`, field);
  return firstFailure([
    () => validateStrategyValue(strategy),
    () => validateMarket(input),
    () => (context.length === longer ? ok(null) : bad('context', `holds ${context.length} series, needs ${longer}`)),
    ...context.map((series, i) => () => validateCandles(series, 1, `context[${i}]`)),
    () =>
      news === undefined || news.length === candles.time.length
        ? ok(null)
        : bad('news', `has ${news.length} values for ${candles.time.length} candles`),
    () =>
      news === undefined || news.every((vote) => vote >= -1 && vote <= 1)
        ? ok(null)
        : bad('news', 'must hold -1, 0 and 1'),
  ]);
}

/** The score of every base candle; fails when the last deciding candle has none. */
export function scoreWhole(market: RulesMarket, { strategy, candles }: StrategyInput): TaskResult<null> {
  scoreRules(market, strategy.weights);
  const { engine, scoreAt, count } = market;
  if (isOwnRules(strategy)) return validateLookBack(candles, ruleSetOf(strategy).lookBack.base);
  // The last candle decides nothing, so the one before it must.
  if (!Number.isNaN(engine.f64View(scoreAt, count)[count - 2])) return ok(null);
  const dead = rejectDeadMarket(candles, 'candles');
  if (dead !== undefined) return dead;
  const message = `candles: ${count} are too few for the votes; load more, also of the longer intervals`;
  return fail('too_short', message, 'candles');
}

/** Own rules are never true before their look-back: without a candle after it there is nothing to test. */
function validateLookBack(candles: Candles, lookBack: number): TaskResult<null> {
  const count = candles.time.length;
  const dead = rejectDeadMarket(candles, 'candles');
  if (dead !== undefined) return dead;
  if (lookBack < count - 1) return ok(null);
  return fail('too_short', `candles: ${count} are too few; the rules look back ${lookBack} candles`, 'candles');
}

/** Those of a backtest where there is one series and no news. */
export function strategyData(input: StrategyInput): DataSections {
  const { context, news } = input;
  const base = dataSections(input);
  if (context.length === 0 && news === undefined) return base;
  const columns = context.flatMap((series) => candleFields.map((name) => series[name]));
  return { ...base, context: [...columns, news] };
}

/** Everything of a strategy and its costs that a run depends on. @param rules its record */
export function strategyParams(input: StrategyInput, rules: Float64Array): Section[] {
  const { strategy, costs } = input;
  if (isOwnRules(strategy)) return rulesSections(rulesInputOf({ ...input, strategy }), rules);
  const intervals = strategy.intervals.flatMap(({ interval, weight }) => [intervalMs[interval], weight]);
  return [
    rules.subarray(0, STRATEGY_RULES_LENGTH),
    [strategy.atrPeriod],
    unitsOf(strategy.weights),
    intervals,
    tierRows(costs.tiers ?? []),
    ...parameterSections(strategy),
    ...modelSections(costs),
  ];
}
