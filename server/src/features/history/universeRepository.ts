import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId, FuturesSymbol } from '../market/port.ts';
import type { ListedRules, ListingDates, UniverseDay } from './port.ts';

interface Venue {
  source: string;
  exchange: ExchangeId;
}

const dayText = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const rulesOf = ({
  base,
  tickSize,
  stepSize,
  minNotional,
  maxQuantity,
  maxLeverage,
  fundingHours,
}: FuturesSymbol): ListedRules => ({
  base,
  tickSize,
  stepSize,
  minNotional,
  maxQuantity,
  maxLeverage,
  fundingHours,
});

/**
 * Stores the list of an exchange: the symbols that trade on this day, their rules and listing dates. A symbol that is settled or no longer listed
 * gets an end; the day keeps symbols that traded earlier on it.
 */
export async function writeUniverse(
  tx: SystemTx,
  { source, exchange }: Venue,
  listed: readonly FuturesSymbol[],
  atMs: number,
): Promise<void> {
  const trading = listed.filter(({ status, hasEnded }) => status === 'trading' && hasEnded !== true);
  const names = trading.map(({ symbol }) => symbol);
  const at = new Date(atMs);
  await sql`
    insert into history_universes (source, exchange, day, symbols) values (${source}, ${exchange}, ${dayText(atMs)}::date, ${names})
    on conflict (source, exchange, day) do update set
      symbols = array(select distinct unnest(history_universes.symbols || excluded.symbols) order by 1)`.execute(tx);
  const rules = trading.map((each) => JSON.stringify(rulesOf(each)));
  const dates = trading.map(({ listedAtMs }) => (listedAtMs === null ? null : new Date(listedAtMs)));
  await sql`
    insert into history_listings (source, exchange, symbol, listed_at, first_seen_at, last_seen_at, rules)
    select ${source}, ${exchange}, l.symbol, l.listed_at, ${at}, ${at}, l.rules
    from unnest(${names}::text[], ${dates}::timestamptz[], ${rules}::jsonb[]) as l (symbol, listed_at, rules)
    on conflict (source, exchange, symbol) do update set last_seen_at = excluded.last_seen_at, ended_at = null, rules = excluded.rules,
      listed_at = coalesce(excluded.listed_at, history_listings.listed_at)`.execute(tx);
  // A halted contract goes on; an empty list proves nothing.
  const going = listed.filter(({ hasEnded }) => hasEnded !== true).map(({ symbol }) => symbol);
  if (going.length === 0) return;
  await sql`
    update history_listings set ended_at = ${at} where source = ${source} and exchange = ${exchange} and ended_at is null
      and symbol <> all (${going}::text[])`.execute(tx);
}

export async function readUniverse(
  tx: SystemTx,
  { source, exchange }: Venue,
  atMs: number,
): Promise<UniverseDay | null> {
  const { rows } = await sql<{ day: string; symbols: string[] }>`
    select day::text, symbols from history_universes where source = ${source} and exchange = ${exchange}
      and day <= ${dayText(atMs)}::date order by day desc limit 1`.execute(tx);
  const [row] = rows;
  return row === undefined ? null : { day: Date.parse(row.day), symbols: row.symbols };
}

export async function readUniverseDays(
  tx: SystemTx,
  { source, exchange }: Venue,
  fromMs: number,
  toMs: number,
): Promise<UniverseDay[]> {
  const { rows } = await sql<{ day: string; symbols: string[] }>`
    select day::text, symbols from history_universes where source = ${source} and exchange = ${exchange}
      and day between ${dayText(fromMs)}::date and ${dayText(toMs)}::date order by day`.execute(tx);
  return rows.map(({ day, symbols }) => ({ day: Date.parse(day), symbols }));
}

interface ListingRow {
  symbol: string;
  listed_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  ended_at: Date | null;
  rules: ListedRules | null;
}

const listingOf = (row: ListingRow): ListingDates => ({
  symbol: row.symbol,
  listedAt: row.listed_at?.getTime() ?? null,
  firstSeenAt: row.first_seen_at.getTime(),
  lastSeenAt: row.last_seen_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
  rules: row.rules,
});

export async function readListings(tx: SystemTx, { source, exchange }: Venue): Promise<ListingDates[]> {
  const { rows } = await sql<ListingRow>`
    select symbol, listed_at, first_seen_at, last_seen_at, ended_at, rules from history_listings
    where source = ${source} and exchange = ${exchange} order by symbol`.execute(tx);
  return rows.map(listingOf);
}

export async function readListing(
  tx: SystemTx,
  { source, exchange, symbol }: Venue & { symbol: string },
): Promise<ListingDates | null> {
  const { rows } = await sql<ListingRow>`
    select symbol, listed_at, first_seen_at, last_seen_at, ended_at, rules from history_listings
    where source = ${source} and exchange = ${exchange} and symbol = ${symbol}`.execute(tx);
  return rows[0] === undefined ? null : listingOf(rows[0]);
}
