import { withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import {
  OrderBody,
  OrderChange,
  OrderId,
  OrderPreviewResponse,
  OrderResponse,
  OrdersQuery,
  OrdersResponse,
} from './contract.ts';
import {
  cancelOrder,
  changeOrder,
  type OrderDeps,
  type OrderProblem,
  placeOrder,
  previewOrder,
  readOrders,
} from './placeOrder.ts';

export interface OrderRoutesDeps extends Omit<OrderDeps, 'warn'> {
  limiter: RateLimiter;
}

const tags = ['Orders'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const marketRejections = problems('symbol_unknown', 'upstream_unavailable', 'price_stale');

/** Orders placed and changed per user. Each leaves a permanent row. */
const orderLimit = { hitMax: 60, windowS: 60 };
const TOO_MANY = `At most ${orderLimit.hitMax} orders a minute.`;

/** Members beside those of every problem. */
const extrasOf = ({ preview, fix, order }: OrderProblem) => ({ preview, fix, order });

export function orderRoutes(app: App, deps: OrderRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  readingRoutes(app, deps);
  placingRoute(app, deps);
  changingRoutes(app, deps);
}

function readingRoutes(app: App, deps: OrderRoutesDeps): void {
  app.get(
    '/api/orders',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { orders: [] } },
        tags,
        summary: 'List your simulated orders that rest, or that ended',
        querystring: OrdersQuery,
        response: { 200: OrdersResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async ({ user, query: { state, symbol } }) => ({
      orders: await withUser(deps.db, user.id, (tx) => readOrders(tx, state, symbol)),
    }),
  );
  app.post(
    '/api/orders/preview',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Preview an order: fill, size, costs, loss at the stop, gain at the targets, liquidation',
        description:
          'By the functions that fill it. `rejected` names the field and the fix where it would not be placed.',
        body: OrderBody,
        response: { 200: OrderPreviewResponse, ...signedIn, ...marketRejections, ...problems(...bodyRejections) },
      },
    },
    async ({ user, body }, reply) => {
      const preview = await previewOrder(deps, user.id, body);
      return preview.ok ? { preview: preview.value } : sendProblem(reply, preview.error);
    },
  );
}

function placingRoute(app: App, deps: OrderRoutesDeps): void {
  app.post(
    '/api/orders',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Place a simulated order',
        description:
          'A market order fills at once; limit and stop orders rest with their margin set aside, and fill by prices and closed minutes after ' +
          'they were placed. A rejection carries `field`, `fix` and `preview`. At most 60 in a minute.',
        headers: IdempotencyHeaders,
        body: OrderBody,
        response: {
          201: OrderResponse,
          ...signedIn,
          ...marketRejections,
          ...problems(...bodyRejections, 'order_refused', 'conflict', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      await countHit(deps.limiter, { key: `order:${request.user.id}`, ...orderLimit }, TOO_MANY);
      const warn = (error: unknown) => request.log.warn({ err: error }, 'what follows a close was not done');
      const key = request.headers['idempotency-key'];
      const placed = await placeOrder({ ...deps, warn }, request.user.id, request.body, key);
      if (placed.ok) return reply.code(201).send({ order: placed.value });
      return sendProblem(reply, placed.error, extrasOf(placed.error));
    },
  );
}

function changingRoutes(app: App, deps: OrderRoutesDeps): void {
  app.patch(
    '/api/orders/:id',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Change a resting order',
        description: 'It fills by the new terms from then on. One that ended meanwhile is `conflict` with `order`.',
        params: OrderId,
        body: OrderChange,
        response: {
          200: OrderResponse,
          ...signedIn,
          ...marketRejections,
          ...problems(...bodyRejections, 'not_found', 'order_refused', 'conflict', 'rate_limited'),
        },
      },
    },
    async ({ user, params: { id }, body }, reply) => {
      await countHit(deps.limiter, { key: `order:${user.id}`, ...orderLimit }, TOO_MANY);
      const changed = await changeOrder(deps, user.id, id, body);
      return changed.ok ? { order: changed.value } : sendProblem(reply, changed.error, extrasOf(changed.error));
    },
  );
  app.delete(
    '/api/orders/:id',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Cancel a resting order',
        params: OrderId,
        response: {
          200: OrderResponse,
          ...signedIn,
          ...problems('validation_failed', 'origin_refused', 'not_found', 'conflict'),
        },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const cancelled = await cancelOrder(deps, user.id, id);
      return cancelled.ok ? { order: cancelled.value } : sendProblem(reply, cancelled.error, extrasOf(cancelled.error));
    },
  );
}
