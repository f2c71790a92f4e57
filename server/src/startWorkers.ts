import { readProofKey } from './features/backtest/proof/proofKeys.ts';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import { isLeaving } from './platform/auth/leaving.ts';
import { startSampling } from './features/arbitrage/sampler/startSampling.ts';
import { startBackfill } from './features/history/startBackfill.ts';
import {
  MinutesJob,
  runMinutesJob,
  runSearchJob,
  SearchJob,
  skipMinutes,
} from './features/backtest/search/runSearchJob.ts';
import { expireSearches, failSearch } from './features/backtest/search/startSearch.ts';
import { startDeliveries } from './features/notifications/startDeliveries.ts';
import { takeLinks } from './features/notifications/telegramLink.ts';
import { startReadingNews } from './features/news/readFeeds.ts';
import { expireOrders } from './features/payments/createPayment.ts';
import { checkPayments, compareDaily, reconcile, settleDebts } from './features/payments/reconcile.ts';
import { issueReceipts } from './features/payments/receipts.ts';
import { reconcileClosed } from './features/positions/reconciliation/reconcileClosed.ts';
import { startRetention } from './features/retention/startRetention.ts';
import { startReplaying } from './features/trackRecord/replay/startReplaying.ts';
import { resolveSignals } from './features/trackRecord/resolveSignals.ts';
import { historySourceOf } from './features/history/source.ts';
import { createDelistedSignalSettler } from './features/trackRecord/settleDelistedSignals.ts';
import { StrategySettler } from './features/trackRecord/settleStrategies.ts';
import { openFromScan } from './features/positions/openFromScan.ts';
import { openReversals } from './features/positions/openReversals.ts';
import { createStrategySignals } from './features/signals/oppositeSignals.ts';
import { checkAwayResults } from './features/scan/away/checkAway.ts';
import { runAwayScans } from './features/scan/away/runAwayScans.ts';
import { runScan } from './features/scan/runScan.ts';
import { expireScan } from './features/scan/startScan.ts';
import { createPatternReplayer } from './features/vision/replay/replayPatterns.ts';
import { gradeViews } from './features/vision/viewRecords.ts';
import { withSystem } from './platform/db/scope.ts';
import type { App } from './platform/http/app.ts';
import { repeat } from './platform/repeat.ts';
import { startWatchThread } from './startWatchThread.ts';

/** Concurrent scans of one node; their engine tasks share the threads. */
const SCANS_AT_ONCE = 2;
/** Concurrent chunks of long searches: one thread stays free for interactive requests. */
const CHUNKS_AT_ONCE = 1;
/** Concurrent searches that wait for 1-minute candles of an exchange. */
const MINUTE_LOADS_AT_ONCE = 4;
/** Poll interval for opening the reverse of positions that closed on the opposite signal. */
const reversalMs = 2000;
const ScanJob = z.object({ scanId: z.uuid() });

/** A job without `mayOpen` is of an older version, which sent it only for scans of users who are away. */
const ChecksJob = ScanJob.extend({ userId: z.uuid(), mayOpen: z.boolean().default(true) });

const resolveMs = 60_000;
const linkMs = 1500;
const awayMs = 5000;

const paymentLookMs = 15_000;
const receiptMs = 3000;

/** Repeats work that depends on the time; a node whose clock is far from the database's leaves it to the others. */
const repeatInTime = (deps: Pick<Deps, 'clocks'>, ...[everyMs, work, onError]: Parameters<typeof repeat>) =>
  repeat(everyMs, () => (deps.clocks.isNearDatabase() ? work() : Promise.resolve()), onError);

/** Payment tasks that need no open page: expiry, lost notifications, comparison, debts of refunds. */
function paymentLoops(deps: Deps, report: (what: string) => (error: unknown) => void): (() => void)[] {
  const { coins, cards, seller } = deps.payments;
  const providers = [coins, cards].filter((provider) => provider !== undefined);
  const reconciling = { db: deps.db, limiter: deps.limiter, providers };
  const loops = [
    repeatInTime(deps, resolveMs, () => settleDebts(deps.db), report('debts of refunds were not settled')),
    ...(seller === undefined
      ? []
      : [repeatInTime(deps, receiptMs, () => issueReceipts(deps.db, seller), report('receipts were not issued'))]),
  ];
  if (providers.length === 0) return loops;
  return [
    ...loops,
    repeatInTime(deps, paymentLookMs, () => expireOrders(deps.db), report('expired invoices were not closed')),
    repeatInTime(deps, paymentLookMs, () => checkPayments(reconciling), report('payments were not queried')),
    repeatInTime(deps, resolveMs, () => reconcile(reconciling), report('payments were not reconciled')),
    repeatInTime(deps, resolveMs, () => compareDaily(reconciling), report('payments were not compared')),
  ];
}

/** Scans for users who are away, and the opening half of reversals. */
function actForOwners(deps: Deps, report: (what: string) => (error: unknown) => void): (() => void)[] {
  const signals = createStrategySignals(deps, deps.newEngine());
  return [
    repeatInTime(deps, reversalMs, () => openReversals(deps, signals), report('a reversal was not opened')),
    repeatInTime(deps, awayMs, () => runAwayScans(deps), report('background scans were not started')),
  ];
}

/** Outcomes of signals, of signals of saved strategies and of chart views. */
function judgeForecasts(deps: Deps, report: (what: string) => (error: unknown) => void): () => void {
  const settler = new StrategySettler(deps);
  const settleDelisted = createDelistedSignalSettler(deps);
  const judge = async (): Promise<void> => {
    await resolveSignals(deps);
    await settler.settleSome();
    await settleDelisted();
    await gradeViews(deps);
  };
  return repeatInTime(deps, resolveMs, judge, report('signals and chart views were not evaluated'));
}

async function takeSearches(deps: Deps): Promise<void> {
  const { jobs } = deps;
  await jobs.work('search', {
    atOnce: CHUNKS_AT_ONCE,
    handle: (data, signal) => runSearchJob(deps, SearchJob.parse(data), signal),
    setAside(data) {
      const { searchId, step } = SearchJob.parse(data);
      return failSearch(deps.db, { id: searchId, step });
    },
  });
  await jobs.work('search_minutes', {
    atOnce: MINUTE_LOADS_AT_ONCE,
    handle: (data, signal) => runMinutesJob(deps, MinutesJob.parse(data), signal),
    setAside: (data) => skipMinutes(deps, MinutesJob.parse(data)),
  });
}

/** Checks the results of a scan whose page is closed and opens those that passed. Opens nothing for an account that is to be deleted. */
export async function checkAndOpen(
  deps: Deps,
  job: z.output<typeof ChecksJob>,
  signal: AbortSignal,
  check = checkAwayResults,
): Promise<void> {
  const isOwnerLeaving = () => withSystem(deps.db, (tx) => isLeaving(tx, job.userId));
  if (await isOwnerLeaving()) return;
  await check({ db: deps.db, ...deps.aiCheck }, job, signal);
  // Opens the positions that the page would open; while that is off, records the reason for each result. A scan whose page was closed
  // opens nothing: its owner left before that was decided. Checks take seconds, in which the deletion may have been requested; each
  // opening checks for the request again.
  if (job.mayOpen && !(await isOwnerLeaving())) await openFromScan(deps, job.userId, job.scanId);
}

/** Replays signals and compares closed positions with the lab, on the node that leads both. */
function replayAndReconcile(deps: Deps, report: (what: string) => (error: unknown) => void) {
  const warn = report('a closed position was not reconciled');
  const replayPatterns = createPatternReplayer();
  return startReplaying({
    ...deps,
    warn: report('signals were not replayed'),
    round: async (guard) => {
      await reconcileClosed({ ...deps, ...guard, warn });
      await replayPatterns({ ...deps, ...guard });
    },
  });
}

/** The thread that watches positions, with its own connections. */
function watchPositions(deps: Deps, report: (what: string) => (error: unknown) => void) {
  const { databaseUrl, databaseSessionUrl, config, failures, metrics } = deps;
  const { market, exchangesUrl, exchangeHosts, isMarketStreamed, isGatewayUsed, natsUrl } = config;
  const sources = { exchangesUrl, exchangeHosts, isGatewayUsed, natsUrl };
  return startWatchThread({
    data: {
      databaseUrl,
      databaseSessionUrl,
      ...sources,
      market,
      historySource: historySourceOf(config),
      isMarketStreamed,
    },
    failures,
    warn: (what, error) => report(what)(error),
    onFigures: metrics.takeWatchFigures,
  });
}

/** Handles the jobs of every queue and runs periodic work. Once per node with `ROLE=all` or `worker`. */
export async function startWorkers(deps: Deps, log: Pick<App['log'], 'warn'>): Promise<() => Promise<void>> {
  const { jobs, notifications } = deps;
  await jobs.work('scan', {
    atOnce: SCANS_AT_ONCE,
    handle: (data, signal) => runScan(deps, ScanJob.parse(data).scanId, signal),
    setAside: (data) => withSystem(deps.db, (tx) => expireScan(tx, ScanJob.parse(data).scanId)),
  });
  await takeSearches(deps);
  await jobs.work('scan_checks', {
    atOnce: SCANS_AT_ONCE,
    handle: (data, signal) => checkAndOpen(deps, ChecksJob.parse(data), signal),
    // Results that were not checked stay unchecked, as after a check that ran out of time.
    setAside: () => Promise.resolve(),
  });
  const report = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  const { telegram, pushKeys } = notifications;
  // Made at the first start, so that no page waits for them.
  pushKeys().catch(report('the push keys were not made'));
  readProofKey(deps.proofs).catch(report('the proof key was not made'));
  const stops = [
    judgeForecasts(deps, report),
    repeatInTime(deps, resolveMs, () => expireSearches(deps.db), report('searches were not checked')),
    ...actForOwners(deps, report),
    await startDeliveries(deps, report('messages were not dispatched')),
    ...paymentLoops(deps, report),
    ...(telegram === undefined
      ? []
      : [repeat(linkMs, () => takeLinks({ ...notifications, telegram }), report('messages to the bot were not read'))]),
  ];
  const watching = watchPositions(deps, report);
  const reading = startReadingNews({ ...deps, warn: report('news was not read') });
  const sampling = startSampling({ ...deps, warn: report('spreads were not sampled') });
  const filling = startBackfill({ ...deps, warn: report('candles were not filled backwards') });
  const replaying = replayAndReconcile(deps, report);
  const retaining = startRetention({ ...deps, warn: report('old data was not deleted') });
  // Health checks start after the first claim, so that a single node never reports that no node leads.
  await watching.attempted;
  return async () => {
    for (const stop of stops) stop();
    await Promise.all([
      watching.close(),
      reading.close(),
      sampling.close(),
      filling.close(),
      replaying.close(),
      retaining.close(),
    ]);
  };
}
