import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Outcome } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { noteSpending } from '../apiKeys/apiAccess.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import type { Market } from '../market/port.ts';
import {
  ArbitrageScanResponse,
  ArbitrageScanBody,
  ArbitrageScanId,
  PairBooksResponse,
  FundingDifferencesResponse,
  SpreadHistoryResponse,
  SpreadHistoryQuery,
  LastArbitrageResponse,
  OneArbitrageScanResponse,
  PairQuery,
  SpreadPersistenceResponse,
  PersistenceQuery,
  ArbitrageWatchResponse,
  ArbitrageWatchBody,
  ArbitrageWatchesResponse,
  WATCHES_MAX,
  ArbitrageWatchParams,
  type WatchWire,
} from './contract.ts';
import { readFunding, differencesOf } from './readFunding.ts';
import { readHistory } from './readHistory.ts';
import { findPair, readPair } from './readPair.ts';
import { readPersistence } from './readPersistence.ts';
import { runScan, type RunScanDeps } from './runScan.ts';
import { takerFeesOf } from './takerFees.ts';
import { coinOf } from './sameContract.ts';
import { readNewest, readScan } from './scanRepository.ts';
import { readUniverse } from './sampler/universe.ts';
import { countTargets, deleteWatch, insertWatch, readWatches } from './watchRepository.ts';

export interface ArbitrageDeps extends RunScanDeps {
  db: Db;
  market: Market;
  config: { market: MarketMode };
}

const tags = ['Arbitrage'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const fromExchanges = problems(
  'rate_limited',
  'upstream_unavailable',
  'upstream_rate_limited',
  'deadline_exceeded',
  'symbol_unknown',
);

export function arbitrageRoutes(app: App, deps: ArbitrageDeps): void {
  app.addHook('onRequest', app.requireUser);
  scanRoutes(app, deps);
  oneScanRoute(app, deps);
  pairRoutes(app, deps);
  measuredRoutes(app, deps);
  watchRoutes(app, deps);
  unwatchRoute(app, deps);
}

function scanRoutes(app: App, deps: ArbitrageDeps): void {
  const { db } = deps;
  app.post(
    '/api/arbitrage-scan',
    {
      schema: {
        access: 'run:arbitrage',
        sandbox: 'frozen',
        tags,
        summary: `Compare symbols across exchanges (${creditsText(creditPrices.arbitrageScan)} when something is found)`,
        description:
          'Reserves a credit. A scan without items, or a failed one, returns it. ' +
          'While it runs, the event `arbitrage` carries `scan_id`, `status`, `done` and `total`.',
        headers: IdempotencyHeaders,
        body: ArbitrageScanBody,
        response: {
          200: ArbitrageScanResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'insufficient_credits', 'key_cap_reached', 'conflict', 'not_found'),
          ...problems('charge_failed', 'upstream_unavailable', 'deadline_exceeded'),
        },
      },
    },
    async (request, reply) => {
      const outcome = await runScan(deps, request.user, request.body, request.headers['idempotency-key']);
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      if (outcome.value.isReplay) void reply.header('idempotent-replayed', 'true');
      else if (outcome.value.answer.charged) noteSpending(request, creditPrices.arbitrageScan);
      return outcome.value.answer;
    },
  );
  app.get(
    '/api/arbitrage/last',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { scanId: null, items: [], scan: null, emptyAt: null, active: null } },
        tags,
        summary: 'Read your last arbitrage scan with items, and the running one',
        response: { 200: LastArbitrageResponse, ...signedIn },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => {
        const scan = await readNewest(tx, 'done');
        const active = await readNewest(tx, 'running');
        const empty = await readNewest(tx, 'empty');
        const isLater = empty !== null && (scan === null || empty.createdAt > scan.createdAt);
        const emptyAt = isLater ? empty.finishedAt : null;
        return { scanId: scan?.scanId ?? null, items: scan?.results?.items ?? [], scan, emptyAt, active };
      }),
  );
}

function oneScanRoute(app: App, { db }: ArbitrageDeps): void {
  app.get(
    '/api/arbitrage/scans/:id',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'One arbitrage scan with its items',
        description:
          'For a scan whose response was lost: its id is in the event `arbitrage` and is the `ref` of its credit in `GET /api/credits`.',
        params: ArbitrageScanId,
        response: { 200: OneArbitrageScanResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const scan = await withUser(db, request.user.id, (tx) => readScan(tx, request.params.id));
      if (scan === null) return sendProblem(reply, createRejection('not_found'));
      return { scanId: scan.scanId, items: scan.results?.items ?? [], scan };
    },
  );
}

function pairRoutes(app: App, deps: ArbitrageDeps): void {
  const { db, market, config, now = Date.now } = deps;
  app.get(
    '/api/arbitrage/books',
    {
      schema: {
        access: 'read:market',
        sandbox: 'frozen',
        tags,
        summary: 'Read both order books of a pair, per coin',
        description: 'Prices and sizes are per coin, also for contracts of 1,000 coins. Free.',
        querystring: PairQuery,
        response: {
          200: PairBooksResponse,
          ...signedIn,
          ...problems('validation_failed', 'rate_limited', 'overloaded'),
          ...fromExchanges,
        },
      },
    },
    async (request, reply) => {
      const outcome = await readPair(market, request.query, request.user.id);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.get(
    '/api/arbitrage/history',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read the gross spread of a pair per minute',
        description: 'Up to five minutes behind.',
        querystring: SpreadHistoryQuery,
        response: { 200: SpreadHistoryResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) => {
      const { symbol, buy, sell, hours = 6 } = request.query;
      const coin = coinOf(symbol)?.coin;
      const of = {
        market: config.market,
        symbol: coin === undefined ? symbol : `${coin}USDT`,
        direction: { buy, sell },
        hours,
      };
      return withSystem(db, (tx) => readHistory(tx, of, now()));
    },
  );
}

function measuredRoutes(app: App, deps: ArbitrageDeps): void {
  const { db, market, config, now = Date.now } = deps;
  app.get(
    '/api/arbitrage/persistence',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read how long spreads above costs last',
        description: 'Measured by the service once a second, for all users.',
        querystring: PersistenceQuery,
        response: { 200: SpreadPersistenceResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) => withSystem(db, (tx) => readPersistence(tx, config.market, request.query, now())),
  );
  app.get(
    '/api/arbitrage/funding',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Compare funding rates between exchanges, per day',
        response: { 200: FundingDifferencesResponse, ...signedIn },
      },
    },
    async () => {
      const differences = differencesOf(await readUniverse(market));
      return withSystem(db, (tx) => readFunding(tx, config.market, differences, now()));
    },
  );
}

function watchRoutes(app: App, deps: ArbitrageDeps): void {
  const { db, config } = deps;
  app.get(
    '/api/arbitrage/watches',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { watches: [], targets: 0 } },
        tags,
        summary: 'Pairs you watch',
        response: { 200: ArbitrageWatchesResponse, ...signedIn },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({
        watches: await readWatches(tx, config.market),
        targets: await countTargets(tx),
      })),
  );
  app.post(
    '/api/arbitrage/watches',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Alert when the net spread of a pair rises above a level',
        description:
          'One alert per crossing, sent to your notification targets. It rearms after a minute below the level.',
        body: ArbitrageWatchBody,
        response: {
          200: ArbitrageWatchResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'conflict'),
          ...fromExchanges,
        },
      },
    },
    async (request, reply) => {
      const added = await addWatch(deps, request.user.id, request.body);
      return added.ok ? { watch: added.value } : sendProblem(reply, added.error);
    },
  );
}

function unwatchRoute(app: App, { db, config }: ArbitrageDeps): void {
  app.delete(
    '/api/arbitrage/watches/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Stop watching a pair',
        params: ArbitrageWatchParams,
        response: {
          200: ArbitrageWatchesResponse,
          ...signedIn,
          ...problems('validation_failed', 'origin_refused', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const left = await withUser(db, request.user.id, async (tx) => {
        if (!(await deleteWatch(tx, request.user.id, request.params.id))) return null;
        return { watches: await readWatches(tx, config.market), targets: await countTargets(tx) };
      });
      return left ?? sendProblem(reply, createRejection('not_found'));
    },
  );
}

async function addWatch(
  { db, market, config }: ArbitrageDeps,
  userId: string,
  body: z.output<typeof ArbitrageWatchBody>,
): Promise<Outcome<WatchWire>> {
  const outcome = await findPair(market, body);
  if (!outcome.ok) return outcome;
  const { buy, sell, netPct, holdHours } = body;
  const fees = takerFeesOf(body.takerFees);
  const takerFees = { buy: fees[buy], sell: fees[sell] };
  const symbol = `${outcome.value.coin}USDT`;
  const watch = { market: config.market, symbol, buy, sell, netPct, holdHours, takerFees };
  const added = await withUser(db, userId, (tx) => insertWatch(tx, userId, watch));
  if (added !== null) return ok(added);
  const full = `Watch limit reached (${WATCHES_MAX} pairs). Remove one first.`;
  return failWith(createRejection('conflict', full));
}
