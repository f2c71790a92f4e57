import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import { windowOf } from '../market/archive.ts';
import { lastClosedOpen } from '../market/intervals.ts';
import type {
  CandleRequest,
  CandleWindow,
  ExchangeId,
  FundingHistory,
  FuturesSymbol,
  Market,
  Sourced,
} from '../market/port.ts';
import type { History, ListingDates } from './port.ts';

type StoredPart = Pick<History, 'readClosedCandles' | 'readFundings' | 'readListing'>;
type MarketPart = Pick<Market, 'candles' | 'contract' | 'fundingHistory'>;

const exchangeDefault: ExchangeId = 'binance';

/** A contract that has ended, as its last list had it; null while its rules are unknown. */
export function endedSymbol({ symbol, listedAt, endedAt, rules }: ListingDates): FuturesSymbol | null {
  if (endedAt === null || rules === null) return null;
  return { symbol, ...rules, listedAtMs: listedAt, status: 'halted', hasEnded: true };
}

/**
 * Candles, fundings and rules of contracts that an exchange no longer has, from the store, so that a test of the past includes what has died
 * since. The exchange is requested first: a list may omit a contract by mistake. Fundings of a past window that is stored as a whole are
 * read from the store for every contract.
 */
export function withEndedContracts<M extends MarketPart>(market: M, history: StoredPart, now = Date.now): M {
  const readListing = async (exchange: ExchangeId, symbol: string): Promise<ListingDates | null> => {
    const listing = await history.readListing(exchange, symbol);
    return listing.ok && listing.value?.endedAt != null ? listing.value : null;
  };
  const own: MarketPart = {
    async candles(request) {
      const read = await market.candles(request);
      const isMissing = read.ok ? read.value.value.candles.time.length === 0 : read.error.code === 'symbol_unknown';
      if (!isMissing) return read;
      const listing = await readListing(request.exchange ?? exchangeDefault, request.symbol);
      return (listing === null ? null : await readStored(history, request, listing, now())) ?? read;
    },
    async contract(request) {
      const read = await market.contract(request);
      if (read.ok || read.error.code !== 'symbol_unknown') return read;
      const { exchange = exchangeDefault, symbol } = request;
      const listing = await readListing(exchange, symbol);
      if (listing === null || listing.rules === null) return read;
      const { tickSize, stepSize, minNotional, maxQuantity, maxLeverage } = listing.rules;
      const rules = { tickSize, stepSize, minNotional: minNotional ?? 0, maxQuantity: maxQuantity ?? 0 };
      // Tiers of an ended contract are published by no exchange.
      const value = { exchange, symbol, ...rules, leverageMax: maxLeverage, tiers: null };
      const endedAt = new Date(listing.endedAt ?? listing.lastSeenAt).toISOString();
      return ok({ exchange, fetchedAtMs: listing.lastSeenAt, value: { ...value, endedAt } });
    },
    async fundingHistory(request) {
      const past = await readSettled(history, request);
      if (past !== null) return ok({ exchange: request.exchange ?? exchangeDefault, fetchedAtMs: now(), value: past });
      const read = await market.fundingHistory(request);
      if (read.ok || read.error.code !== 'symbol_unknown') return read;
      const { exchange = exchangeDefault, symbol, sinceMs: from, untilMs: to } = request;
      const listing = await readListing(exchange, symbol);
      if (listing?.endedAt == null) return read;
      const stored = await history.readFundings({ exchange, symbol, from, to: Math.min(to, listing.endedAt) });
      // Some of them would be charged as if they were all.
      if (!stored.ok || !stored.value.complete) return read;
      const { time, rate } = stored.value;
      return ok({ exchange, fetchedAtMs: listing.lastSeenAt, value: { time, rate } });
    },
  };
  return { ...market, ...own };
}

/** Settled fundings never change: those of a window that is stored as a whole need no request. Null for any other window. */
async function readSettled(
  history: StoredPart,
  { exchange = exchangeDefault, symbol, sinceMs: from, untilMs: to }: Parameters<Market['fundingHistory']>[0],
): Promise<FundingHistory | null> {
  const stored = await history.readFundings({ exchange, symbol, from, to });
  if (!stored.ok || !stored.value.complete || stored.value.time.length === 0) return null;
  const { time, rate } = stored.value;
  return { time, rate };
}

/**
 * The stored part of the requested window, none after the contract ended; without an end of the window the last candles before it. Null where
 * the store lacks them.
 */
async function readStored(
  history: StoredPart,
  { exchange = exchangeDefault, symbol, interval, price = 'last', limit, endTimeMs }: CandleRequest,
  { endedAt, lastSeenAt }: ListingDates,
  nowMs: number,
): Promise<Outcome<Sourced<CandleWindow>> | null> {
  const stepMs = intervalMs[interval];
  const endMs = lastClosedOpen(interval, Math.min(nowMs, endedAt ?? nowMs));
  const toMs = endTimeMs === undefined ? endMs : lastClosedOpen(interval, Math.min(nowMs, endTimeMs));
  const span = { from: toMs - (limit - 1) * stepMs, to: Math.min(toMs, endMs) };
  const sourced = (value: CandleWindow) => ok({ exchange, fetchedAtMs: lastSeenAt, value });
  if (span.from > span.to) return sourced({ candles: candlesOf(() => new Float64Array()), gaps: [], rejectedCount: 0 });
  const stored = await history.readClosedCandles({ exchange, symbol, interval, price, ...span });
  if (!stored.ok) return stored;
  const { columns } = stored.value;
  const lastMs = columns.time.at(-1);
  if (lastMs === undefined) return null;
  // What is missing after the last trade is the end of the contract, no gap.
  return sourced(windowOf(columns, { fromMs: span.from, toMs: lastMs }, stepMs));
}
