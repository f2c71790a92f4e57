import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { type Db, withUser, type UserTx } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import type { Market } from '../market/port.ts';
import { type Watchlist, WATCHLIST_MAX, WatchlistResponse, WatchlistRequest } from './contract.ts';
import { notifyUser } from '../../platform/events/notify.ts';

async function readWatchlist(tx: UserTx): Promise<Watchlist> {
  const rows = await tx
    .selectFrom('watchlist')
    .select(['symbol', 'created_at'])
    .orderBy('created_at')
    .orderBy('symbol')
    .execute();
  return { entries: rows.map((row) => ({ symbol: row.symbol, created_at: row.created_at.toISOString() })) };
}

/** Adds a symbol; no change if it is already listed. False when the list is full. */
async function addToWatchlist(tx: UserTx, userId: string, symbol: string): Promise<boolean> {
  // Locked: two concurrent additions would otherwise both count 199.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watchlist ${userId}`}, 0))`.execute(tx);
  const before = await tx.selectFrom('watchlist').select('symbol').execute();
  if (before.some((row) => row.symbol === symbol)) return true;
  if (before.length >= WATCHLIST_MAX) return false;
  await tx.insertInto('watchlist').values({ user_id: userId, symbol }).execute();
  await notifyUser(tx, userId, 'watchlist');
  return true;
}

/** Removes a symbol; succeeds if it is not listed. */
async function removeFromWatchlist(tx: UserTx, userId: string, symbol: string): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('watchlist').where('symbol', '=', symbol).executeTakeFirst();
  if (numDeletedRows > 0n) await notifyUser(tx, userId, 'watchlist');
}

export interface WatchlistDeps {
  db: Db;
  market: Market;
}

async function watch({ db, market }: WatchlistDeps, userId: string, symbol: string): Promise<Outcome<Watchlist>> {
  const universe = await market.symbols();
  if (!universe.ok) return universe;
  const isTraded = universe.value.value.some((each) => each.symbol === symbol && each.status === 'trading');
  if (!isTraded) return reject('symbol_unknown', `${symbol} is not traded here.`, { field: 'symbol' });
  return withUser(db, userId, async (tx) => {
    if (await addToWatchlist(tx, userId, symbol)) return ok(await readWatchlist(tx));
    return reject('conflict', `Limit reached (${WATCHLIST_MAX} symbols). Remove one first.`);
  });
}

const tags = ['Account'];

export function watchlistRoutes(app: App, deps: WatchlistDeps): void {
  const { db } = deps;
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/watchlist',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List the symbols you watch',
        response: { 200: WatchlistResponse, ...problems('not_authenticated') },
      },
    },
    (request) => withUser(db, request.user.id, readWatchlist),
  );
  app.post(
    '/api/watchlist',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Watch a symbol',
        body: WatchlistRequest,
        response: {
          200: WatchlistResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'symbol_unknown', 'conflict'),
          ...problems('rate_limited', 'upstream_unavailable', 'upstream_rate_limited', 'deadline_exceeded'),
        },
      },
    },
    async (request, reply) => {
      const outcome = await watch(deps, request.user.id, request.body.symbol);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  removeRoutes(app, deps);
}

function removeRoutes(app: App, { db }: WatchlistDeps): void {
  const remove = (userId: string, symbol: string): Promise<Watchlist> =>
    withUser(db, userId, async (tx) => {
      await removeFromWatchlist(tx, userId, symbol);
      return readWatchlist(tx);
    });
  app.delete(
    '/api/watchlist',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Stop watching a symbol, named in the body',
        description: 'The same as `DELETE /api/watchlist/:symbol`.',
        body: WatchlistRequest,
        response: { 200: WatchlistResponse, ...problems(...bodyRejections, 'not_authenticated') },
      },
    },
    (request) => remove(request.user.id, request.body.symbol),
  );
  app.delete(
    '/api/watchlist/:symbol',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Stop watching a symbol',
        description: 'Returns the remaining list, also when the symbol was not on it.',
        params: WatchlistRequest,
        response: { 200: WatchlistResponse, ...problems('validation_failed', 'not_authenticated', 'origin_refused') },
      },
    },
    (request) => remove(request.user.id, request.params.symbol),
  );
}
