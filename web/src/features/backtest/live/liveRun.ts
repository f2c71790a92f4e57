import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol.ts';
import type { StrategyInput } from '@sextant/workers/src/protocolStrategy.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { loadHistory } from '../history.ts';
import { besideOf, type LiveSettings, strategyOf } from './liveSettings.ts';

/** Candles of a longer interval before the window: as many as the scanner reads. */
const WARM_UP = 500;

interface Beside {
  interval: IntervalName;
  candles: Candles;
}

/** What was loaded beside a window, so that a slider asks for nothing. */
const contexts = new WeakMap<LoadedCandles, Map<IntervalName, Promise<Beside>>>();
const tunings = new WeakMap<LoadedCandles, Promise<Readonly<Record<string, number>>>>();

/**
 * Runs the rules of the scanner on the candles.
 * @throws ApiFailure when candles of a longer interval or the tuning cannot be had, WordedError when the engine refuses
 */
export async function runLive(
  loaded: LoadedCandles,
  settings: LiveSettings,
  market: Omit<StrategyInput, 'strategy' | 'context'>,
  signal: AbortSignal,
): Promise<{ result: BacktestResult; strategy: Strategy }> {
  const interval = intervals.find((name) => intervalMs[name] === loaded.intervalMs);
  if (interval === undefined)
    throw new WordedError(
      `the rules of the scanner take candles of ${intervals.join(', ')}; these are ${loaded.interval}`,
    );
  const [context, tuning] = await Promise.all([
    Promise.all(besideOf(interval, settings).map((name) => loadedBeside(loaded, name, signal))),
    settings.own !== null ? {} : (settings.tuning ?? tuningOf(loaded)),
  ]);
  const beside = context.filter((each) => each !== null);
  const strategy = strategyOf(settings, interval, { context: beside.map((each) => each.interval), tuning });
  const input = { ...market, strategy, context: beside.map(({ candles }) => candles) };
  const result = await runEngineTask('backtestStrategy', input, { signal, deadlineMs: DEADLINE_MS });
  return { result, strategy };
}

const DEADLINE_MS = 60_000;

/** The candles of a longer interval up to the end of the window, asked for once; null for a file, which has one interval. */
async function loadedBeside(
  loaded: LoadedCandles,
  interval: IntervalName,
  signal: AbortSignal,
): Promise<Beside | null> {
  if (loaded.source === 'csv') return null;
  const known = contexts.get(loaded) ?? new Map<IntervalName, Promise<Beside>>();
  contexts.set(loaded, known);
  const before = known.get(interval);
  if (before !== undefined) return before;
  const asked = loadBeside(loaded, interval, signal);
  known.set(interval, asked);
  asked.catch(() => known.delete(interval));
  return asked;
}

async function loadBeside(loaded: LoadedCandles, interval: IntervalName, signal: AbortSignal): Promise<Beside> {
  const { time } = loaded.candles;
  const endTimeMs = (time.at(-1) ?? 0) + loaded.intervalMs;
  const stepMs = intervalMs[interval];
  const count = Math.ceil((endTimeMs - (time[0] ?? 0)) / stepMs) + WARM_UP;
  const wish = { symbol: loaded.label, interval, intervalMs: stepMs, count, endTimeMs, signal };
  return { interval, candles: (await loadHistory(wish)).candles };
}

/** Asked for once per window; a failure is asked for again. */
function tuningOf(loaded: LoadedCandles): Promise<Readonly<Record<string, number>>> {
  const before = tunings.get(loaded);
  if (before !== undefined) return before;
  const asked = dataOf(api.GET('/api/tuning')).then(({ weights }) => weights);
  tunings.set(loaded, asked);
  asked.catch(() => tunings.delete(loaded));
  return asked;
}
