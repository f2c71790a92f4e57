import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { withUser } from '../../platform/db/scope.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { noteSpending } from '../apiKeys/apiAccess.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import { readAway } from './away/awayRepository.ts';
import { AwayResponse } from './away/contract.ts';
import { CandidatesResponse, LastScanResponse, ScanResponse, ScanBody, ScanId, ScanStarted } from './contract.ts';
import { readCandidates } from './scanDetails.ts';
import { readNewest, readScan } from './scanRepository.ts';
import { cancelScan, startScan, type StartScanDeps } from './startScan.ts';
import { showScan } from './verdicts.ts';

const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const oneScan = { ...signedIn, ...problems('validation_failed', 'not_found') };
const unknown = { code: 'not_found', message: apiErrors.not_found.title } as const;

export function scanRoutes(app: App, deps: StartScanDeps): void {
  app.addHook('onRequest', app.requireUser);
  changingRoutes(app, deps);
  readingRoutes(app, deps);
  oneScanRoutes(app, deps);
}

function changingRoutes(app: App, deps: StartScanDeps): void {
  const { db, config } = deps;
  app.post(
    '/api/scan',
    {
      schema: {
        access: 'run:signals',
        sandbox: 'frozen',
        tags,
        summary: `Scan symbols across intervals (${creditsText(creditPrices.scan)})`,
        description:
          'Reserves the credit and spends it when results are stored; a failed or cancelled scan returns it. ' +
          'Follow it by `GET /api/scan/{id}` or the event stream.',
        headers: IdempotencyHeaders,
        body: ScanBody,
        response: {
          202: ScanStarted,
          ...signedIn,
          ...problems(...bodyRejections, 'insufficient_credits', 'key_cap_reached', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const outcome = await startScan(deps, request.user, request.body, key);
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      if (outcome.value.isReplay) void reply.header('idempotent-replayed', 'true');
      else noteSpending(request, creditPrices.scan);
      return reply.code(202).send(outcome.value.answer);
    },
  );
  app.post(
    '/api/scan/:id/cancel',
    {
      schema: {
        access: 'run:signals',
        sandbox: 'none',
        tags,
        summary: 'Cancel a scan; its credit is returned',
        description: 'At most 30 cancelled scans an hour; beyond that the scan runs to its end.',
        params: ScanId,
        response: { 200: ScanResponse, ...oneScan, ...problems('origin_refused', 'conflict', 'rate_limited') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const cancelled = await cancelScan(db, request.user.id, id);
      if (!cancelled.ok) return sendProblem(reply, cancelled.error);
      const scan = await withUser(db, request.user.id, async (tx) =>
        showScan(tx, await readScan(tx, id), { userId: request.user.id, market: config.market }),
      );
      if (scan === null) return sendProblem(reply, unknown);
      if (cancelled.value || scan.status === 'cancelled') return { scan };
      return sendProblem(reply, { code: 'conflict', message: `The scan is already ${scan.status}.` });
    },
  );
}

function readingRoutes(app: App, { db, config }: StartScanDeps): void {
  app.get(
    '/api/scan/last',
    {
      schema: {
        access: 'read:signals',
        sandbox: 'frozen',
        tags,
        summary: 'Read your last scan and the running one',
        response: { 200: LastScanResponse, ...signedIn },
      },
    },
    (request) => {
      const owner = { userId: request.user.id, market: config.market };
      return withUser(db, owner.userId, async (tx) => ({
        scan: await showScan(tx, await readNewest(tx, ['done']), owner),
        active: await showScan(tx, await readNewest(tx, ['queued', 'running']), owner),
      }));
    },
  );
  app.get(
    '/api/scan/away',
    {
      schema: {
        access: 'read:signals',
        sandbox: 'none',
        tags,
        summary: 'Read scans run while you are away',
        description:
          `Every ${AUTO_SCAN_MINUTES} minutes, ${creditsText(creditPrices.scan)} each, while the preference \`keep_scanning\` is on and you have not ` +
          `scanned yourself in the last ${AUTO_SCAN_MINUTES} minutes. Turns off at 0 credits.`,
        response: { 200: AwayResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, readAway),
  );
}

function oneScanRoutes(app: App, { db, config }: StartScanDeps): void {
  app.get(
    '/api/scan/:id',
    {
      schema: {
        access: 'read:signals',
        sandbox: 'frozen',
        tags,
        summary: 'One scan',
        params: ScanId,
        response: { 200: ScanResponse, ...oneScan },
      },
    },
    async (request, reply) => {
      const scan = await withUser(db, request.user.id, async (tx) =>
        showScan(tx, await readScan(tx, request.params.id), { userId: request.user.id, market: config.market }),
      );
      return scan === null ? sendProblem(reply, unknown) : { scan };
    },
  );
  app.get(
    '/api/scan/:id/candidates',
    {
      schema: {
        access: 'read:signals',
        sandbox: 'none',
        tags,
        summary: 'Read the outcome of every candidate of a scan',
        params: ScanId,
        response: { 200: CandidatesResponse, ...oneScan },
      },
    },
    async (request, reply) => {
      const candidates = await withUser(db, request.user.id, (tx) => readCandidates(tx, request.params.id));
      return candidates === null ? sendProblem(reply, unknown) : { candidates };
    },
  );
}
