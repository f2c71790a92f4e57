import { candleFields, joinColumns } from '@sextant/workers/src/candles/candleColumns.ts';
import { MINUTE_BARS_MAX, MINUTES_MAX } from '@sextant/workers/src/core/limits.ts';
import {
  canSettle,
  hasMinutes,
  minutesByBar,
  minutesFor,
  missingOpens,
  SETTLE_ROUNDS_MAX,
} from '@sextant/workers/src/candles/minutes.ts';
import { intervalMs, type IntervalName, intervals, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { SettleOptions } from '@sextant/workers/src/candles/settle.ts';
import { type LoadedCandles, mapColumns } from '../../api/candles.ts';
import { messageOf } from '../../api/failure.ts';
import { fetchMinutes } from '../../data/market.ts';
import { readRecord, writeRecord } from '../../state/localDatabase.ts';
import { onUserReset } from '../../state/userReset.ts';

/**
 * The minutes inside candles whose exits are in question, cached in this browser: moving a slider or reloading the page refetches none of
 * them.
 */

/** Minutes of one symbol and interval by the open of their candle; null where the exchange lacks some. */
type Book = Map<number, Candles | null>;

const books = new Map<string, Book>();
const opened = new Map<string, Promise<void>>();
/** Fetched minutes are written to storage every so many responses. */
const RESPONSES_A_WRITE = 5;

onUserReset(() => {
  books.clear();
  opened.clear();
});

type Market = Pick<LoadedCandles, 'candles' | 'label' | 'interval' | 'intervalMs' | 'source' | 'exchange'>;

const keyOf = ({ label, interval }: Market): string => `minutes ${label} ${interval}`;

/** A file has no minutes, and one-minute candles are the finest. The page's exchange is Binance. */
export const canHaveMinutes = ({ source, exchange, intervalMs: lengthMs }: Market): boolean =>
  source === 'exchange' &&
  exchange === 'binance' &&
  hasMinutes(lengthMs) &&
  intervals.some((name) => intervalMs[name] === lengthMs);

function bookOf(market: Market): Book {
  const key = keyOf(market);
  const book = books.get(key) ?? new Map<number, Candles | null>();
  books.set(key, book);
  return book;
}

/** The cached minutes of a market, synchronously. */
export const knownMinutes = (market: Market): ReadonlyMap<number, Candles | null> => bookOf(market);

/** Reads the minutes stored in this browser, once. */
export function openMinutes(market: Market): Promise<void> {
  const key = keyOf(market);
  const before = opened.get(key);
  if (before !== undefined) return before;
  const reading = readStored(market);
  opened.set(key, reading);
  return reading;
}

interface CachedMinutes {
  exchange: string;
  opens: number[];
  candles: Candles;
}

async function readStored(market: Market): Promise<void> {
  const { exchange, opens, candles } = ((await readRecord(keyOf(market))) ?? {}) as Partial<CachedMinutes>;
  const count = candles?.time.length ?? -1;
  const isWhole =
    candles !== undefined &&
    candleFields.every((name) => candles[name] instanceof Float64Array && candles[name].length === count) &&
    Array.isArray(opens) &&
    (opens.length * market.intervalMs) / MINUTE_MS === count;
  if (!isWhole || exchange !== market.exchange) return;
  const each = market.intervalMs / MINUTE_MS;
  const book = bookOf(market);
  opens.forEach((openMs, i) => {
    const minutes = mapColumns(candles, (column) => column.subarray(i * each, (i + 1) * each));
    if (!book.has(openMs)) book.set(openMs, minutes);
  });
}

async function keepBook(market: Market): Promise<void> {
  const whole = [...bookOf(market)].filter((entry): entry is [number, Candles] => entry[1] !== null);
  const opens = whole.map(([openMs]) => openMs);
  const candles = joinColumns(whole.map(([, minutes]) => minutes));
  await writeRecord(keyOf(market), { exchange: market.exchange ?? '', opens, candles } satisfies CachedMinutes);
}

interface Loading {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Fetches the minutes of candles and stores them. @throws ApiFailure when they cannot be loaded; those loaded before are stored */
export async function loadMinutes(market: Market, opens: readonly number[], loading: Loading): Promise<void> {
  const interval = intervals.find((name) => intervalMs[name] === market.intervalMs) as Exclude<IntervalName, '1m'>;
  const most = Math.min(MINUTE_BARS_MAX, Math.floor((MINUTES_MAX * MINUTE_MS) / market.intervalMs));
  const { signal, onProgress } = loading;
  let responses = 0;
  try {
    for (let from = 0; from < opens.length; from += most) {
      const requested = opens.slice(from, from + most);
      const { candles } = await fetchMinutes({ symbol: market.label, interval }, requested, signal);
      const book = bookOf(market);
      for (const [openMs, minutes] of minutesByBar(market, requested, candles)) book.set(openMs, minutes);
      responses += 1;
      if (responses % RESPONSES_A_WRITE === 0) await keepBook(market);
      onProgress?.(Math.min(opens.length, from + most), opens.length);
    }
  } finally {
    if (responses > 0) await keepBook(market);
  }
}

interface MinuteRequest extends Loading {
  /** Continues after this time without what has not arrived. */
  deadlineMs: number;
  /** The user skips the wait. */
  skip?: AbortSignal;
}

const TOO_LATE = 'The server took too long.';
/** Why minutes are missing: the message of the failure, or the user did not wait for them. */
export const SKIPPED = 'skipped';

/** Minutes for `settleSearch`: cached ones are not fetched again. */
export function minuteLoader(
  market: Market,
  { signal, deadlineMs, skip, onProgress }: MinuteRequest,
): SettleOptions['load'] {
  return async (opens) => {
    await openMinutes(market);
    const known = knownMinutes(market);
    const missing = opens.filter((openMs) => !known.has(openMs));
    const here = opens.length - missing.length;
    const report = (done: number) => onProgress?.(here + done, opens.length);
    if (missing.length === 0) return { found: known, problem: null };
    report(0);
    const deadline = AbortSignal.timeout(deadlineMs);
    const ends = [signal, deadline, ...(skip === undefined ? [] : [skip])];
    try {
      await loadMinutes(market, missing, { signal: AbortSignal.any(ends), onProgress: report });
      return { found: known, problem: null };
    } catch (failure) {
      signal.throwIfAborted();
      if (skip?.aborted === true) return { found: known, problem: SKIPPED };
      return { found: known, problem: deadline.aborted ? TOO_LATE : problemOf(failure) };
    }
  };
}

/** The failure of loading minutes, as a sentence. */
export const problemOf = (failure: unknown): string => messageOf(failure, TOO_LATE).replace(/[^.]$/, '$&.');

/** A run with the minutes it used. */
interface MinuteRun {
  result: BacktestResult;
  minutes: Candles | undefined;
  /** Opens of candles whose order is ambiguous and whose minutes were not fetched yet. */
  missing: number[];
}

/** The minutes of the previous run: usually those of the next one. */
const lastGiven = new WeakMap<Candles, Candles | undefined>();

/** Runs until the cached minutes settle what they can; fetches nothing. */
export async function runOnKnown(
  market: Market,
  run: (minutes: Candles | undefined) => Promise<BacktestResult>,
): Promise<MinuteRun> {
  if (!canHaveMinutes(market)) return { result: await run(undefined), minutes: undefined, missing: [] };
  const known = knownMinutes(market);
  let minutes = lastGiven.get(market.candles);
  for (let round = 0; ; round++) {
    const result = await run(minutes);
    if (round < SETTLE_ROUNDS_MAX && canSettle(result, market, known)) {
      minutes = minutesFor(result, market, known);
      continue;
    }
    lastGiven.set(market.candles, minutes);
    return { result, minutes, missing: missingOpens(result, market, known) };
  }
}
