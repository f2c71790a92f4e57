import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { withUser, type Db } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem, bodyRejections } from '../../platform/http/problem.ts';
import type { Market } from '../market/port.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import {
  AnalyticsResponse,
  AnalyticsQuery,
  LastRunResponse,
  PositionResponse,
  PositionId,
  PositionsResponse,
  PositionsQuery,
  SkipsResponse,
  SkipsQuery,
  AutoBody,
  AutoRunResponse,
  OpenBody,
  OpenedResponse,
  PreviewResponse,
} from './contract.ts';
import { freshPrices, liveFigures, priceKey } from './live.ts';
import { type PositionRow, positionToWire } from './positionRow.ts';
import { readAnalytics } from './readAnalytics.ts';
import { GuardsResponse } from '../guards/contract.ts';
import { guardsResponse, measureDrawdownFromNow } from '../guards/readGuards.ts';
import { readClosed, readEvents, readOpen, readOpenOn, readPosition, readSkips } from './readPositions.ts';
import { readFills } from './readFills.ts';
import { readLastRun } from './runRepository.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import { changeRoute, closeRoutes, reverseRoute } from './managingRoutes.ts';
import type { CloseDeps } from './closePosition.ts';
import type { Skip } from '@sextant/workers/src/signals/openingRules.ts';
import { openByHand, previewPosition } from './openByHand.ts';
import { openFromScan } from './openFromScan.ts';
import type { OpenDeps } from './openPosition.ts';

export interface PositionRoutesDeps extends ChangingDeps {
  db: Db;
  market: Market;
}

const tags = ['Positions'];
const signedIn = problems('not_authenticated', 'database_unavailable');

export function positionRoutes(app: App, deps: PositionRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  listRoutes(app, deps);
  onePositionRoutes(app, deps);
  autoRoutes(app, deps);
  changingRoutes(app, deps);
}

/** Adds current values to open rows. Prices are fetched after the transaction, so that a slow exchange holds no connection. */
async function withLive({ market, config }: PositionRoutesDeps, rows: readonly PositionRow[]) {
  // Prices of this market do not apply to positions of another.
  const isLive = (row: PositionRow): boolean => row.closed_at === null && row.market === config.market;
  const open = rows.filter(isLive).map((row) => {
    const { exchange, symbol } = positionToWire(row);
    return { exchange, symbol };
  });
  const prices = await freshPrices(market, open, Date.now());
  return rows.map((row) => {
    const position = positionToWire(row);
    const quote = isLive(row) ? prices.get(priceKey(position.exchange, position.symbol)) : undefined;
    const live = quote === undefined ? null : liveFigures(position, quote);
    return { ...position, live };
  });
}

function listRoutes(app: App, deps: PositionRoutesDeps): void {
  const { db } = deps;
  app.get(
    '/api/positions',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { positions: [], server_time: new Date(SANDBOX_MS).toISOString() } },
        tags,
        summary: 'List your simulated positions, open or closed',
        querystring: PositionsQuery,
        response: { 200: PositionsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async ({ user, query: { state, since, limit } }) => {
      const from = since === undefined ? new Date(Date.now() - DAY_MS) : new Date(since);
      const rows = await withUser(db, user.id, (tx) =>
        state === 'open' ? readOpen(tx, limit) : readClosed(tx, from, limit),
      );
      return { positions: await withLive(deps, rows), server_time: new Date().toISOString() };
    },
  );
  app.get(
    '/api/positions/analytics',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read the totals of your closed positions and your equity over time',
        querystring: AnalyticsQuery,
        response: { 200: AnalyticsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    ({ user, query: { since } }) =>
      withUser(db, user.id, (tx) =>
        readAnalytics(tx, deps.config.market, since === undefined ? undefined : new Date(since), Date.now()),
      ),
  );
  app.get(
    '/api/positions/skips',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { skips: [] } },
        tags,
        summary: 'List skipped openings of the last 30 days, with reasons',
        querystring: SkipsQuery,
        response: { 200: SkipsResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async ({ user, query: { since, limit } }) => ({
      skips: await withUser(db, user.id, (tx) =>
        readSkips(tx, since === undefined ? undefined : new Date(since), limit),
      ),
    }),
  );
}

function onePositionRoutes(app: App, deps: PositionRoutesDeps): void {
  const { db } = deps;
  app.get(
    '/api/positions/:id',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read one position with its events',
        params: PositionId,
        response: { 200: PositionResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const match = await withUser(db, user.id, async (tx) => {
        const row = await readPosition(tx, id);
        if (row === undefined) return undefined;
        return { row, events: await readEvents(tx, id), fills: await readFills(tx, row) };
      });
      if (match === undefined) return sendProblem(reply, { code: 'not_found', message: 'There is no such position.' });
      const [position] = await withLive(deps, [match.row]);
      if (position === undefined) throw new Error('one row gives one position');
      return { position, events: match.events, fills: match.fills };
    },
  );
}

function autoRoutes(app: App, { db, config: { market } }: PositionRoutesDeps): void {
  const readState = (userId: string) =>
    withUser(db, userId, async (tx) => {
      const open = (await readOpenOn(tx, userId, market)).map(positionToWire);
      return guardsResponse(tx, userId, await preferencesOf(tx), { nowMs: await databaseNowMs(tx), market, open });
    });
  app.get(
    '/api/positions/auto',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read the last run of automatic opening, with every skip',
        response: { 200: LastRunResponse, ...signedIn },
      },
    },
    async ({ user }) => ({ run: await withUser(db, user.id, readLastRun) }),
  );
  app.get(
    '/api/positions/guards',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read automatic opening and its guards',
        description:
          'The limits are preferences (`guard_*`), as are the trailing settings (`trailing_enabled`, `trail_*`).',
        response: { 200: GuardsResponse, ...signedIn },
      },
    },
    ({ user }) => readState(user.id),
  );
  app.post(
    '/api/positions/guards/rearm',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Reset the drawdown guard; it measures from now on',
        response: { 200: GuardsResponse, ...signedIn, ...problems('origin_refused') },
      },
    },
    async ({ user }) => {
      await withUser(db, user.id, (tx) => measureDrawdownFromNow(tx, user.id));
      return readState(user.id);
    },
  );
}

interface ChangingDeps extends OpenDeps, Pick<CloseDeps, 'closeListeners'> {
  limiter: RateLimiter;
}

/** Manual openings per user: many for manual use, few for a script. Each leaves a permanent row, even when rejected. */
const openLimit = { hitMax: 60, windowS: 60 };

const marketRejections = problems('symbol_unknown', 'no_result', 'upstream_unavailable', 'price_stale');

function changingRoutes(app: App, deps: ChangingDeps): void {
  openRoutes(app, deps);
  autoOpenRoute(app, deps);
  changeRoute(app, deps);
  closeRoutes(app, deps);
  reverseRoute(app, deps);
}

function openRoutes(app: App, deps: ChangingDeps): void {
  app.post(
    '/api/positions',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Open a simulated position',
        description:
          'Uses a result of your scan, or your own levels. The server fills it at its last price. A rejection ' +
          'carries `reason` as in a preview, and as `rule` the `detail` of one. At most 60 in a minute.',
        headers: IdempotencyHeaders,
        body: OpenBody,
        response: {
          201: OpenedResponse,
          ...signedIn,
          ...marketRejections,
          ...problems(...bodyRejections, 'position_refused', 'conflict', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const tooMany = `At most ${openLimit.hitMax} positions a minute.`;
      await countHit(deps.limiter, { key: `open:${request.user.id}`, ...openLimit }, tooMany);
      const key = request.headers['idempotency-key'];
      const opened = await openByHand(deps, request.user.id, request.body, key);
      if (opened.ok) return reply.code(201).send(opened.value);
      return sendProblem(reply, opened.error, opened.error.skip === undefined ? {} : skipFields(opened.error.skip));
    },
  );
  app.post(
    '/api/positions/preview',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Preview an opening: size, levels, liquidation, loss at the stop, fees',
        body: OpenBody,
        response: { 200: PreviewResponse, ...signedIn, ...marketRejections, ...problems(...bodyRejections) },
      },
    },
    async (request, reply) => {
      const preview = await previewPosition(deps, request.user.id, request.body);
      return preview.ok ? { preview: preview.value } : sendProblem(reply, preview.error);
    },
  );
}

/** `detail` of a problem is its sentence, so the detail of a skip has another name there. */
const skipFields = ({ reason, detail }: Skip) => ({ reason, rule: detail });

function autoOpenRoute(app: App, deps: ChangingDeps): void {
  app.post(
    '/api/positions/auto',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Open the results of a scan by your rules',
        description: 'Opens only results approved by AI checks. Repeating it for a scan returns the same run.',
        body: AutoBody,
        response: { 200: AutoRunResponse, ...signedIn, ...problems(...bodyRejections, 'not_found', 'no_result') },
      },
    },
    async (request, reply) => {
      const onOpenFailure = (error: unknown) => request.log.error({ err: error }, 'a position was not stored');
      const run = await openFromScan({ ...deps, onOpenFailure }, request.user.id, request.body.scan_id);
      if (!run.ok) return sendProblem(reply, run.error);
      return { run: run.value.run, is_new: run.value.isNew };
    },
  );
}
