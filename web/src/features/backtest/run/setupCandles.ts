import { venueFacts } from '@sextant/engine-as/abi/costs.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { ref } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { formatDuration } from '../../../format/time.ts';
import { toast } from '../../../state/toasts.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { type Draft, draft, plannedWindow, rangeOf, runState, type WindowForm } from '../backtestState.ts';
import { candlesOfFile } from '../csv/candlesOfFile.ts';
import { loadContract, loadFromExchange, withCount, withScored } from '../history.ts';
import { createRecentCandles } from '../recentCandles.ts';

/** The setup selects a file, and none is loaded. */
class MissingFile extends WordedError {
  constructor() {
    super('drop a CSV file first');
    this.name = 'MissingFile';
  }
}

/** The candles of a saved run: the same ones, however much later it is opened. */
export interface SavedWindow {
  /** Close of the last candle, epoch ms. */
  endTimeMs: number;
  /** Absent in states saved by older versions. */
  counts?: { loaded: number; scored: number };
}

/** Abort signal and progress callback. */
export interface Loading {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** The candles of the setup: those on screen when they match, otherwise fetched. @throws ApiFailure */
export async function loadCandles(loading: Loading): Promise<LoadedCandles> {
  const { loaded } = runState;
  const { source, symbol, interval } = draft;
  if (source === 'csv') {
    const file = fileCandles();
    if (file !== null) return withRules(file, loading.signal);
    throw new MissingFile();
  }
  const isThere = loaded?.source === 'exchange' && loaded.label === symbol && loaded.interval === interval;
  return withRules(
    isThere && hasWindow(loaded) ? loaded : await loadFromExchange(loadOptions(loading)),
    loading.signal,
  );
}

/** The window requested when these were loaded. */
const loadedFor = new WeakMap<LoadedCandles, string>();

const windowText = ({ window, range, historyCount }: Pick<WindowForm, 'window' | 'range' | 'historyCount'>): string =>
  window === 'range' ? `${range.from} ${range.to}` : String(historyCount);

/** Whether the candles match the window in the setup. A market younger than the window matches with all its candles. */
function hasWindow(loaded: LoadedCandles): boolean {
  if (loadedFor.get(loaded) === windowText(draft)) return true;
  if (draft.window === 'range' || loaded.scoredFromMs !== undefined) return false;
  const count = Number(loadedFor.get(loaded) ?? loaded.candles.time.length);
  return count >= draft.historyCount;
}

/** The part of the setup that identifies candles. */
export type Form = WindowForm & Pick<Draft, 'symbol' | 'feeVenue'>;

/** Candles of a setup, for a run beside the one on screen. @throws ApiFailure, WordedError for an invalid setup */
export async function loadSetup(form: Form, loading: Loading): Promise<LoadedCandles> {
  return recentOf(form) ?? loadFromExchange(loadOptions(loading, form));
}

/** Options of the load for the setup; a long history reports its progress. @throws WordedError with the message of the invalid field */
function loadOptions(loading: Loading, form: Form = draft) {
  const { symbol, interval, historyCount, feeVenue: venue } = form;
  const range = rangeOf(form);
  const { loaded: count, scored: scoredMax } = plannedWindow(form) ?? { loaded: historyCount, scored: undefined };
  if (range === undefined) return { symbol, interval, venue, count, scoredMax, endTimeMs: undefined, ...loading };
  if (!range.ok) throw new WordedError(range.error.message);
  const { fromMs: scoredFromMs, untilMs: endTimeMs } = range.value;
  return { symbol, interval, venue, count, scoredFromMs, endTimeMs, ...loading };
}

const recentCandles = createRecentCandles(() => serverClock.now());
onUserReset(recentCandles.clear);

const setupText = (form: Form): string => [form.symbol, form.interval, form.feeVenue, windowText(form)].join(' ');

/** Candles of the setup from this visit, while no newer one has closed. */
export function recentOf(form: Form): LoadedCandles | undefined {
  const range = rangeOf(form);
  return recentCandles.read(setupText(form), range?.ok === true ? range.value.untilMs : undefined);
}

/** Candles of a setup from its exchange, noted as its own. @throws as loadSetup */
export async function loadForm(form: Form, loading: Loading, saved?: SavedWindow): Promise<LoadedCandles> {
  const loaded = await (saved === undefined
    ? loadFromExchange(loadOptions(loading, form))
    : loadSaved(form, saved, loading));
  // Fewer candles than requested, without a network: the next search loads again.
  if (loaded.isOffline !== true) loadedFor.set(loaded, windowText(form));
  if (saved === undefined) recentCandles.note(setupText(form), loaded);
  return loaded;
}

async function loadSaved(form: Form, { endTimeMs, counts }: SavedWindow, loading: Loading): Promise<LoadedCandles> {
  if (counts === undefined) return loadFromExchange({ ...loadOptions(loading, form), endTimeMs });
  const { symbol, interval, feeVenue: venue, window } = form;
  const loaded = await loadFromExchange({ symbol, interval, venue, count: counts.loaded, endTimeMs, ...loading });
  return window === 'range' ? withScored(loaded, counts.scored) : withCount(loaded, counts.scored);
}

/** The file in the setup: the last run may have used an exchange. */
export function fileCandles(): LoadedCandles | null {
  const { loaded, csv } = runState;
  if (csv === null || loaded?.candles === csv.parsed.candles) return csv && loaded;
  return candlesOfFile(csv.fileName, csv.parsed);
}

/** Whether the rules of these candles are those of the exchange in the setup. */
export function hasRules({ source, contract, rulesVenue }: LoadedCandles): boolean {
  const { fileContract } = runState;
  if (source === 'csv') return fileContract === null || fileContract.exchange === draft.feeVenue;
  return contract === undefined || rulesVenue === draft.feeVenue;
}

/** The candles under the rules of the exchange in the setup. @throws ApiFailure when these cannot be loaded, AbortError when cancelled */
export async function withRules(loaded: LoadedCandles, signal: AbortSignal): Promise<LoadedCandles> {
  if (hasRules(loaded)) return loaded;
  const { feeVenue } = draft;
  if (loaded.source === 'csv') {
    const { symbol } = runState.fileContract ?? {};
    if (symbol !== undefined) applyFileRules(symbol, await loadContract(symbol, feeVenue, signal), signal);
    return loaded;
  }
  const ruled = withoutUndefined({ ...loaded, ...(await loadContract(loaded.label, feeVenue, signal)) });
  const window = loadedFor.get(loaded);
  if (window !== undefined) loadedFor.set(ruled, window);
  return ruled;
}

type LoadedRules = Awaited<ReturnType<typeof loadContract>>;

export function applyFileRules(
  symbol: string,
  { contract, rulesVenue, rulesStoredAtMs }: LoadedRules,
  signal: AbortSignal,
): void {
  signal.throwIfAborted();
  runState.fileContract = contract === null ? null : ref(contract);
  const { name } = venueFacts[rulesVenue];
  if (contract === null) toast(`${name} does not list ${symbol}.`);
  else if (rulesStoredAtMs !== undefined)
    toast(`Offline: rules of ${symbol} on ${name} are ${formatDuration(Date.now() - rulesStoredAtMs)} old.`);
}
