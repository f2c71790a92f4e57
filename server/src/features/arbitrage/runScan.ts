import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { notifyUser } from '../../platform/events/notify.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { createRejection, type Outcome, type Rejection } from '../../platform/errors.ts';
import { runOncePerKey } from '../credits/idempotency.ts';
import { capture, hold, inLedger, release } from '../credits/ledger.ts';
import type { ArbitrageParams, ArbitrageResults, ArbitrageScanResponse, ArbitrageScanBody } from './contract.ts';
import { BOOK_PAIRS_MAX, type FindDeps, findOpportunities } from './findOpportunities.ts';
import { endScan, insertScan, readScan, writeProgress } from './scanRepository.ts';
import { takerFeesOf } from './takerFees.ts';
import type { ExchangeId } from '../market/port.ts';

export interface RunScanDeps extends FindDeps {
  db: Db;
  /** Time since which a spread is above its costs; from the sampler of this node, when it leads. */
  existsSinceMs?: (symbol: string, buy: ExchangeId, sell: ExchangeId) => number | null;
}

type Body = z.output<typeof ArbitrageScanBody>;
type ResponseBody = z.input<typeof ArbitrageScanResponse>;

export const ROUTE = 'POST /api/arbitrage-scan';
/** Deadline of a scan; its hold, which the sweep of the ledger releases, lasts longer. */
const DEADLINE_MS = 15_000;
const HOLD_S = 25;
/** A repeated request waits for the running scan to end. */
const waitMs = { step: 100, most: 20_000 };
/** Progress is stored at most this often: a transaction for each step would take longer than the step. */
const PROGRESS_EVERY_MS = 100;

export const messages = {
  noCredits: 'No credits available',
  chargeFailed: 'Failed to consume credit',
  charged: `${creditsText(creditPrices.arbitrageScan)} consumed for arbitrage scan`,
  nothing: 'No arbitrage opportunities found with current settings',
  failed: 'Arbitrage scan failed',
} as const;

/** The requested parameters, completed by today's fees. */
export const paramsOf = ({ takerFees, ...body }: Body): ArbitrageParams => ({
  ...body,
  takerFees: takerFeesOf(takerFees),
});

/**
 * One scan from its hold to its response. The transaction that stores the items captures the credit, or releases it when there are none.
 * If the process dies in between, the sweep of the ledger releases the hold.
 */
export async function runScan(
  deps: RunScanDeps,
  { id: userId, apiKeyId }: Pick<AuthenticatedUser, 'id' | 'apiKeyId'>,
  body: Body,
  key: string | undefined,
): Promise<Outcome<{ answer: ResponseBody; isReplay: boolean }>> {
  const params = paramsOf(body);
  const started = await start(deps.db, { userId, apiKeyId, params, key, body });
  if (!started.ok) return started;
  const { scanId, holdId, isReplay } = started.value;
  if (!isReplay) await work(deps, { scanId, holdId, userId, params });
  const response = await responseOf(deps.db, userId, scanId);
  return response.ok ? ok({ answer: response.value, isReplay }) : response;
}

interface Started {
  scanId: string;
  holdId: string;
}

async function start(
  db: Db,
  call: {
    userId: string;
    apiKeyId: string | undefined;
    params: ArbitrageParams;
    key: string | undefined;
    body: Body;
  },
): Promise<Outcome<Started & { isReplay: boolean }>> {
  const { userId, apiKeyId, params, key, body } = call;
  const started = await inLedger(db, (tx) =>
    runOncePerKey<Started>(tx, { userId, route: ROUTE, key, body }, async () => {
      const scanId = randomUUID();
      const held = await hold(tx, {
        userId,
        credits: creditPrices.arbitrageScan,
        reason: 'arbitrage',
        ref: scanId,
        key: `arbitrage:${scanId}`,
        expiresInS: HOLD_S,
        apiKeyId,
      });
      const steps = params.exchanges.length + BOOK_PAIRS_MAX;
      await insertScan(tx, { id: scanId, userId, params, holdId: held.id, steps });
      await report(tx, userId, { scanId, status: 'running', done: 0, total: steps });
      return { status: 200, answer: { scanId, holdId: held.id } };
    }),
  );
  if (started.ok) return ok({ ...started.value.answer, isReplay: started.value.isReplay });
  const isEmpty = started.error.code === 'insufficient_credits';
  return failWith(isEmpty ? createRejection('insufficient_credits', messages.noCredits) : started.error);
}

const report = (
  tx: SystemTx,
  userId: string,
  { scanId, status, done, total }: { scanId: string; status: string; done: number; total: number },
): Promise<void> => notifyUser(tx, userId, 'arbitrage', { scan_id: scanId, status, done, total });

interface Running extends Started {
  userId: string;
  params: ArbitrageParams;
}

async function work(deps: RunScanDeps, running: Running): Promise<void> {
  const { scanId, userId, params } = running;
  // The start was already reported; a scan from memory ends before the next report is due.
  let reportedAt = performance.now();
  const onProgress = async (done: number, total: number): Promise<void> => {
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = performance.now();
    await withSystem(deps.db, async (tx) => {
      if (await writeProgress(tx, scanId, done, total))
        await report(tx, userId, { scanId, status: 'running', done, total });
    });
  };
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const since = deps.existsSinceMs === undefined ? {} : { existsSinceMs: deps.existsSinceMs };
    const outcome = await findOpportunities(deps, params, { userId, signal, onProgress, ...since });
    if (outcome.ok) await deliver(deps.db, running, outcome.value);
    else await giveUp(deps.db, running, outcome.error.message);
  } catch (error) {
    await giveUp(deps.db, running, `${messages.failed}. Something failed on our side.`);
    throw error;
  }
}

/** The hold was released before the scan ended: its results are not delivered. */
class NotPaid extends Error {}

/** Locks the hold first, then the scan, the order of all features (docs/operations.md). */
async function deliver(db: Db, running: Running, results: ArbitrageResults): Promise<void> {
  const { scanId, holdId, userId } = running;
  const status = results.items.length > 0 ? 'done' : 'empty';
  try {
    await withSystem(db, async (tx) => {
      const settled = status === 'done' ? await capture(tx, holdId) : await release(tx, holdId, 'nothing found');
      if (status === 'done' && settled.state !== 'captured') throw new NotPaid();
      const owner = await endScan(tx, scanId, { status, results });
      if (owner === undefined) throw new NotPaid();
      await report(tx, userId, { scanId, status, done: 1, total: 1 });
    });
  } catch (error) {
    if (!(error instanceof NotPaid)) throw error;
    await giveUp(db, running, messages.chargeFailed);
  }
}

const giveUp = (db: Db, { scanId, holdId }: Started, failure: string): Promise<void> =>
  withSystem(db, async (tx) => {
    await release(tx, holdId, 'arbitrage scan failed');
    await fail(tx, scanId, failure);
  });

async function fail(tx: SystemTx, scanId: string, failure: string): Promise<void> {
  const owner = await endScan(tx, scanId, { status: 'failed', failure: failure.slice(0, 500) });
  if (owner !== undefined) await report(tx, owner, { scanId, status: 'failed', done: 1, total: 1 });
}

/** For the deletion of the account: the hold is already released, so only the scan has to end. */
export const stopArbitrage = (tx: SystemTx, scanId: string): Promise<void> =>
  fail(tx, scanId, `${messages.failed}. The account is being deleted.`);

/** For the sweep of the ledger: the hold is already released, so only the scan has to end. */
export const expireArbitrage = (tx: SystemTx, scanId: string): Promise<void> =>
  fail(tx, scanId, `${messages.failed}. It took too long.`);

/** The response from the stored scan. Waits for a scan that another request runs. */
async function responseOf(db: Db, userId: string, scanId: string): Promise<Outcome<ResponseBody>> {
  const untilMs = performance.now() + waitMs.most;
  for (;;) {
    const row = await withSystem(db, async (tx) => ({
      scan: await readScan(tx, scanId),
      balance: await tx.selectFrom('balances').select('credits').where('user_id', '=', userId).executeTakeFirst(),
    }));
    const { scan, balance } = row;
    if (scan === null) return failWith(createRejection('not_found'));
    if (scan.status === 'failed') return failWith(failureOf(scan.failure ?? messages.failed));
    if (scan.status !== 'running') {
      if (scan.results === null)
        return failWith(createRejection('conflict', 'The results of this scan have expired. Open your newer scan.'));
      const isCharged = scan.status === 'done';
      return ok({
        scanId,
        items: scan.results.items,
        scan,
        charged: isCharged,
        credits: balance?.credits ?? 0,
        message: isCharged ? messages.charged : messages.nothing,
      });
    }
    if (performance.now() >= untilMs)
      return failWith(createRejection('deadline_exceeded', `${messages.failed}. It is still running.`));
    await pause(waitMs.step);
  }
}

function failureOf(failure: string): Rejection {
  if (failure === messages.chargeFailed) return createRejection('charge_failed', failure);
  return createRejection('upstream_unavailable', failure);
}
