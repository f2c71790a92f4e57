import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import { closeByOwner, type CloseDeps } from './closePosition.ts';
import {
  AutoBody,
  AutoRunAnswer,
  ClosedAnswer,
  OpenBody,
  OpenedAnswer,
  PositionId,
  PreviewAnswer,
} from './contract.ts';
import type { Skip } from './decide.ts';
import { openByHand, previewPosition } from './openByHand.ts';
import { openFromScan } from './openFromScan.ts';
import type { OpenDeps } from './openPosition.ts';

export interface ChangingDeps extends OpenDeps, Pick<CloseDeps, 'closeListeners'> {
  limiter: RateLimiter;
}

/** Openings by hand of one person: many for a hand, few for a script. Each leaves a row that stays, a refused one too. */
const openLimit = { hitMax: 60, windowS: 60 };

const tags = ['Positions'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const marketRefusals = problems('symbol_unknown', 'no_result', 'upstream_unavailable', 'price_stale');

export function changingRoutes(app: App, deps: ChangingDeps): void {
  openRoutes(app, deps);
  autoOpenRoute(app, deps);
  closeRoute(app, deps);
}

function openRoutes(app: App, deps: ChangingDeps): void {
  app.post(
    '/api/positions',
    {
      schema: {
        tags,
        summary: 'Open a simulated position',
        description:
          'From a result of one of your scans, or with levels of your own. The server fills it at its own last price. A refusal ' +
          'carries `reason` as in a preview, and as `rule` the `detail` of one. At most 60 in a minute.',
        headers: IdempotencyHeaders,
        body: OpenBody,
        response: {
          201: OpenedAnswer,
          ...signedIn,
          ...marketRefusals,
          ...problems(...bodyRefusals, 'position_refused', 'conflict', 'rate_limited'),
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
        tags,
        summary: 'What opening would do now: size, levels, liquidation, loss at the stop, fees',
        body: OpenBody,
        response: { 200: PreviewAnswer, ...signedIn, ...marketRefusals, ...problems(...bodyRefusals) },
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
        tags,
        summary: 'Open what a scan found, by your rules',
        description:
          'After its AI checks: only approved results open. Sent again for the same scan it gives the same run; what failed is tried again.',
        body: AutoBody,
        response: { 200: AutoRunAnswer, ...signedIn, ...problems(...bodyRefusals, 'not_found', 'no_result') },
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

function closeRoute(app: App, deps: ChangingDeps): void {
  app.post(
    '/api/positions/:id/close',
    {
      schema: {
        tags,
        summary: 'Close a position of yours now',
        description: 'At the server’s own last price; refused when there is no fresh one.',
        params: PositionId,
        response: {
          200: ClosedAnswer,
          ...signedIn,
          ...problems('validation_failed', 'origin_refused', 'not_found', 'conflict', 'price_stale'),
        },
      },
    },
    async (request, reply) => {
      const warn = (error: unknown) => request.log.warn({ err: error }, 'what follows a close was not done');
      const closed = await closeByOwner({ ...deps, warn }, request.user.id, request.params.id);
      return closed.ok ? { position: closed.value } : sendProblem(reply, closed.error);
    },
  );
}
