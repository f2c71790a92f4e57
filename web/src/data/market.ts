import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { FUNDING_DAYS_MAX, KLINES_MAX, SYMBOLS_IN_BATCH_MAX } from '@sextant/workers/src/core/limits.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { proxy } from 'valtio';
import { toastRejection } from '../state/toasts.ts';
import { type Funding, joinCandles } from '../api/candles.ts';
import { api, dataOf, readOrEmpty } from '../api/client.ts';
import { patientHeaders, waitForExchange } from './exchangeWait.ts';
import { ApiFailure, messageOf } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { tradedSymbols, useSymbols } from './symbols.ts';
import type { IntervalName } from '../api/types.ts';

/** Positions are fetched every 15 s; a visible watch list is worth three times that. */
export const PRICE_POLL_MS = 5_000;
export type Exchange = Contract['exchange'];

const HEALTH_POLL_MS = 60_000;

/** Suggested while the user's own list is short; symbols the market does not trade are left out. */
const suggested = [
  'BTCUSDT',
  'ETHUSDT',
  'SOLUSDT',
  'BNBUSDT',
  'XRPUSDT',
  'DOGEUSDT',
  'ADAUSDT',
  'LINKUSDT',
  'AVAXUSDT',
  'LTCUSDT',
] as const;

/** Own symbols first, then suggestions up to their number: a first star must not empty the list. */
const withSuggestions = (own: readonly string[]): string[] => [
  ...own,
  ...suggested.filter((symbol) => !own.includes(symbol)).slice(0, Math.max(0, suggested.length - own.length)),
];

/** The watch list: the user's own symbols, filled up with suggestions while they are few. Empty until the market is loaded. */
export function useWatchedSymbols(): string[] {
  const symbols = useSymbols();
  const watched = useWatchlist();
  const traded = new Set(symbols.data && tradedSymbols(symbols.data));
  if (watched.isPending) return [];
  return withSuggestions(watched.data ?? []).filter((symbol) => traded.has(symbol));
}

/** Splits a long list into the fewest batches of nearly equal size: 4 to 12 each when there are more than 12. */
export function priceBatches(symbols: readonly string[]): string[][] {
  const count = Math.ceil(symbols.length / SYMBOLS_IN_BATCH_MAX);
  const startOf = (batch: number): number => Math.round((batch * symbols.length) / count);
  return Array.from({ length: count }, (_, batch) => symbols.slice(startOf(batch), startOf(batch + 1)));
}

async function fetchPrices(symbols: readonly string[], signal: AbortSignal, exchange: Exchange = 'binance') {
  const chunks = priceBatches(symbols);
  const responses = await Promise.all(
    chunks.map((chunk) =>
      dataOf(api.GET('/api/price/batch', { params: { query: { symbols: chunk.join(','), exchange } }, signal })),
    ),
  );
  return {
    exchange: responses[0]?.exchange ?? '',
    confirmedAtMs: Date.now() - Math.max(...responses.map((response) => response.data_age_ms)),
    prices: responses.flatMap((response) => response.prices),
    missing: responses.flatMap((response) => response.missing),
  };
}

/** Last prices: from the event stream as they change, and fetched every `pollMs` when it is silent. */
export function usePrices(symbols: readonly string[], pollMs = PRICE_POLL_MS) {
  const client = useQueryClient();
  const queryKey = queryKeys.market.prices(symbols);
  const list = symbols.join(',');
  useEffect(() => (list === '' ? undefined : wantPrices(list.split(','))), [list]);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const stored = client.getQueryData<Awaited<ReturnType<typeof fetchPrices>>>(queryKey);
      const isFresh = stored !== undefined && Date.now() - stored.confirmedAtMs < pollMs;
      return liveState.isLive && isFresh ? stored : fetchPrices(symbols, signal);
    },
    enabled: symbols.length > 0,
    refetchInterval: pollMs,
    // A list that gains a symbol shows its previous prices until the new response arrives.
    placeholderData: keepPreviousData,
    // The next poll comes sooner than a retry with back-off would; the age dot shows the age of the prices.
    retry: false,
  });
}

/** Last prices on an exchange that the event stream does not carry. */
export function usePolledPrices(exchange: Exchange, symbols: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.market.polledPrices(exchange, symbols),
    queryFn: ({ signal }) => fetchPrices(symbols, signal, exchange),
    enabled: symbols.length > 0,
    refetchInterval: PRICE_POLL_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function useHealth() {
  return useQuery({
    queryKey: queryKeys.market.health,
    queryFn: ({ signal }) => dataOf(api.GET('/api/health', { signal })),
    refetchInterval: HEALTH_POLL_MS,
  });
}

export interface CandleResponse {
  candles: Candles;
  exchange: string;
  /** Time of the exchange's last confirmation, epoch ms of this browser. */
  confirmedAtMs: number;
}

interface CandleQuery {
  /** Without a default: levels of one exchange do not fit the candles of another. */
  exchange: Exchange;
  symbol: string;
  interval: IntervalName;
  limit: number;
  /** Only candles closed by this time, epoch ms. */
  endTimeMs?: number | undefined;
  /** `mark`: candles of the mark price. */
  price?: 'last' | 'mark';
  signal?: AbortSignal | undefined;
}

/** The last `limit` closed candles, oldest first; fewer when the market is younger. Fetches pages where the API caps a response. */
export async function fetchCandles({ limit, ...query }: CandleQuery): Promise<CandleResponse> {
  let response = await fetchPage({ ...query, limit: Math.min(limit, KLINES_MAX) });
  for (;;) {
    const { candles } = response;
    const missing = limit - candles.time.length;
    const first = candles.time[0];
    if (missing <= 0 || first === undefined) return response;
    // A candle opens when the one before it closes, so the oldest open is the end of the page before.
    const page = Math.min(missing, KLINES_MAX);
    const older = await fetchPage({ ...query, limit: page, endTimeMs: first });
    if (older.candles.time.length === 0) return response;
    response = {
      candles: joinCandles(older.candles, candles),
      exchange: response.exchange,
      confirmedAtMs: Math.min(older.confirmedAtMs, response.confirmedAtMs),
    };
    if (older.candles.time.length < page) return response;
  }
}

async function fetchPage({
  exchange,
  symbol,
  interval,
  limit,
  endTimeMs,
  price,
  signal,
}: CandleQuery): Promise<CandleResponse> {
  const until = endTimeMs === undefined ? {} : { endTime: endTimeMs };
  const query = { exchange, symbol, interval, limit, ...until, ...(price === 'mark' ? { price } : {}) };
  const options = { params: { query }, headers: patientHeaders, ...withoutUndefined({ signal }) };
  const request = () => dataOf(api.GET('/api/klines', options));
  const response = await waitForExchange(request, signal);
  return {
    candles: candlesOf(response.candles),
    exchange: response.exchange,
    confirmedAtMs: Date.now() - response.data_age_ms,
  };
}

const candlesOf = (columns: Record<keyof Candles, number[]>): Candles => ({
  time: Float64Array.from(columns.time),
  open: Float64Array.from(columns.open),
  high: Float64Array.from(columns.high),
  low: Float64Array.from(columns.low),
  close: Float64Array.from(columns.close),
  volume: Float64Array.from(columns.volume),
});

/** The closed minutes inside candles, as far as the exchange has them. @param opens open times of the candles, epoch ms */
export async function fetchMinutes(
  { symbol, interval }: { symbol: string; interval: Exclude<IntervalName, '1m'> },
  opens: readonly number[],
  signal: AbortSignal,
): Promise<{ candles: Candles; exchange: string }> {
  const body = { symbol, interval, opens: [...opens], exchange: 'binance' as const };
  const request = () => dataOf(api.POST('/api/minute-candles', { body, headers: patientHeaders, signal }));
  const { candles, exchange } = await waitForExchange(request, signal);
  return { candles: candlesOf(candles), exchange };
}

const DAY_MS = 86_400_000;
/** One day less than the API's maximum allows for clock differences between page and server. */
const FUNDING_SPAN_MS = (FUNDING_DAYS_MAX - 1) * DAY_MS;
/** Before the first perpetual of any exchange. */
const FIRST_FUNDING_MS = Date.UTC(2017, 0, 1);

interface FundingSpan {
  sinceMs: number;
  /** Now when absent. */
  untilMs?: number | undefined;
}

/** Settled fundings of a symbol within a span, oldest first. Fetches in parts where the API caps a response. */
export async function fetchFunding(
  symbol: string,
  { sinceMs, untilMs }: FundingSpan,
  signal: AbortSignal,
): Promise<Funding> {
  const first = Math.max(sinceMs, FIRST_FUNDING_MS);
  const parts: { at: string; funding_rate: number }[][] = [];
  let until = untilMs;
  for (;;) {
    const end = until ?? Date.now();
    const since = Math.max(first, end - FUNDING_SPAN_MS);
    const query = until === undefined ? { symbol, since } : { symbol, since, until };
    const request = () => dataOf(api.GET('/api/funding', { params: { query }, headers: patientHeaders, signal }));
    const { history } = await waitForExchange(request, signal);
    parts.unshift(history);
    // A market without fundings in more than a year is younger than the rest of the span.
    if (since <= first || history.length === 0) break;
    until = since;
  }
  const all = parts.flat();
  return {
    time: Float64Array.from(all, ({ at }) => Date.parse(at)),
    rate: Float64Array.from(all, ({ funding_rate }) => funding_rate),
  };
}

/** Order rules of the exchange for the symbol; null when it does not list it. */
export async function fetchContract(
  symbol: string,
  exchange: Contract['exchange'],
  signal: AbortSignal,
): Promise<Contract | null> {
  try {
    const query = { symbol, exchange };
    const request = () => dataOf(api.GET('/api/contract', { params: { query }, headers: patientHeaders, signal }));
    return (await waitForExchange(request, signal)).contract;
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'symbol_unknown') return null;
    throw failure;
  }
}

/** One symbol of the price batch. */
interface LivePrice {
  symbol: string;
  price: number;
}

interface Prices<Price extends LivePrice = LivePrice> {
  exchange: string;
  /** Time of the exchange's last confirmation of the prices, epoch ms of this browser. */
  confirmedAtMs: number;
  prices: Price[];
  /** Symbols that have no price, with the reason. */
  missing: MissingPrice[];
}

interface MissingPrice {
  symbol: string;
  why: WhyNoPrice;
}

export type WhyNoPrice = 'not_traded' | 'halted' | 'no_price';

/** Whether events arrive, and the symbols on screen, for which the stream subscribes to prices. */
export const liveState = proxy<{ isLive: boolean; wanted: { symbols: string[] } }>({
  isLive: false,
  wanted: { symbols: [] },
});
const wantedBy = new Map<string, number>();

/** Subscribes to prices of these symbols until the returned function is called. Subscriptions are counted per symbol. */
export function wantPrices(symbols: readonly string[]): () => void {
  const add = (count: number): void => {
    for (const symbol of symbols) {
      const left = (wantedBy.get(symbol) ?? 0) + count;
      if (left > 0) wantedBy.set(symbol, left);
      else wantedBy.delete(symbol);
    }
    liveState.wanted.symbols = [...wantedBy.keys()];
  };
  add(1);
  return () => add(-1);
}

/** Merges newer prices into older ones, in the order of the older list; symbols missing there are dropped. */
export function mergePrices<Price extends LivePrice>(before: Prices<Price>, batch: Prices<Price>): Prices<Price> {
  const changed = new Map(batch.prices.map((price) => [price.symbol, price]));
  const missing = new Map([...before.missing, ...batch.missing].map((each) => [each.symbol, each]));
  for (const symbol of changed.keys()) missing.delete(symbol);
  const shown = new Set([...before.prices, ...before.missing].map(({ symbol }) => symbol));
  const prices = [
    ...before.prices,
    ...batch.prices.filter(({ symbol }) => before.missing.some((each) => each.symbol === symbol)),
  ];
  return {
    ...batch,
    prices: prices.flatMap((price) => (missing.has(price.symbol) ? [] : [changed.get(price.symbol) ?? price])),
    missing: [...missing.values()].filter(({ symbol }) => shown.has(symbol)),
  };
}

/** Puts a batch of the stream into every list of prices on screen. */
export function takePrices(client: QueryClient, key: readonly string[], data: Record<string, unknown>): void {
  const { data_age_ms: ageMs, ...rest } = data as unknown as Omit<Prices, 'confirmedAtMs'> & { data_age_ms: number };
  const batch = { ...rest, confirmedAtMs: Date.now() - ageMs };
  client.setQueriesData<Prices>({ queryKey: key }, (before) =>
    before === undefined ? undefined : mergePrices(before, batch),
  );
}

/** Empty without a session. */
export const fetchWatchlist = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/watchlist', { signal: signal ?? null }), { entries: [] });

/** The symbols the user watches; another tab's change arrives as an event. */
export function useWatchlist() {
  return useQuery({
    queryKey: queryKeys.watchlist,
    queryFn: ({ signal }) => fetchWatchlist(signal),
    select: ({ entries }) => entries.map(({ symbol }) => symbol),
    staleTime: 60_000,
  });
}

/** Adds a symbol or removes it. */
export function useChangeWatchlist() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ symbol, isWatched }: { symbol: string; isWatched: boolean }) =>
      dataOf(
        isWatched
          ? api.POST('/api/watchlist', { body: { symbol } })
          : api.DELETE('/api/watchlist/{symbol}', { params: { path: { symbol } } }),
      ),
    onSuccess: (list) => client.setQueryData(queryKeys.watchlist, list),
    onError: (failure) => toastRejection(messageOf(failure, 'The watch list was not changed'), failure),
  });
}
