import { createHmac, randomBytes } from 'node:crypto';
import { instruments } from '@sextant/server/fakes/exchanges/market/instruments.ts';
import { listingOf } from '@sextant/server/fakes/exchanges/market/venues.ts';
import { grant } from '@sextant/server/src/features/credits/ledger.ts';
import { insertPosition } from '@sextant/server/src/features/positions/eventWriter.ts';
import { withSystem } from '@sextant/server/src/platform/db/scope.ts';
import type { LoadProduct } from './product.ts';
import type { LoadShape } from './shape.ts';

export interface LoadUser {
  id: string;
  headers: Record<string, string>;
}

export interface Population {
  users: LoadUser[];
  /** Accounts with credits for scans. */
  scanners: LoadUser[];
  symbols: string[];
  /** Their price falls through all stops and alerts during the load; that of the others stays. */
  moved: string[];
}

const SYMBOLS = 120;
const MOVED = 12;
/** Fall of a moved symbol, and the distance of its stops and alerts; those of the others are out of reach. */
export const FALL_FACTOR = 0.95;
const near = 0.97;
const far = 0.6;
const SCANNERS = 100;
const CREDITS = 1000;
const BATCH = 200;
const QUANTITY = 0.01;
const TAKER_FEE = 0.0005;
/** Old enough for an automatic close. */
const AGE_MS = 180_000;

/** Cookie value of a session as the session library signs it. */
function bearerOf(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `Bearer ${encodeURIComponent(`${token}.${signature}`)}`;
}

async function addUsers({ sql, authSecret }: LoadProduct, count: number): Promise<LoadUser[]> {
  const rows = await sql<{ id: string }>(
    `insert into users (name, email) select 'Load', 'load' || n || '@example.com' from generate_series(1, $1::int) n
     returning id`,
    [count],
  );
  const tokens = rows.map(() => randomBytes(24).toString('hex'));
  await sql(
    `insert into sessions (user_id, token, expires_at)
     select s.id, s.token, now() + interval '7 days' from unnest($1::uuid[], $2::text[]) as s (id, token)`,
    [rows.map(({ id }) => id), tokens],
  );
  return rows.map(({ id }, at) => ({ id, headers: { authorization: bearerOf(tokens[at] ?? '', authSecret) } }));
}

async function readPrices(exchangesUrl: string): Promise<Map<string, number>> {
  const rows = (await (await fetch(`${exchangesUrl}/fapi/v2/ticker/price`)).json()) as {
    symbol: string;
    price: string;
  }[];
  return new Map(rows.map(({ symbol, price }) => [symbol, Number(price)]));
}

/** User and symbol of a position or alert: no user has two on one symbol. */
function assigned({ users, symbols }: Pick<Population, 'users' | 'symbols'>, at: number) {
  const index = at % users.length;
  const symbol = symbols[(index + Math.floor(at / users.length)) % symbols.length];
  const user = users[index];
  if (user === undefined || symbol === undefined) throw new Error('there are no users, or no symbols');
  return { user, symbol };
}

/** Longs of all users over all symbols, half of them trailing. */
async function addPositions(
  { database, exchangesUrl }: LoadProduct,
  { users, symbols, moved }: Pick<Population, 'users' | 'symbols' | 'moved'>,
  count: number,
): Promise<void> {
  const prices = await readPrices(exchangesUrl);
  const decimals = new Map(
    instruments.flatMap((each) => {
      const listing = listingOf('binance', each);
      return listing === undefined ? [] : [[listing.id, listing.priceDecimals]];
    }),
  );
  const openedAtMs = Date.now() - AGE_MS;
  for (let from = 0; from < count; from += BATCH)
    await withSystem(database.db, async (tx) => {
      for (let at = from; at < Math.min(count, from + BATCH); at++) {
        const { user, symbol } = assigned({ users, symbols }, at);
        const entryPrice = prices.get(symbol);
        if (entryPrice === undefined) throw new Error(`no price of ${symbol}`);
        const distance = moved.includes(symbol) ? near : far;
        await insertPosition(tx, {
          userId: user.id,
          openingRef: `load:${at}`,
          source: 'manual',
          scanId: null,
          signalId: null,
          runId: null,
          exchange: 'binance',
          market: 'simulated',
          symbol,
          side: 'LONG',
          interval: '1h',
          entryPrice,
          quantity: QUANTITY,
          leverage: 2,
          stopPrice: entryPrice * distance,
          targetPrice: entryPrice * 1.5,
          liquidationPrice: entryPrice * 0.51,
          confidence: 0.7,
          riskMultiplier: 1,
          lossAtStop: entryPrice * QUANTITY * (1 - distance),
          tickSize: 10 ** -(decimals.get(symbol) ?? 2),
          takerFeeFraction: TAKER_FEE,
          entryFee: entryPrice * QUANTITY * TAKER_FEE,
          trailing: {
            mode: at % 2 === 0 ? 'percent' : null,
            callbackPct: at % 2 === 0 ? 40 : null,
            stepPct: at % 2 === 0 ? 1 : null,
            atrMultiplier: null,
            atrPeriod: null,
            activationPct: null,
          },
          strategy: null,
          exitDue: null,
          openedAtMs,
        });
      }
    });
}

/** Price alerts on the page, each to fire once when its symbol falls. */
async function addAlerts(
  { sql, exchangesUrl }: LoadProduct,
  { users, symbols, moved }: Pick<Population, 'users' | 'symbols' | 'moved'>,
  count: number,
): Promise<void> {
  const prices = await readPrices(exchangesUrl);
  const rows = Array.from({ length: count }, (_, at) => {
    const { user, symbol } = assigned({ users, symbols }, at);
    const level = (prices.get(symbol) ?? 0) * (moved.includes(symbol) ? near : far);
    const condition = { kind: 'price', when: 'below', level, exchange: 'binance', symbol };
    return { id: user.id, condition: JSON.stringify(condition) };
  });
  await sql(
    `insert into alerts (user_id, market, condition, channels, since_ms)
     select a.id, 'simulated', a.condition::jsonb, '{page}', $3
     from unnest($1::uuid[], $2::text[]) as a (id, condition)`,
    [rows.map(({ id }) => id), rows.map(({ condition }) => condition), Date.now()],
  );
}

/** Symbols that every node streams, by the simulated turnover. */
async function readSymbols(exchangesUrl: string): Promise<string[]> {
  const rows = (await (await fetch(`${exchangesUrl}/fapi/v1/ticker/24hr`)).json()) as {
    symbol: string;
    quoteVolume: string;
  }[];
  return rows
    .filter(({ symbol }) => symbol.endsWith('USDT'))
    .toSorted((a, b) => Number(b.quoteVolume) - Number(a.quoteVolume))
    .slice(0, SYMBOLS)
    .map(({ symbol }) => symbol);
}

/** Accounts, sessions, credits, positions and alerts. Call it before the nodes start: positions count from their start. */
export async function populate(product: LoadProduct, shape: LoadShape): Promise<Population> {
  const users = await addUsers(product, shape.users);
  const scanners = users.slice(0, SCANNERS);
  await withSystem(product.database.db, async (tx) => {
    for (const { id } of scanners) await grant(tx, { userId: id, credits: CREDITS, reason: 'demo', key: `load:${id}` });
  });
  const symbols = await readSymbols(product.exchangesUrl);
  // Every tenth: neither the largest nor the smallest alone.
  const moved = symbols.filter((_, at) => at % Math.floor(symbols.length / MOVED) === 1).slice(0, MOVED);
  await addPositions(product, { users, symbols, moved }, shape.positions);
  await addAlerts(product, { users, symbols, moved }, shape.alerts);
  return { users, scanners, symbols, moved };
}
