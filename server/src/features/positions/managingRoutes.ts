import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import { changeByOwner } from './changePosition.ts';
import { closeAllByOwner } from './closeAll.ts';
import { closeByOwner, type CloseDeps } from './closePosition.ts';
import {
  ChangeBody,
  ChangedResponse,
  CloseAllBody,
  CloseAllResponse,
  CloseBody,
  ClosedResponse,
  PositionId,
  ReverseBody,
  ReversedResponse,
} from './contract.ts';
import type { OpenDeps } from './openPosition.ts';
import { reversePosition } from './reversePosition.ts';

interface ManagingDeps extends Omit<CloseDeps, 'warn' | 'market'>, OpenDeps {
  limiter: RateLimiter;
}

const tags = ['Positions'];
const signedIn = problems('not_authenticated', 'database_unavailable');

/** Changes of levels, reversals and closes of parts per user. Each leaves permanent rows. */
const changeLimit = { hitMax: 60, windowS: 60 };

export function changeRoute(app: App, deps: ManagingDeps): void {
  app.patch(
    '/api/positions/:id',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Change stop, target or trailing of an open position',
        description:
          'Applies from the moment it is stored. Candles before it meet the old levels, later ones the new; the minute of the change ' +
          'closes only by what both reach. A level the price has passed is rejected with the price. At most 60 in a minute.',
        params: PositionId,
        body: ChangeBody,
        response: {
          200: ChangedResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'not_found', 'conflict', 'price_stale', 'rate_limited'),
        },
      },
    },
    async ({ user, params: { id }, body }, reply) => {
      const tooMany = `At most ${changeLimit.hitMax} changes a minute.`;
      await countHit(deps.limiter, { key: `change:${user.id}`, ...changeLimit }, tooMany);
      const changed = await changeByOwner(deps, user.id, id, body);
      if (changed.ok) return { position: changed.value };
      const { current, ...rejection } = changed.error;
      return sendProblem(reply, rejection, current === undefined ? {} : { current });
    },
  );
}

export function reverseRoute(app: App, deps: ManagingDeps): void {
  app.post(
    '/api/positions/:id/reverse',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Close a position and open the opposite one of the same size',
        description: 'At one price and in one transaction: both happen or neither.',
        headers: IdempotencyHeaders,
        params: PositionId,
        body: ReverseBody.nullish(),
        response: {
          200: ReversedResponse,
          ...signedIn,
          ...problems('symbol_unknown', 'upstream_unavailable', 'price_stale'),
          ...problems(...bodyRejections, 'not_found', 'conflict', 'position_refused', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { user, params, body } = request;
      const tooMany = `At most ${changeLimit.hitMax} changes a minute.`;
      await countHit(deps.limiter, { key: `change:${user.id}`, ...changeLimit }, tooMany);
      const warn = (error: unknown) => request.log.warn({ err: error }, 'what follows a close was not done');
      const key = request.headers['idempotency-key'];
      const done = await reversePosition({ ...deps, warn }, { userId: user.id, id: params.id, body: body ?? {}, key });
      if (done.ok) return done.value;
      const { skip } = done.error;
      return sendProblem(reply, done.error, skip === undefined ? {} : { reason: skip.reason, rule: skip.detail });
    },
  );
}

export function closeRoutes(app: App, deps: ManagingDeps): void {
  app.post(
    '/api/positions/close-all',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Close all positions, or those of a kind',
        description:
          'Each closes like a single one. A repetition with the same Idempotency-Key means the same positions: it tries those that are ' +
          'still open, and closes none opened later.',
        headers: IdempotencyHeaders,
        body: CloseAllBody,
        response: { 200: CloseAllResponse, ...signedIn, ...problems(...bodyRejections, 'conflict') },
      },
    },
    (request) => {
      const warn = (error: unknown) => request.log.warn({ err: error }, 'what follows a close was not done');
      return closeAllByOwner({ ...deps, warn }, request.user.id, request.body, request.headers['idempotency-key']);
    },
  );
  app.post(
    '/api/positions/:id/close',
    {
      schema: {
        access: 'trade:paper',
        sandbox: 'none',
        tags,
        summary: 'Close a position, or a part of it, now',
        description:
          'At the server’s last price; rejected without a fresh one. A rest below the least order of the exchange is closed with it. ' +
          'Parts: at most 60 in a minute.',
        headers: IdempotencyHeaders,
        params: PositionId,
        body: CloseBody.nullish(),
        response: {
          200: ClosedResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'not_found', 'conflict', 'price_stale', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { fraction, quantity } = request.body ?? {};
      if (fraction !== undefined || quantity !== undefined) {
        const tooMany = `At most ${changeLimit.hitMax} closes of parts a minute. Close all of it at any time.`;
        await countHit(deps.limiter, { key: `part:${request.user.id}`, ...changeLimit }, tooMany);
      }
      const warn = (error: unknown) => request.log.warn({ err: error }, 'what follows a close was not done');
      const key = request.headers['idempotency-key'];
      const how = { body: request.body ?? {}, key };
      const closed = await closeByOwner({ ...deps, warn }, request.user.id, request.params.id, how);
      return closed.ok ? closed.value : sendProblem(reply, closed.error);
    },
  );
}
