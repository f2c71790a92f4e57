import { sql } from 'kysely';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { MarketMode } from '../../../config.ts';
import { describeEnd } from '../../history/describeEnd.ts';
import { EndedContracts } from '../../market/endedContracts.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import { afterClose, type CloseListener } from '../closeHooks.ts';
import { fillFor, writeCloses } from '../closePosition.ts';
import { priceKey } from '../live.ts';
import { positionToWire } from '../positionRow.ts';
import type { RestingOrders } from './restingOrders.ts';

export interface DelistingDeps {
  db: Db;
  /** `historySource`: the world that stored lists of contracts belong to. */
  config: { market: MarketMode; historySource: string };
  market: Pick<Market, 'readQuote' | 'prices' | 'symbols'>;
  closeListeners: readonly CloseListener[];
  orders: Pick<RestingOrders, 'cancelEnded'>;
  warn: (error: unknown) => void;
  /** First statement of each write: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
}

/** After this time without a streamed price a series is looked up in the exchange's list; short enough to settle within a minute. */
const QUIET_MS = 10_000;
/** Maximum age of the list: while all series are streamed, while one has only a requested price, and while one has none. */
const LIST_AGE_MS = { streamed: 40_000, requested: 20_000, none: 8000 };
/** Interval for storing mark prices. */
const STORE_MS = 15_000;

interface Series {
  exchange: ExchangeId;
  symbol: string;
}
interface Mark {
  price: number;
  atMs: number;
}

const readSeries = (tx: SystemTx, market: MarketMode) =>
  tx
    .selectFrom('positions')
    .select(['exchange', 'symbol'])
    .where('closed_at', 'is', null)
    .where('market', '=', market)
    .union(
      tx
        .selectFrom('orders')
        .select(['exchange', 'symbol'])
        .where('status', '=', 'resting')
        .where('market', '=', market),
    )
    .execute() as Promise<Series[]>;

async function storeMarks(tx: SystemTx, market: MarketMode, marks: ReadonlyMap<string, Mark>): Promise<void> {
  const rows = [...marks].map(([key, { price, atMs }]) => {
    const [exchange, symbol] = key.split(' ');
    return { exchange, symbol, price: String(price), at: new Date(atMs).toISOString() };
  });
  await sql`
    insert into position_marks (market, exchange, symbol, price, at)
    select ${market}, exchange, symbol, price, at from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as m (exchange text, symbol text, price numeric, at timestamptz)
    on conflict (market, exchange, symbol) do update set price = excluded.price, at = excluded.at
      where excluded.at > position_marks.at`.execute(tx);
  await sql`
    delete from position_marks m where market = ${market} and not exists (
      select from positions p where p.closed_at is null and (p.market, p.exchange, p.symbol) = (m.market, m.exchange, m.symbol))`.execute(
    tx,
  );
}

/** Stores the last price of each series. Returns the symbols without a current price, and the maximum age of the list. */
async function noteMarks(
  market: DelistingDeps['market'],
  marks: Map<string, Mark>,
  exchange: ExchangeId,
  symbols: readonly string[],
): Promise<{ quiet: ReadonlySet<string>; maxAgeMs: number }> {
  const unstreamed = symbols.filter((symbol) => {
    const quote = market.readQuote({ exchange, symbol, maxAgeMs: QUIET_MS });
    if (quote !== null) marks.set(priceKey(exchange, symbol), { price: quote.mark ?? quote.last, atMs: quote.atMs });
    return quote === null;
  });
  if (unstreamed.length === 0) return { quiet: new Set(), maxAgeMs: LIST_AGE_MS.streamed };
  const response = await market.prices({ exchange, symbols: unstreamed });
  const priced = response.ok ? response.value.value : [];
  for (const { symbol, last, mark, atMs } of priced)
    marks.set(priceKey(exchange, symbol), { price: mark ?? last, atMs });
  const has = new Set(priced.map(({ symbol }) => symbol));
  const quiet = new Set(unstreamed.filter((symbol) => !has.has(symbol)));
  return { quiet, maxAgeMs: quiet.size > 0 ? LIST_AGE_MS.none : LIST_AGE_MS.requested };
}

/** Closes the open positions of a series. @param noted last price seen by this node; a stored one may be newer */
async function settle(deps: DelistingDeps, { exchange, symbol }: Series, noted: Mark | undefined): Promise<number> {
  const closed = await withSystem(deps.db, async (tx) => {
    await deps.assertLeader(tx);
    const seenAtMs = await databaseNowMs(tx);
    const { text } = await describeEnd(tx, deps.config.historySource, { exchange, symbol }, seenAtMs);
    await deps.orders.cancelEnded(tx, deps.config.market, { exchange, symbol }, text);
    const isHere = { market: deps.config.market, exchange, symbol };
    const open = tx.selectFrom('positions').selectAll().where('closed_at', 'is', null);
    // Locked: the fee is that of what is open, and its owner may close a part meanwhile.
    const rows = await open
      .where((eb) => eb.and(isHere))
      .forUpdate()
      .execute();
    const cached = tx.selectFrom('position_marks').select(['price', 'at']);
    const stored = await cached.where((eb) => eb.and(isHere)).executeTakeFirst();
    const isStoredNewer = stored !== undefined && stored.at.getTime() > (noted?.atMs ?? 0);
    const mark = isStoredNewer ? Number(stored.price) : noted?.price;
    const nowMs = await databaseNowMs(tx);
    return writeCloses(
      tx,
      rows.map((row) => {
        // Opened and delisted before any price was stored: the entry is the last known price.
        const price = mark ?? Number(row.entry_price);
        const fill = fillFor(positionToWire(row), { last: price, mark: price }, 'DELISTED');
        const atMs = Math.max(nowMs, row.opened_at.getTime());
        return { id: row.id, by: 'exchange' as const, isAmbiguous: false, atMs, ...fill };
      }),
    );
  });
  await afterClose(deps, closed);
  return closed.length;
}

/**
 * Settles positions whose contract the exchange has ended: at the last mark price, as exchanges settle a perpetual that they delist.
 * A halted contract is still listed, so its positions stay open. @returns function that runs one round and returns how many it closed
 */
export function createDelistingSettler(deps: DelistingDeps): () => Promise<number> {
  const { db, config, market, assertLeader } = deps;
  const lists = new Map<ExchangeId, EndedContracts>();
  const marks = new Map<string, Mark>();
  let storedAtMs = 0;

  async function findEnded(exchange: ExchangeId, symbols: readonly string[]): Promise<Series[]> {
    const { quiet, maxAgeMs } = await noteMarks(market, marks, exchange, symbols);
    const list = await market.symbols({ exchange, maxAgeMs });
    if (!list.ok) return [];
    const known = lists.get(exchange) ?? new EndedContracts();
    lists.set(exchange, known);
    const ended = known.find(list.value.value, list.value.fetchedAtMs, symbols, quiet);
    return ended.map((symbol) => ({ exchange, symbol }));
  }

  return async () => {
    const series = await withSystem(db, (tx) => readSeries(tx, config.market));
    const open = new Set(series.map(({ exchange, symbol }) => priceKey(exchange, symbol)));
    for (const key of marks.keys()) if (!open.has(key)) marks.delete(key);
    let count = 0;
    for (const [exchange, own] of Map.groupBy(series, (each) => each.exchange)) {
      const ended = await findEnded(
        exchange,
        own.map(({ symbol }) => symbol),
      );
      for (const each of ended) count += await settle(deps, each, marks.get(priceKey(exchange, each.symbol)));
    }
    if (marks.size > 0 && performance.now() - storedAtMs >= STORE_MS) {
      await withSystem(db, async (tx) => {
        await assertLeader(tx);
        await storeMarks(tx, config.market, marks);
      });
      storedAtMs = performance.now();
    }
    return count;
  };
}
