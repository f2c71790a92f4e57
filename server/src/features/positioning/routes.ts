import type { MarketMode } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { disconnectSignal } from '../../platform/http/disconnectSignal.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import {
  PositioningListQuery,
  PositioningListResponse,
  PositioningPath,
  PositioningQuery,
  PositioningResponse,
} from './contract.ts';
import { type PositioningDeps, readPositioningRows, readPositioningSeries } from './readPositioning.ts';

interface RouteDeps extends PositioningDeps {
  config: { market: MarketMode };
}

const tags = ['Market'];
const rejections = problems(
  'validation_failed',
  'not_authenticated',
  'symbol_unknown',
  'rate_limited',
  'overloaded',
  'upstream_unavailable',
  'upstream_rate_limited',
  'deadline_exceeded',
);

export function positioningRoutes(app: App, deps: RouteDeps): void {
  const { market } = deps.config;
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/market/positioning',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read open interest, long/short ratio and next funding of symbols',
        querystring: PositioningListQuery,
        response: { 200: PositioningListResponse, ...rejections },
      },
    },
    async ({ user, query: { symbols, exchange } }, reply) => {
      const caller = { exchange, userId: user.id, signal: disconnectSignal(reply) };
      const { firstError, ...read } = await readPositioningRows(deps, symbols, caller);
      return firstError === undefined ? { exchange, market, ...read } : sendProblem(reply, firstError);
    },
  );
  app.get(
    '/api/market/positioning/:symbol',
    {
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read open interest and long/short ratio of a symbol over time',
        description: 'As many points as one response of the exchange has: Binance 500, Bybit 200 and 500, OKX 100.',
        params: PositioningPath,
        querystring: PositioningQuery,
        response: { 200: PositioningResponse, ...rejections },
      },
    },
    async ({ user, params: { symbol }, query }, reply) => {
      const { exchange } = query;
      // No exchange has minutes.
      const interval = query.interval === '1m' ? '5m' : query.interval;
      const caller = { exchange, userId: user.id, signal: disconnectSignal(reply) };
      const { firstError, ...read } = await readPositioningSeries(deps, { symbol, interval }, caller);
      return firstError === undefined
        ? { exchange, market, symbol, interval, ...read }
        : sendProblem(reply, firstError);
    },
  );
}
