import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { contextCount, type DecidingRules } from '@sextant/workers/src/candles/strategyCandles.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import { problemText, strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { readResult, runEngineTask } from '../../../engine/enginePool.ts';
import { quickOwnRules, quickStrategy, warmQuickOwnRules, warmQuickStrategy } from '../../../engine/quickBacktest.ts';
import { loadHistory } from '../history.ts';
import type { ChosenRules } from '../own/chosenRules.ts';
import { besideOf, type LiveSettings, strategyOf } from './liveSettings.ts';

interface Beside {
  interval: IntervalName;
  candles: Candles;
}

/** The rules of a run and the candles of their longer intervals. */
export interface RulesOfRun {
  strategy: Strategy;
  context: Candles[];
}

/** Cached data of a window, so that a slider fetches nothing. */
const contexts = new WeakMap<LoadedCandles, Map<string, Promise<Beside>>>();
const tunings = new WeakMap<LoadedCandles, Promise<Readonly<Record<string, number>>>>();

/**
 * Runs the rules of the scanner, or own rules, on the candles.
 * @throws ApiFailure when candles of a longer interval or the tuning cannot be loaded, WordedError when the engine rejects the run or own
 * rules have an error
 */
export async function runRules(
  loaded: LoadedCandles,
  chosen: ChosenRules,
  market: Omit<StrategyInput, 'strategy' | 'context'>,
  signal: AbortSignal,
): Promise<RulesOfRun & { result: BacktestResult }> {
  const rules = await loadChosen(loaded, chosen, signal);
  const isOwn = chosen.kind === 'own';
  if (!isOwn && voteIds.every((id) => (rules.strategy.weights[id] ?? 0) === 0))
    throw new WordedError('all weights are 0. Give one vote a weight.');
  const input = { ...market, ...rules };
  const quick = isOwn ? quickOwnRules(input) : quickStrategy(input);
  if (quick !== undefined) return { result: readResult(quick), ...rules };
  const result = await runEngineTask('backtestStrategy', input, { signal, deadlineMs: DEADLINE_MS });
  if (isOwn) warmQuickOwnRules(input);
  else warmQuickStrategy(input);
  return { result, ...rules };
}

/** The chosen rules with the candles of their longer intervals. @throws as loadRules and loadOwnRules */
export const loadChosen = (loaded: LoadedCandles, chosen: ChosenRules, signal: AbortSignal): Promise<RulesOfRun> =>
  chosen.kind === 'live' ? loadRules(loaded, chosen.settings, signal) : loadOwnRules(loaded, chosen.own.text, signal);

/** @throws WordedError on candles of unknown length */
function intervalOf(loaded: LoadedCandles): IntervalName {
  const interval = intervals.find((name) => intervalMs[name] === loaded.intervalMs);
  if (interval !== undefined) return interval;
  throw new WordedError(`rules need ${intervals.join(', ')} candles; these are ${loaded.interval}`);
}

/**
 * Own rules as a strategy, with the candles of their longer intervals.
 * @throws ApiFailure when these cannot be loaded, WordedError with the first error of the text
 */
async function loadOwnRules(loaded: LoadedCandles, text: string, signal: AbortSignal): Promise<RulesOfRun> {
  const compiled = strategyOfRules(text, intervalOf(loaded));
  if (!compiled.ok) throw new WordedError(`${problemText(compiled.error[0])}.`);
  const strategy = compiled.value;
  const longer = strategy.intervals.slice(1).map(({ interval }) => interval);
  if (loaded.source === 'csv' && longer.length > 0)
    throw new WordedError(`a file has one interval. Remove ${longer.map((name) => `${name}(...)`).join(', ')}.`);
  const context = await Promise.all(
    longer.map((interval) => loadedBeside(loaded, { interval, votes: strategy }, signal)),
  );
  return { strategy, context: context.flatMap((beside) => (beside === null ? [] : [beside.candles])) };
}

/**
 * The rules of the settings on the candles, with the candles of their longer intervals.
 * @throws ApiFailure when candles of a longer interval or the tuning cannot be loaded, WordedError on candles of unknown length
 */
export async function loadRules(
  loaded: LoadedCandles,
  settings: LiveSettings,
  signal: AbortSignal,
): Promise<RulesOfRun> {
  const interval = intervalOf(loaded);
  // Live rules have the default parameters, whatever the tuning makes of their weights.
  const votes = settings.own ?? { weights: liveWeights };
  const [context, tuning] = await Promise.all([
    Promise.all(besideOf(interval, settings).map((name) => loadedBeside(loaded, { interval: name, votes }, signal))),
    settings.own !== null ? {} : (settings.tuning ?? tuningOf(loaded)),
  ]);
  const beside = context.filter((each) => each !== null);
  const known = beside.map((each) => each.interval);
  const strategy = strategyOf(settings, interval, { context: known, tuning });
  return { strategy, context: beside.map(({ candles }) => candles) };
}

const DEADLINE_MS = 60_000;

/** The candles of a longer interval up to the end of the window, fetched once; null for a file, which has one interval. */
async function loadedBeside(
  loaded: LoadedCandles,
  { interval, votes }: { interval: IntervalName; votes: DecidingRules },
  signal: AbortSignal,
): Promise<Beside | null> {
  if (loaded.source === 'csv') return null;
  const known = contexts.get(loaded) ?? new Map<string, Promise<Beside>>();
  contexts.set(loaded, known);
  const window = candleWindow(loaded.candles.time, loaded.intervalMs);
  const count = contextCount(window, interval, votes);
  const key = `${interval} ${count}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const response = loadBeside(loaded, { interval, count, endTimeMs: window.untilMs }, signal);
  known.set(key, response);
  response.catch(() => known.delete(key));
  return response;
}

async function loadBeside(
  loaded: LoadedCandles,
  { interval, count, endTimeMs }: { interval: IntervalName; count: number; endTimeMs: number },
  signal: AbortSignal,
): Promise<Beside> {
  const options = { symbol: loaded.label, interval, intervalMs: intervalMs[interval], count, endTimeMs, signal };
  return { interval, candles: (await loadHistory(options)).candles };
}

/** Factor on the weight of each vote, as the account has set it. @throws ApiFailure */
export const accountTuning = (): Promise<Readonly<Record<string, number>>> =>
  dataOf(api.GET('/api/tuning')).then(({ weights }) => weights);

/** Fetched once per window; a failure is not cached. */
function tuningOf(loaded: LoadedCandles): Promise<Readonly<Record<string, number>>> {
  const before = tunings.get(loaded);
  if (before !== undefined) return before;
  const response = accountTuning();
  tunings.set(loaded, response);
  response.catch(() => tunings.delete(loaded));
  return response;
}
