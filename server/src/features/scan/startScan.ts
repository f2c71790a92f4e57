import { ok } from '@sextant/workers/src/core/result.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { creditPrices } from '@sextant/workers/src/core/creditPrices.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { type Db, type SystemTx, withUser } from '../../platform/db/scope.ts';
import type { Outcome } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { runOncePerKey } from '../credits/idempotency.ts';
import { hold, inLedger, release } from '../credits/ledger.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import type { MarketMode } from '../../config.ts';
import { ownStopPct, readFunds, sizingAccount, strategyAccount } from '../sizing/accountSizing.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { candlesOfSignal } from '@sextant/workers/src/candles/strategyCandles.ts';
import { checkStoredRules } from '../signals/storedRules.ts';
import { usedStrategyOf } from '../signals/usedStrategy.ts';
import { tuningOf } from '../tuning/tuningOf.ts';
import type { ScanBody, ScanParams, ScanStarted } from './contract.ts';
import { countCancelled, endScan, insertScan, readHold } from './scanRepository.ts';
import { symbolsOf } from '@sextant/workers/src/signals/openingRules.ts';

export interface StartScanDeps {
  db: Db;
  jobs: Jobs;
  config: { market: MarketMode };
}

/** Longer than a scan may take with its retries; then its credit is released automatically. */
export const SCAN_HOLD_S = 55;

type Body = z.output<typeof ScanBody>;
type Started = z.input<typeof ScanStarted>;

/** The request, completed by the current settings: later changes do not affect a queued scan. `conflict` when its saved rules do not compile. */
export async function paramsOf(
  { db, config }: Pick<StartScanDeps, 'db' | 'config'>,
  userId: string,
  body: Body,
): Promise<Outcome<ScanParams>> {
  const { saved, tuning, strategy, funds } = await withUser(db, userId, async (tx) => ({
    saved: await preferencesOf(tx),
    tuning: await tuningOf(tx, userId),
    strategy: await usedStrategyOf(tx),
    funds: await readFunds(tx, userId, config.market),
  }));
  const isRunnable = strategy === undefined ? ok(null) : checkStoredRules(strategy);
  if (!isRunnable.ok) return isRunnable;
  const preferences = {
    ...saved,
    balance_usdt: body.balance ?? saved.balance_usdt,
    risk_tolerance: body.riskTolerance ?? saved.risk_tolerance,
  };
  const account = sizingAccount(preferences, funds);
  const { mode, riskFraction, baseUsdt, freeUsdt } =
    strategy === undefined ? account : strategyAccount(account, strategy.value.sizing, funds);
  const chosen = signalIntervals.filter((interval) => preferences.interval_opts[interval]);
  // With every toggle off only the primary interval is left.
  const intervals =
    strategy === undefined
      ? (body.intervals ?? (chosen.length > 0 ? chosen : [preferences.scan_interval]))
      : signalIntervals.filter((name) => strategy.value.intervals.some(({ interval }) => interval === name));
  // The votes may need more candles than requested, most of all on the shortest interval.
  const rules = strategy?.value ?? { weights: liveWeights };
  const needed = Math.max(...intervals.map((interval) => candlesOfSignal(rules, interval)));
  return ok({
    exchange: 'binance',
    symbols: body.symbols === undefined ? null : [...new Set(body.symbols)],
    intervals,
    limit: Math.max(body.limit, needed),
    balance: preferences.balance_usdt,
    leverage: body.leverage ?? preferences.leverage,
    riskTolerance: preferences.risk_tolerance,
    isDynamicRisk: preferences.dynamic_risk_on,
    sizing: {
      mode,
      riskFraction,
      baseUsdt,
      freeUsdt,
      ownStopPct: strategy === undefined ? ownStopPct(preferences) : null,
    },
    tuning,
    ...withoutUndefined({ strategy }),
    confidenceFloor: preferences.tuning_conf_floor,
    isScoreHeld: preferences.min_conf_on_score,
    minConfidencePct: preferences.min_auto_conf_pct,
    positionsWanted: preferences.positions_wanted,
    maxSymbols: preferences.max_symbols,
    whitelist: symbolsOf(preferences.whitelist),
    blacklist: symbolsOf(preferences.blacklist),
  });
}

/** Holds the credit, stores the scan and queues its job in the caller's transaction. Throws `insufficient_credits`. */
export async function queueScan(
  tx: SystemTx,
  jobs: Jobs,
  {
    userId,
    params,
    key,
    apiKeyId,
  }: { userId: string; params: ScanParams; key?: string; apiKeyId?: string | undefined },
): Promise<{ id: string }> {
  const id = randomUUID();
  const held = await hold(tx, {
    userId,
    credits: creditPrices.scan,
    reason: 'scan',
    ref: id,
    key: key ?? `scan:${id}`,
    expiresInS: SCAN_HOLD_S,
    apiKeyId,
  });
  await insertScan(tx, { id, userId, params, holdId: held.id });
  await jobs.send(tx, 'scan', id, { scanId: id });
  return { id };
}

/** Holds the credit, stores the scan, queues its job and stores the response for a repeated request, in one transaction. */
export async function startScan(
  { db, jobs, config }: StartScanDeps,
  { id: userId, apiKeyId }: Pick<AuthenticatedUser, 'id' | 'apiKeyId'>,
  body: Body,
  key: string | undefined,
): Promise<Outcome<{ status: number; answer: Started; isReplay: boolean }>> {
  const settled = await paramsOf({ db, config }, userId, body);
  if (!settled.ok) return settled;
  const params = settled.value;
  return inLedger(db, (tx) =>
    runOncePerKey(tx, { userId, route: 'POST /api/scan', key, body }, async () => {
      const { id } = await queueScan(tx, jobs, { userId, params, apiKeyId });
      const { credits } = await tx
        .selectFrom('balances')
        .select('credits')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return { status: 202, answer: { scan_id: id, status: 'queued', credits } satisfies Started };
    }),
  );
}

/**
 * Ends a scan without a result and releases its credit. False when it had already ended, or belongs to another user. The hold is settled
 * first and the scan second, everywhere (docs/operations.md): the caller that settles the hold decides the state of the scan.
 */
export async function stopScan(
  tx: SystemTx,
  id: string,
  end: { status: 'failed' | 'cancelled'; failure: string | null; note: string; userId?: string },
): Promise<boolean> {
  const holdId = await readHold(tx, id, end.userId);
  if (holdId === undefined) return false;
  const { state, isNew } = await release(tx, holdId, end.note);
  if (state === 'captured') return false;
  const ended = await endScan(tx, id, end);
  if (ended === undefined && isNew) throw new Error(`scan ${id} had ended and its hold had not`);
  if (ended === undefined) return false;
  await notifyUser(tx, ended.userId, 'scan', { scan_id: id, status: end.status, done: 0, total: 0 });
  return true;
}

/** Started scans that a user may cancel within an hour: their work is never paid for. */
export const CANCELLED_MAX = 30;

export const cancelScan = (db: Db, userId: string, id: string): Promise<Outcome<boolean>> =>
  inLedger(db, async (tx) => {
    const isCancelled = await stopScan(tx, id, { status: 'cancelled', failure: null, note: 'cancelled', userId });
    // Counted after the balance is locked, so that concurrent cancellations of one user are serialised.
    if (isCancelled) await rejectFreeWork(tx, userId, id);
    return isCancelled;
  });

/** Throws `rate_limited`, which rolls the cancellation back: the scan continues and its credit is spent. */
async function rejectFreeWork(tx: SystemTx, userId: string, id: string): Promise<void> {
  const { hasStarted, others, retryAfterS } = await countCancelled(tx, userId, id);
  if (!hasStarted || others < CANCELLED_MAX) return;
  const message = `You cancelled ${CANCELLED_MAX} running scans this hour. This one runs to its end.`;
  throw new RejectionError({ code: 'rate_limited', message, retryAfterS });
}

/** For the sweep of the ledger: the hold is already released, so only the scan has to end. */
export async function expireScan(tx: SystemTx, id: string): Promise<void> {
  const failure = 'The scan took too long. Your credit was returned.';
  const ended = await endScan(tx, id, { status: 'failed', failure });
  if (ended !== undefined)
    await notifyUser(tx, ended.userId, 'scan', { scan_id: id, status: 'failed', done: 0, total: 0 });
}
