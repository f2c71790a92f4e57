import type { MarketMode } from '../../config.ts';
import { signalMessagesOf } from './signalMessages.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { without } from '../../platform/without.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { capture } from '../credits/ledger.ts';
import { queueForWebhooks, queueNotification } from '../notifications/queueNotification.ts';
import { keyOf, recordSignals, scoreOnly } from '../trackRecord/recordSignals.ts';
import { readStrategyBases, recordStrategySignals } from '../trackRecord/strategyRecord.ts';
import { scanRulesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { STRATEGY_VERSION } from '../signals/strategyVersion.ts';
import { isAwayScan } from './away/awayRepository.ts';
import { judge } from './candidates.ts';
import type { StoredResults } from './contract.ts';
import { type FindDeps, type FindOptions, findSignals, type ScanFindings } from './findSignals.ts';
import { allCandidates, recordable, resultsOf } from './storedResults.ts';
import { packScan, summaryOf } from './packed/packScan.ts';
import { insertDetails, insertFound, keepScanDays } from './scanDetails.ts';
import { claimScan, type ClaimedScan, finishScan, isRunning } from './scanRepository.ts';
import { stopScan } from './startScan.ts';

export interface RunScanDeps extends FindDeps {
  db: Db;
  jobs: Jobs;
  config: { market: MarketMode; retention: { resultDays: number } };
}

/** The hold was released before the scan ended: its results are unpaid and not delivered. */
class NotPaid extends Error {}
/** Cancelled meanwhile: nothing is left to do. */
class Cancelled extends Error {}

/**
 * One scan from its row to its results. It may restart after a crash: nothing is stored until the last transaction, which writes results,
 * record and capture together.
 */
export async function runScan(deps: RunScanDeps, scanId: string, signal: AbortSignal): Promise<void> {
  const claimed = await withSystem(deps.db, (tx) => claimScan(tx, scanId));
  if (claimed === undefined) return;
  const startedAt = performance.now();
  try {
    const onProgress = fromTimeToTime((done, total) => progress(deps.db, scanId, claimed.userId, done, total));
    const ownBases = await readOwnBases(deps, claimed);
    const outcome = await findSignals(deps, claimed.params, { userId: claimed.userId, signal, onProgress, ownBases });
    if (outcome.ok) await deliver(deps, scanId, claimed, outcome.value, startedAt);
    else await fail(deps.db, scanId, outcome.error.message);
  } catch (error) {
    if (error instanceof Cancelled) return;
    await fail(deps.db, scanId, error instanceof NotPaid ? 'The scan took too long.' : 'Something failed on our side.');
    if (!(error instanceof NotPaid)) throw error;
  }
}

/** Maps of the saved strategy that decides, for its version only. */
async function readOwnBases({ db, config }: RunScanDeps, { userId, params: { strategy } }: ClaimedScan) {
  if (strategy?.id === undefined) return [];
  const own = { userId, strategyId: strategy.id, version: strategy.version };
  return withSystem(db, (tx) => readStrategyBases(tx, own, config.market));
}

/** Short enough for a smooth progress bar and for a prompt cancellation. */
const progressMs = 250;

/** A transaction for each of 300 series would take longer than the series. */
function fromTimeToTime(report: FindOptions['onProgress']): FindOptions['onProgress'] {
  let reportedAt = performance.now();
  return async (done, total) => {
    if (performance.now() - reportedAt < progressMs) return;
    reportedAt = performance.now();
    await report(done, total);
  };
}

async function progress(db: Db, scanId: string, userId: string, done: number, total: number): Promise<void> {
  await withSystem(db, async (tx) => {
    if (!(await isRunning(tx, scanId))) throw new Cancelled();
    await notifyUser(tx, userId, 'scan', { scan_id: scanId, status: 'running', done, total });
  });
}

const fail = (db: Db, scanId: string, why: string): Promise<boolean> =>
  withSystem(db, (tx) =>
    stopScan(tx, scanId, {
      status: 'failed',
      failure: `${why} Your credit was returned.`.slice(0, 500),
      note: 'failed',
    }),
  );

async function deliver(
  { db, jobs, config, now = Date.now }: RunScanDeps,
  scanId: string,
  { userId, holdId, params }: ClaimedScan,
  result: ScanFindings,
  startedAt: number,
): Promise<void> {
  const judged = judge(result.scored, params);
  const { limit, intervals, strategy } = params;
  // The text of own rules is private to its owner, as names are; the version stands for it.
  const rules = { ...without(scanRulesOf(params), 'ownRules'), limit, intervals };
  await keepScanDays(db, config.retention.resultDays);
  await withSystem(db, async (tx) => {
    const signals = recordable(result);
    // The public record has the score: the map of a saved strategy is private to its owner.
    const ids = await recordSignals(tx, strategy === undefined ? signals : signals.map(scoreOnly), {
      market: config.market,
      params: rules,
      strategyVersion: strategy?.version ?? STRATEGY_VERSION,
    });
    if (strategy !== undefined) await recordStrategySignals(tx, { userId, strategy }, signals, ids);
    const idOf = (series: { symbol: string; interval: string }) => ids.get(keyOf(series)) ?? null;
    const results = resultsOf(result, { judged, idOf, nowMs: now(), totalMs: performance.now() - startedAt });
    const candidates = allCandidates(result, judged).map((each) => ({ ...each, signalId: idOf(each) }));
    await insertDetails(tx, { id: scanId, userId }, await packScan(results, candidates));
    await insertFound(tx, { id: scanId, userId }, [...ids.values()]);
    // Locks the hold before the scan, the order of all features (docs/operations.md).
    if ((await capture(tx, holdId)).state !== 'captured') throw new NotPaid();
    if (!(await finishScan(tx, scanId, summaryOf(results)))) throw new Cancelled();
    const isAway = await isAwayScan(tx, scanId);
    if (isAway) await notifyOwner(tx, { userId, scanId, results });
    const messages = results.all.flatMap(signalMessagesOf(scanId));
    const mayOpen = messages.filter(({ eligible }) => eligible);
    await queueForWebhooks(tx, userId, 'signal_created', mayOpen);
    await queueForWebhooks(tx, userId, 'signal_found', messages);
    if (results.total > 0) {
      const job = { scanId, userId, mayOpen: isAway };
      await jobs.send(tx, 'scan_checks', scanId, job, { startAfterS: isAway ? 0 : pageChecksS });
    }
    const total = result.scored.length;
    await notifyUser(tx, userId, 'scan', { scan_id: scanId, status: 'done', done: total, total });
  });
}

/** The page requests the AI checks of its scan. After this time the server requests the missing ones, as the page was closed. */
const pageChecksS = 120;

/** The owner is away: sends a message with the result. */
async function notifyOwner(
  tx: SystemTx,
  { userId, scanId, results }: { userId: string; scanId: string; results: StoredResults },
): Promise<void> {
  const { best, total } = results;
  await queueNotification(tx, userId, 'scan_finished', {
    scan_id: scanId,
    result_count: total,
    best:
      best === null
        ? null
        : {
            symbol: best.symbol,
            interval: best.interval,
            direction: best.direction,
            confidence: best.confidence,
          },
  });
}
