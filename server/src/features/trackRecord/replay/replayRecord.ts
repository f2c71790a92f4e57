import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, intervalMs, MINUTE_MS, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { SIGNAL_CANDLES } from '@sextant/engine-as/abi/voteParameters.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import type { ReplaySignalsResult } from '@sextant/workers/src/protocol/replaySignals.ts';
import type { TaskError, TaskErrorCode, TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import {
  liveSignalCandles,
  neutralTuning,
  rulesOf,
  signalSizing,
  standardSizing,
  timeframesOf,
} from '@sextant/workers/src/signals/signalRules.ts';
import { candlesHash, signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import { lastClosedOpen } from '../../market/intervals.ts';
import { fastHash } from '../../signals/candles.ts';
import {
  readEnded,
  readEndedSeries,
  readSeriesFor,
  readUniverseDays,
  REPLAY_CANDLES,
  REPLAY_EXCHANGE,
  type ReplaySources,
  type SeriesRead,
} from './replayInputs.ts';
import {
  deleteOutdated,
  readReplayed,
  readReplayedUntil,
  readReport,
  storeReplayed,
  storeReport,
  type ReplayedRow,
  unpackSignals,
} from './replayRepository.ts';

/** Replays Live rules over the candles of the universe. docs/signals.md#replay has the method and its limits. */

export interface ReplayDeps extends ReplaySources {
  db: Db;
  config: { market: MarketMode };
  engine: EnginePool;
  /** First statement of each write: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
  /** Ends the round between two symbols. */
  signal?: AbortSignal;
  /** Pause after each symbol, for the limits of the exchange. */
  pauseMs?: number;
}

/** Symbols of a day: those of a scan with the usual settings. */
const DAY_SYMBOLS = numberSettings.max_symbols.default;
/** A series is replayed again when its candles are older. */
const FRESH_MS = DAY_MS;
/** Least time between reports of a running replay, so that signals get chances before it ends. */
const REPORT_AFTER_MS = 10_000;
/** Largest share of the time for reports: each reads everything that is stored. */
const REPORT_SHARE = 0.1;
/** Pause after a symbol: its reads weigh 30 of the 1,920 a minute that we use of Binance, so a replay uses a third of them. */
export const SYMBOL_PAUSE_MS = 2500;
/** Reads of a symbol that waits for a place at the exchange, and the longest wait for one. The loads of a first start fill its queue. */
const READS_MAX = 3;
const READ_WAIT_MS_MAX = 60_000;
/** Pause after a task, as a multiple of its duration, so that others get the threads. */
const IDLE_SHARE = 0.5;

/** A task takes seconds; a busy machine may need minutes, and no user waits. */
export const TASK_MS = 5 * MINUTE_MS;

const rules = rulesOf(neutralTuning);

export interface ReplayRound {
  /** Series of the universe, and those replayed in this round. */
  wantedCount: number;
  replayedCount: number;
  /** Reads of candles that failed; the next round tries again. */
  failedCount: number;
}

interface Known {
  until: Awaited<ReturnType<typeof readReplayedUntil>>;
  ended: ReadonlySet<string>;
  nowMs: number;
}

const isDue = (symbol: string, { until, ended, nowMs }: Known): boolean =>
  signalIntervals.some((interval) => {
    const series = until.get(`${symbol} ${interval}`);
    if (series === undefined) return true;
    // An ended contract has no newer candles than its first replay after the end.
    if (series.hasEnded && ended.has(symbol)) return false;
    return series.untilMs < nowMs - FRESH_MS - 2 * intervalMs[interval];
  });

/** One round: every series of the universe whose replay is missing or older than a day. A killed round continues after its last series. */
export async function replayRecord(deps: ReplayDeps): Promise<ReplayRound> {
  const { db, config, market, now = Date.now, signal, pauseMs = SYMBOL_PAUSE_MS } = deps;
  const engineHash = await readEngineHash(deps.engine);
  await withSystem(db, async (tx) => {
    await deps.assertLeader(tx);
    await deleteOutdated(tx, config.market, engineHash);
  });
  const listed = await inBackground(() => market.symbols({ exchange: REPLAY_EXCHANGE }));
  if (!listed.ok) throw new Error(`the symbols of ${REPLAY_EXCHANGE} are unknown: ${listed.error.message}`);
  const ended = valueOr(await readEnded(deps, listed.value.value), []);
  const { days, unreadCount } = await readUniverseDays(deps, [...listed.value.value, ...ended], DAY_SYMBOLS);
  const endedSymbols = ended.map(({ symbol }) => symbol).filter((symbol) => days.has(symbol));
  const endedSet = new Set(endedSymbols);
  const { until, isReported } = await withSystem(db, async (tx) => ({
    until: await readReplayedUntil(tx, config.market),
    isReported: (await readReport(tx, config.market)) !== null,
  }));
  const due = [...days.keys()].filter((symbol) => isDue(symbol, { until, ended: endedSet, nowMs: now() }));
  const progress = {
    replayedCount: 0,
    failedCount: unreadCount,
    reportAt: performance.now() + REPORT_AFTER_MS,
    // A round that was killed may have stored series and no report.
    hasNews: until.size > 0 && !isReported,
  };
  const seriesWanted = days.size * signalIntervals.length;
  const reportNews = async (): Promise<void> => {
    const startedAt = performance.now();
    await report(deps, { engineHash, seriesWanted, endedSymbols });
    const endedAt = performance.now();
    progress.reportAt = endedAt + Math.max(REPORT_AFTER_MS, (endedAt - startedAt) / REPORT_SHARE);
    progress.hasNews = false;
  };
  // Signals get chances while the replay waits.
  const beforeWait = async (): Promise<void> => (progress.hasNews ? reportNews() : undefined);
  for (const symbol of due) {
    if (signal?.aborted === true) break;
    const universeDays = days.get(symbol) ?? new Float64Array();
    const rows = await replaySymbol(deps, {
      symbol,
      universeDays,
      hasEnded: endedSet.has(symbol),
      engineHash,
      beforeWait,
    });
    if (rows === null) progress.failedCount += 1;
    else {
      await withSystem(db, async (tx) => {
        await deps.assertLeader(tx);
        for (const row of rows) await storeReplayed(tx, config.market, row);
      });
      progress.replayedCount += rows.length;
      progress.hasNews ||= rows.length > 0;
    }
    if (progress.hasNews && performance.now() > progress.reportAt) await reportNews();
    await pause(pauseMs, signal);
  }
  if (progress.hasNews) await reportNews();
  const { replayedCount, failedCount } = progress;
  return { wantedCount: seriesWanted, replayedCount, failedCount };
}

/** Value that the store returned; a later round reads what failed. */
const valueOr = <T>(read: Outcome<T>, other: T): T => (read.ok ? read.value : other);

/** Ends early when the round must end. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

/** The hash that results of the pool carry. */
export async function readEngineHash(engine: EnginePool): Promise<string> {
  const run = await engine.run('signals', { items: [], rules, sizing: signalSizing(standardSizing) });
  return valueOf(run).engineHash;
}

export class EngineFailure extends Error {
  readonly code: TaskErrorCode;
  constructor({ code, message }: TaskError) {
    super(`the engine did not replay: ${message}`);
    this.code = code;
  }
}

/** @throws EngineFailure */
export function valueOf<T>(run: TaskResult<T>): T {
  if (!run.ok) throw new EngineFailure(run.error);
  return run.value;
}

interface ReplayedSymbol {
  symbol: string;
  universeDays: Float64Array;
  hasEnded: boolean;
  engineHash: string;
  /** Runs before each wait for the exchange. */
  beforeWait: () => Promise<void>;
}

/** The rows of a symbol, none when an interval of a listed one has no candles; null when one could not be read. */
async function replaySymbol(
  deps: ReplayDeps,
  { beforeWait, ...replayed }: ReplayedSymbol,
): Promise<ReplayedRow[] | null> {
  const { symbol, hasEnded } = replayed;
  const read: Outcome<SeriesRead[]> = await whenFree(deps, beforeWait, () =>
    hasEnded
      ? readEndedSeries(deps, symbol, signalIntervals)
      : readSeriesFor(deps, symbol, signalIntervals, () => REPLAY_CANDLES),
  );
  if (!read.ok) return null;
  const rows: ReplayedRow[] = [];
  for (const i of read.value.keys()) {
    const startedAt = performance.now();
    rows.push(await replayBase(deps, replayed, read.value.slice(i)));
    await delay(IDLE_SHARE * (performance.now() - startedAt));
  }
  return rows;
}

/** @param read the base and the longer intervals. As in a scan there is no signal while one of them has no candles. */
async function replayBase(
  { engine, now = Date.now }: ReplayDeps,
  { symbol, universeDays, hasEnded, engineHash }: Omit<ReplayedSymbol, 'beforeWait'>,
  read: readonly SeriesRead[],
): Promise<ReplayedRow> {
  const series = read.map((each) => ({ ...each, candles: each.candles ?? candlesOf(() => new Float64Array()) }));
  const [base] = series;
  if (base === undefined) throw new Error('each base is in its series');
  const { interval, stepMs, candles } = base;
  const timeframes = timeframesOf(series);
  const fromIndex = Math.max(SIGNAL_CANDLES, liveSignalCandles(stepMs)) - 1;
  const isEmpty = series.some((each) => each.candles.time.length === 0);
  const result: ReplaySignalsResult = isEmpty
    ? { signals: unpackSignals(Buffer.alloc(0)), openCount: 0, engineHash }
    : valueOf(
        await engine.run(
          'replaySignals',
          { timeframes, rules, fromIndex, universeDays, hasEnded },
          { deadlineMs: TASK_MS },
        ),
      );
  const { data: dataHash } = signalHashes({ timeframes }, rules, candlesHash(fastHash), fastHash);
  // A series without candles is of its whole window: it is replayed again as late as any other.
  const windowTo = lastClosedOpen(interval, now());
  const [fromMs, toMs] = isEmpty
    ? [windowTo - (REPLAY_CANDLES - 1) * stepMs, windowTo]
    : [candles.time[0] ?? windowTo, candles.time.at(-1) ?? windowTo];
  const place = { exchange: REPLAY_EXCHANGE, symbol, interval, dataHash, fromMs, toMs } as const;
  // What the store lacks may be stored later.
  return { ...place, hasEnded: hasEnded && read.every((each) => each.candles !== undefined), ...result };
}

/** The largest markets come first: a symbol waits for the request limit of the exchange, so that smaller ones do not pass it. */
async function whenFree<T>(
  deps: Pick<ReplayDeps, 'signal'>,
  beforeWait: () => Promise<void>,
  readSeries: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  for (let reads = 1; ; reads++) {
    const series = await readSeries();
    const isLimited = !series.ok && series.error.code === 'upstream_rate_limited';
    if (!isLimited || reads === READS_MAX || deps.signal?.aborted === true) return series;
    await beforeWait();
    await pause(Math.min(READ_WAIT_MS_MAX, 1000 * Math.max(1, series.error.retryAfterS ?? 1)), deps.signal);
  }
}

/** Figures over all stored series, computed on an engine thread. */
async function report(
  { db, config, engine, assertLeader }: ReplayDeps,
  { engineHash, seriesWanted, endedSymbols }: { engineHash: string; seriesWanted: number; endedSymbols: string[] },
): Promise<void> {
  const stored = await withSystem(db, (tx) => readReplayed(tx, config.market));
  const openCount = stored.reduce((sum, each) => sum + each.openCount, 0);
  const series = stored.map(({ symbol, interval, signals }) => ({ symbol, interval, signals }));
  const figures = valueOf(
    await engine.run('replayReport', { series, openCount, endedSymbols }, { deadlineMs: TASK_MS }),
  );
  await withSystem(db, async (tx) => {
    await assertLeader(tx);
    await storeReport(tx, config.market, {
      engineHash,
      symbolCount: new Set(stored.map(({ symbol }) => symbol)).size,
      seriesWanted,
      seriesCount: stored.length,
      report: figures,
    });
  });
}
