// Long because it loads all that a run takes from an exchange: candles, fundings, mark prices, contract rules.
import { venueFacts, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import { candleWindow, fundingWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import { HISTORY_CANDLES_MIN, KLINES_MAX } from '@sextant/workers/src/core/limits.ts';
import { type AlignedMarks, alignMarks } from '@sextant/workers/src/candles/minutes.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import {
  type Funding,
  intervalToMs,
  joinCandles,
  lastCandles,
  type LoadedCandles,
  mapColumns,
} from '../../api/candles.ts';
import { waitForRate } from '../../data/exchangeWait.ts';
import { ApiFailure, isUnreachable, WordedError } from '../../api/failure.ts';
import { fetchCandles, fetchContract, fetchFunding } from '../../data/market.ts';
import { fetchStored } from '../../data/storedCandles.ts';
import type { IntervalName } from '../../api/types.ts';
import { formatCount, formatMany } from '../../format/number.ts';
import { readRecord, writeRecord } from '../../state/localDatabase.ts';
import { readSavedInTab, saveInTab } from '../../state/storage.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import type { SetupInterval } from './backtestState.ts';
import { dayOf, RANGE_MIN } from './setup/dateRange.ts';
import { scoredOf } from './setup/scored.ts';

/** One contiguous stretch of candles, without a gap from our downloads, cached in this browser. */
export interface StoredCandles {
  candles: Candles;
  exchange: string;
}

export interface HistoryOptions {
  symbol: string;
  interval: IntervalName;
  intervalMs: number;
  count: number;
  /** Only candles closed by this time, epoch ms; now when absent. */
  endTimeMs?: number | undefined;
  /** `mark`: candles of the mark price, cached separately. */
  price?: 'last' | 'mark';
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

interface History extends StoredCandles {
  /** The network was down: these are all cached candles. */
  isOffline: boolean;
  /** Whether this browser has it for the next time. */
  isStored: boolean;
}

/** Pages are stored every so many, so that a cancelled download is not lost. */
const PAGES_A_WRITE = 10;
const keyOf = ({ symbol, interval, price }: Pick<HistoryOptions, 'symbol' | 'interval' | 'price'>): string =>
  `${price === 'mark' ? 'marks' : 'candles'} ${symbol} ${interval}`;

/** The candles with open times in [from, until); the same object when that is all of them. */
function between(candles: Candles, fromMs: number, untilMs: number): Candles {
  const { time } = candles;
  const start = time.findIndex((at) => at >= fromMs);
  const from = start < 0 ? time.length : start;
  const after = time.findIndex((at) => at >= untilMs);
  const until = after < 0 ? time.length : after;
  return from === 0 && until === time.length ? candles : mapColumns(candles, (column) => column.slice(from, until));
}

/** Merges older and newer candles; the newer ones win where they overlap. */
function merged(older: Candles, newer: Candles): Candles {
  const from = newer.time[0];
  return from === undefined ? older : joinCandles(between(older, -Infinity, from), newer);
}

/**
 * The last `count` closed candles: from this browser's cache as far as it reaches, the rest page by page from the API. Without a network
 * the cached candles suffice when they reach back far enough; a download that is cut off is reported, and its pages are stored.
 * @throws ApiFailure when the candles cannot be loaded, AbortError when cancelled
 */
export async function loadHistory(options: HistoryOptions): Promise<History> {
  const stored = asStored(await readRecord(keyOf(options)));
  try {
    return { ...(await download(options, stored)), isOffline: false };
  } catch (failure) {
    if (!isUnreachable(failure) || failure instanceof CutOff) throw failure;
    if (stored === undefined) throw notHere(options, 'no candles');
    const here = between(stored.candles, -Infinity, options.endTimeMs === undefined ? Infinity : lastOpen(options) + 1);
    const { length } = here.time;
    if (length < Math.min(options.count, HISTORY_CANDLES_MIN))
      throw notHere(options, length === 0 ? 'no candles' : `only ${formatMany(length, 'candle')}`);
    return { ...stored, candles: lastCandles(here, options.count), isOffline: true, isStored: true };
  }
}

/** The cached record if it holds candles: another version of this page may have stored something else. */
function asStored(record: unknown): StoredCandles | undefined {
  const { candles, exchange } = (record ?? {}) as Partial<StoredCandles>;
  const length = candles?.time instanceof Float64Array ? candles.time.length : -1;
  const isWhole =
    candles !== undefined &&
    candleFields.every((name) => candles[name] instanceof Float64Array && candles[name].length === length);
  return isWhole && typeof exchange === 'string' ? { candles, exchange } : undefined;
}

const unreachable = (message: string) => ({ code: 'unreachable', status: 0, message });

function notHere({ symbol, interval }: HistoryOptions, what: string): ApiFailure {
  const text = `Server unreachable, and this browser has ${what} of ${symbol} ${interval}. Check your connection and try again.`;
  return new ApiFailure(unreachable(text));
}

/** The network failed in the middle of a download: a shorter history must not pass for the requested one. */
class CutOff extends ApiFailure {
  constructor(done: number, total: number, stored: StoredExtent) {
    super(unreachable(`Connection lost after ${formatCount(done)} of ${formatCount(total)} candles. ${next[stored]}`));
  }
}

/** What was stored of a partial download; `longer`: a longer older stretch was preserved instead. */
type StoredExtent = 'part' | 'longer' | 'nothing';
const next: Record<StoredExtent, string> = {
  part: 'Run again to continue from there.',
  longer: 'Your longer stored history is safe: run again to continue.',
  nothing: 'Browser storage is full: run again to start over.',
};

/** Open time of the last candle that had closed at the requested end. */
const lastOpen = ({ endTimeMs, intervalMs }: HistoryOptions): number => (endTimeMs ?? Date.now()) - intervalMs;

async function download(
  options: HistoryOptions,
  stored: StoredCandles | undefined,
): Promise<Omit<History, 'isOffline'>> {
  const { count, endTimeMs, onProgress } = options;
  const [newest, onServer] = await Promise.all([
    page(options, Math.min(count, KLINES_MAX), endTimeMs),
    readOnServer(options, stored),
  ]);
  let { candles } = newest;
  const { exchange } = newest;
  let pages = 0;
  for (;;) {
    for (const each of [stored, onServer]) candles = withStored(candles, each, exchange, options.intervalMs);
    onProgress?.(Math.min(candles.time.length, count), count);
    const missing = count - candles.time.length;
    const first = candles.time[0];
    if (missing <= 0 || first === undefined) break;
    const older = await page(options, Math.min(missing, KLINES_MAX), first).catch(async (failure: unknown) => {
      // Cancelled, or cut off: the next download resumes here.
      const cached = await keepPart(options, { candles, exchange }, stored);
      throw isUnreachable(failure) ? new CutOff(candles.time.length, count, cached) : failure;
    });
    if (older.candles.time.length === 0) break;
    candles = merged(older.candles, candles);
    pages += 1;
    if (pages % PAGES_A_WRITE === 0) await keepPart(options, { candles, exchange }, stored);
    // The market is younger than the requested history.
    if (older.candles.time.length < Math.min(missing, KLINES_MAX)) break;
  }
  const isStored = await keep(options, { candles, exchange }, stored);
  return { exchange, isStored, candles: lastCandles(candles, count) };
}

/**
 * The candles that the server has stored, in one response: pages would take many. Undefined when this browser has enough, or when the server
 * has none: the pages then bring them.
 */
async function readOnServer(
  { symbol, interval, count, endTimeMs, price = 'last', signal }: HistoryOptions,
  stored: StoredCandles | undefined,
): Promise<StoredCandles | undefined> {
  const missing = count - (stored?.candles.time.length ?? 0);
  if (missing <= KLINES_MAX) return undefined;
  const query = { exchange: 'binance' as const, symbol, interval, limit: count, endTimeMs, price, signal };
  const stretch = await fetchStored(query).catch((failure: unknown) => {
    if (signal.aborted) throw failure;
    return null;
  });
  return stretch === null || stretch.candles.time.length === 0 ? undefined : stretch;
}

/** Prepends the cached candles when they reach up to the fetched ones; otherwise a gap would be hidden. */
function withStored(candles: Candles, stored: StoredCandles | undefined, exchange: string, stepMs: number): Candles {
  const first = candles.time[0];
  if (stored === undefined || first === undefined || stored.exchange !== exchange) return candles;
  const older = between(stored.candles, -Infinity, first);
  const last = older.time.at(-1);
  return last !== undefined && first - last <= stepMs ? merged(older, candles) : candles;
}

/**
 * Stores the longer stretch: loading an old window must not drop newer candles.
 * @returns false when browser storage is full
 */
async function keep(
  options: HistoryOptions,
  result: StoredCandles,
  stored: StoredCandles | undefined,
): Promise<boolean> {
  const before = stored?.candles.time;
  const isOlder = before !== undefined && (result.candles.time.at(-1) ?? 0) < (before.at(-1) ?? 0);
  if (isOlder && result.candles.time.length <= before.length) return true;
  return writeRecord(keyOf(options), result);
}

/** Stores the loaded part of an unfinished download, unless a longer stretch is stored. */
async function keepPart(
  options: HistoryOptions,
  result: StoredCandles,
  stored: StoredCandles | undefined,
): Promise<StoredExtent> {
  if (stored !== undefined && result.candles.time.length < stored.candles.time.length) return 'longer';
  return (await keep(options, result, stored)) ? 'part' : 'nothing';
}

async function page(options: HistoryOptions, limit: number, endTimeMs: number | undefined): Promise<StoredCandles> {
  const { symbol, interval, signal, price = 'last' } = options;
  const query = { exchange: 'binance' as const, symbol, interval, limit, endTimeMs, signal, price };
  const { candles, exchange } = await waitForRate(() => fetchCandles(query), signal);
  return { candles, exchange };
}

interface Wanted {
  symbol: string;
  interval: SetupInterval;
  /** Candles to load. */
  count: number;
  /** Only candles closed by this time, epoch ms; now when absent. */
  endTimeMs?: number | undefined;
  /** Exchange whose order rules apply; none when absent. */
  venue?: VenueId | undefined;
  /** Start of a date range, epoch ms. */
  scoredFromMs?: number | undefined;
  /** How many of the newest are scored, of a younger market the usual share at most; that share when absent. */
  scoredMax?: number | undefined;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Candles that open at a time or later. */
export function countFrom({ time }: Candles, fromMs: number): number {
  const first = time.findIndex((at) => at >= fromMs);
  return first < 0 ? 0 : time.length - first;
}

/** The same candles, the last `scored` of which are the range. */
export function withScored(loaded: LoadedCandles, scored: number): LoadedCandles {
  const scoredFromMs = loaded.candles.time[loaded.candles.time.length - scored];
  return scoredFromMs === undefined ? loaded : { ...loaded, scoredFromMs };
}

/** The same candles, the last `scored` of which are scored. */
export function withCount(loaded: LoadedCandles, scored: number): LoadedCandles {
  return scored === scoredOf(loaded.candles.time.length) ? loaded : { ...loaded, scoredCount: scored };
}

/** A market that is younger than the range, or was halted in it. */
function checkRange({ symbol, interval, scoredFromMs }: Wanted, candles: Candles): void {
  if (scoredFromMs === undefined) return;
  const actual = countFrom(candles, scoredFromMs);
  if (actual >= RANGE_MIN) return;
  const first = candles.time[0];
  const starts = first === undefined ? '' : ` History starts on ${dayOf(first)}.`;
  throw new WordedError(
    `${symbol} has ${formatCount(actual)} ${interval} candles in these days; a run needs ${RANGE_MIN}.${starts} Choose other days.`,
  );
}

/**
 * @throws WordedError when a range holds too few candles, ApiFailure when the candles or the contract rules cannot be loaded; missing
 * fundings do not fail the run, which reports them
 */
export async function loadFromExchange(wanted: Wanted): Promise<LoadedCandles> {
  const { symbol, interval, count, endTimeMs, scoredFromMs, scoredMax = Infinity, venue, signal } = wanted;
  const intervalMs = intervalToMs(interval);
  // One candle more than is loaded: the newest one may close during the request.
  const sinceMs = (endTimeMs ?? Date.now()) - (count + 1) * intervalMs;
  const loading = loadHistory({ ...wanted, intervalMs });
  const rules =
    venue &&
    loadContract(symbol, venue, signal).catch(async (failure: unknown) => {
      // Without a network, missing candles are reported first.
      if (isUnreachable(failure)) await loading;
      throw failure;
    });
  const [{ candles, exchange, isOffline, isStored }, early, ruled] = await Promise.all([
    loading,
    loadFunding(symbol, { sinceMs, untilMs: endTimeMs }, signal),
    rules,
  ]);
  checkRange(wanted, candles);
  const window = candleWindow(candles.time, intervalMs);
  // Gaps make a window longer than its candles: fundings of its start are fetched once its length is known.
  const history =
    window.fromMs < sinceMs ? await loadFunding(symbol, { sinceMs: window.fromMs, untilMs: endTimeMs }, signal) : early;
  // The standard window costs one request: only a long download is worth a message.
  if (!isStored && count > LAB_LOADED) reportFullOnce();
  const funding = history === null ? null : fundingWithin(history, window);
  const marks = await loadMarks({ symbol, interval, intervalMs, count, endTimeMs: window.untilMs, signal }, candles);
  const offline = isOffline ? { isOffline, requestedCount: count, requestedUntilMs: endTimeMs ?? Date.now() } : {};
  const range = scoredFromMs === undefined ? {} : { scoredFromMs };
  const loaded: LoadedCandles = {
    candles,
    label: symbol,
    interval,
    intervalMs,
    source: 'exchange',
    exchange,
    funding,
    marks,
    ...withoutUndefined(ruled ?? {}),
    ...range,
    ...offline,
  };
  return withCount(loaded, Math.min(scoredMax, scoredOf(candles.time.length)));
}

/** Once in a visit, across reloads of this tab. */
const FULL_KEY = 'storageFullReported';
let isFullReported = false;
onUserReset(() => {
  isFullReported = false;
  saveInTab(FULL_KEY, '');
});

function reportFullOnce(): void {
  if (isFullReported || readSavedInTab(FULL_KEY) === 'yes') return;
  isFullReported = true;
  saveInTab(FULL_KEY, 'yes');
  toast('Browser storage is full. History is downloaded each time.');
}

/** The mark prices of the candles; null without any, and the run then reports that. @throws AbortError when cancelled */
async function loadMarks(options: HistoryOptions, candles: Candles): Promise<AlignedMarks | null> {
  try {
    return alignMarks(candles, (await loadHistory({ ...options, price: 'mark' })).candles);
  } catch (failure) {
    if (options.signal.aborted) throw failure;
    return null;
  }
}

/**
 * The fundings, cached in this browser for when the network is down. Waits for the rate limit like the candles: a run without them would
 * differ from the same run a minute later.
 */
async function loadFunding(
  symbol: string,
  span: Parameters<typeof fetchFunding>[1],
  signal: AbortSignal,
): Promise<Funding | null> {
  const key = `fundings ${symbol}`;
  try {
    const fetched = await waitForRate(() => fetchFunding(symbol, span, signal), signal);
    const stored = (await readRecord(key)) as Funding | undefined;
    if (stored === undefined || fetched.time.length >= stored.time.length) await writeRecord(key, fetched);
    return fetched;
  } catch {
    return ((await readRecord(key)) as Funding | undefined) ?? null;
  }
}

/** Contract rules as they are stored in this browser. */
interface StoredRules {
  contract: Contract | null;
  atMs: number;
}

function asStoredRules(record: unknown): StoredRules | undefined {
  const { contract, atMs } = (record ?? {}) as Partial<StoredRules>;
  return contract === undefined || atMs === undefined ? undefined : { contract, atMs };
}

/** Contract rules of a symbol with their exchange, as fields of the candles that they apply to. */
interface LoadedRules {
  /** null: the exchange does not list the symbol. */
  contract: Contract | null;
  rulesVenue: VenueId;
  rulesStoredAtMs: number | undefined;
}

/**
 * The contract rules; without a network those cached in this browser. A run without them would use sizes that the exchange rejects.
 * @throws ApiFailure or ExchangeBusy when they cannot be loaded, AbortError when cancelled
 */
export async function loadContract(symbol: string, venue: VenueId, signal: AbortSignal): Promise<LoadedRules> {
  // Version 2: earlier records may lack tiers whose request had failed.
  const key = `contract 2 ${venue} ${symbol}`;
  try {
    const contract = await waitForRate(() => fetchContract(symbol, venue, signal), signal);
    await writeRecord(key, { contract, atMs: Date.now() } satisfies StoredRules);
    return { contract, rulesVenue: venue, rulesStoredAtMs: undefined };
  } catch (failure) {
    if (signal.aborted) throw failure;
    const stored = isUnreachable(failure) ? asStoredRules(await readRecord(key)) : undefined;
    if (stored === undefined) throw noRules(failure, `${symbol} on ${venueFacts[venue].name}`);
    return { contract: stored.contract, rulesVenue: venue, rulesStoredAtMs: stored.atMs };
  }
}

/** The failure with what it leaves unknown; a busy exchange already says when to try again. */
function noRules(failure: unknown, what: string): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const { code, status, message, requestId, retryAfterS, exchange } = failure;
  const text = isUnreachable(failure)
    ? `Server unreachable, and this browser has no contract rules of ${what}. Check your connection and try again.`
    : [`Contract rules of ${what} did not load.`, message, /try again/i.test(message) ? '' : 'Try again.']
        .filter((part) => part !== '')
        .join(' ');
  return new ApiFailure({ code, status, message: text, requestId, retryAfterS, exchange });
}
