import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { OrderBook, TopQuote } from '../../features/market/port.ts';
import { fundingRateMax } from './funding.ts';
import type { RawTop } from './restDialect.ts';
import type { VenueContext } from './context.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

const LEVELS_MAX = 50;

const numberOf = (value: unknown): number => (typeof value === 'string' && value.trim() === '' ? NaN : Number(value));
const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;
const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** Best prices of every listed symbol. @throws UpstreamError when none is usable */
export async function readTops(
  { rules, dialect, transport, clock }: VenueContext,
  universe: ReadonlyMap<string, Listed>,
): Promise<TopQuote[]> {
  const symbols = new Map([...universe.values()].map(({ id, listing }) => [id, listing.symbol]));
  const raws = await dialect.tops(transport);
  const nowMs = clock.now();
  const tops = raws.flatMap((raw) => {
    const symbol = symbols.get(raw.id);
    const top = symbol === undefined ? undefined : topOf(raw, symbol, nowMs);
    return top === undefined ? [] : [top];
  });
  if (tops.length === 0) throw new UpstreamError('unavailable', `${rules.name} sent no valid best prices.`);
  return tops;
}

/** Undefined when a side or the exchange's timestamp is missing or the quote is crossed: it cannot be compared. */
function topOf(raw: RawTop, symbol: string, nowMs: number): TopQuote | undefined {
  const [bid, ask, stamp] = [numberOf(raw.bid), numberOf(raw.ask), numberOf(raw.atMs)];
  const isUsable = isPositive(bid) && isPositive(ask) && bid < ask && ask / bid < 1.5 && isPositive(stamp);
  if (!isUsable) return undefined;
  const rate = numberOf(raw.fundingRate ?? NaN);
  const nextMs = numberOf(raw.nextFundingAtMs ?? NaN);
  const isFundingKnown = Math.abs(rate) <= fundingRateMax && nextMs > nowMs - HOUR_MS && nextMs < nowMs + 25 * HOUR_MS;
  return {
    symbol,
    bid,
    ask,
    // Timestamps in the future stay unchanged: only their difference between two exchanges counts.
    atMs: stamp,
    receivedAtMs: nowMs,
    source: 'request',
    fundingRate: isFundingKnown ? rate : null,
    nextFundingAtMs: isFundingKnown ? nextMs : null,
    fundingIntervalHours: null,
  };
}

/** The order book of one symbol, sizes in coins. @throws UpstreamError when the book is unusable */
export async function readBook(
  { rules, dialect, transport, listed }: VenueContext,
  symbol: string,
): Promise<OrderBook> {
  const { id, contractSize } = await listed(symbol);
  const raw = dialect.book.read(await transport.getJson(dialect.book.path(id)));
  const bids = levelsOf(raw.bids, -1, contractSize);
  const asks = levelsOf(raw.asks, 1, contractSize);
  const stamp = numberOf(raw.atMs ?? NaN);
  const isCrossed = (bids?.[0]?.[0] ?? 0) >= (asks?.[0]?.[0] ?? Infinity);
  if (bids === undefined || asks === undefined || isCrossed || (raw.id !== undefined && raw.id !== id)) {
    throw new UpstreamError('unavailable', `${rules.name} sent an invalid order book for ${symbol}.`);
  }
  return { symbol, bids, asks, atMs: isPositive(stamp) ? stamp : null };
}

/**
 * Levels from the best price outward, without levels of size 0. Undefined when a cell is not a number or prices are out of order.
 * `side` 1: asks, -1: bids.
 */
function levelsOf(rows: unknown, side: 1 | -1, contractSize: number): [number, number][] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const levels: [number, number][] = [];
  for (const row of rows.slice(0, LEVELS_MAX) as unknown[]) {
    if (!Array.isArray(row) || !isText(row[0]) || !isText(row[1])) return undefined;
    const [price, size] = [numberOf(row[0]), numberOf(row[1])];
    const before = levels.at(-1)?.[0];
    const isInOrder = before === undefined || (price - before) * side > 0;
    if (!isPositive(price) || !(size >= 0) || !Number.isFinite(size) || !isInOrder) return undefined;
    // Removes floating-point error of the product; no exchange uses more than fifteen digits.
    if (size > 0) levels.push([price, Number((size * contractSize).toPrecision(15))]);
  }
  return levels;
}
