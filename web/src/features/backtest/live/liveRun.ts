import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { contextCount, type DecidingRules } from '@sextant/workers/src/candles/strategyCandles.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { readResult, runEngineTask } from '../../../engine/enginePool.ts';
import { quickStrategy, warmQuickStrategy } from '../../../engine/quickBacktest.ts';
import { loadHistory } from '../history.ts';
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
 * Runs the rules of the scanner on the candles.
 * @throws ApiFailure when candles of a longer interval or the tuning cannot be loaded, WordedError when the engine rejects the run
 */
export async function runLive(
  loaded: LoadedCandles,
  settings: LiveSettings,
  market: Omit<StrategyInput, 'strategy' | 'context'>,
  signal: AbortSignal,
): Promise<RulesOfRun & { result: BacktestResult }> {
  const rules = await loadRules(loaded, settings, signal);
  if (voteIds.every((id) => (rules.strategy.weights[id] ?? 0) === 0))
    throw new WordedError('all weights are 0. Give one vote a weight.');
  const input = { ...market, ...rules };
  const quick = quickStrategy(input);
  if (quick !== undefined) return { result: readResult(quick), ...rules };
  const result = await runEngineTask('backtestStrategy', input, { signal, deadlineMs: DEADLINE_MS });
  warmQuickStrategy(input);
  return { result, ...rules };
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
  const interval = intervals.find((name) => intervalMs[name] === loaded.intervalMs);
  if (interval === undefined)
    throw new WordedError(`scanner rules need ${intervals.join(', ')} candles; these are ${loaded.interval}`);
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
