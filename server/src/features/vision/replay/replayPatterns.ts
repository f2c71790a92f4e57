import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS, intervalMs, MINUTE_MS, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { neutralTuning, rulesOf, signalSizing, standardSizing } from '@sextant/workers/src/signals/signalRules.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { History } from '../../history/port.ts';
import type { Interval, Market } from '../../market/port.ts';
import { HORIZON_CANDLES } from '../contract.ts';
import { deleteOtherWorlds, readFreshSeries, storeSeriesRecord } from './patternRepository.ts';

export interface ReplayPatternsDeps {
  db: Db;
  historySource: string;
  market: Pick<Market, 'turnovers'>;
  history: Pick<History, 'readListings' | 'readClosedCandles'>;
  engine: EnginePool;
  /** First statement of each write: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
  now?: () => number;
  /** Ends the round between two series. */
  signal?: AbortSignal;
  /** Time after which a round ends, so that other work of the leading node gets its turn. */
  roundMs?: number;
}

const EXCHANGE = 'binance';
/** Newest stored candles of a series that are replayed, and how many it needs. */
const CANDLES_MAX = 20_000;
const CANDLES_MIN = 200;
/** A record is renewed this often: the store grows backwards on the first day. */
const RENEW_MS = 6 * HOUR_MS;
const ROUND_MS = 20_000;
/** The record of signals is replayed first, and a round that stored nothing is followed by a rest. */
const FIRST_AFTER_MS = 2 * MINUTE_MS;
const REST_MS = 10 * MINUTE_MS;
/** Pause after a task, as a multiple of its duration, so that others get the threads. */
const IDLE_SHARE = 1;
const TASK_MS = 5 * MINUTE_MS;

export interface PatternRound {
  /** Series that were due at the start, and those stored in this round. */
  dueCount: number;
  storedCount: number;
}

function valueOf<T>(run: TaskResult<T>): T {
  if (!run.ok) throw new Error(`the engine did not replay the patterns: ${run.error.message}`);
  return run.value;
}

/** Symbols by turnover, then the other ones of the stored lists, those delisted since included. */
async function readSymbols({ market, history }: ReplayPatternsDeps): Promise<string[]> {
  const [turnovers, listings] = [await market.turnovers(), await history.readListings(EXCHANGE)];
  const traded = turnovers.ok ? turnovers.value.value.map(({ symbol }) => symbol) : [];
  const listed = listings.ok ? listings.value.map(({ symbol }) => symbol) : [];
  return [...new Set([...traded, ...listed])];
}

/** The newest stretch without a missing candle. */
export function newestStretch(candles: Candles, stepMs: number): Candles {
  const { time } = candles;
  let first = Math.max(0, time.length - 1);
  while (first > 0 && (time[first] ?? 0) - (time[first - 1] ?? 0) === stepMs) first -= 1;
  return candlesOf((name) => candles[name].slice(first));
}

/** Candles as first sent: a later revision was not known at the pattern. Null when the store has too few, or cannot be read. */
async function readStored(
  { history, now = Date.now }: ReplayPatternsDeps,
  series: { symbol: string; interval: Interval },
): Promise<Candles | null> {
  const stepMs = intervalMs[series.interval];
  const to = Math.floor(now() / stepMs) * stepMs - stepMs;
  const from = to - (CANDLES_MAX - 1) * stepMs;
  const read = await history.readClosedCandles({ exchange: EXCHANGE, ...series, from, to, asOf: 0 });
  if (!read.ok) return null;
  const candles = newestStretch(read.value.columns, stepMs);
  return candles.time.length < CANDLES_MIN ? null : candles;
}

/**
 * One round: what followed each pattern on the stored candles, by symbol and interval, without a request for candles to an exchange.
 * Each series is a row, so a killed round continues after its last one.
 */
export async function replayPatterns(deps: ReplayPatternsDeps): Promise<PatternRound> {
  const { db, historySource: source, engine, assertLeader, signal, roundMs = ROUND_MS } = deps;
  const endAt = performance.now() + roundMs;
  const probe = { items: [], rules: rulesOf(neutralTuning), sizing: signalSizing(standardSizing) };
  const { engineHash } = valueOf(await engine.run('signals', probe));
  const fresh = await withSystem(db, async (tx) => {
    await assertLeader(tx);
    await deleteOtherWorlds(tx, source);
    return readFreshSeries(tx, source, { engineHash, maxAgeS: RENEW_MS / 1000 });
  });
  const symbols = await readSymbols(deps);
  const due = symbols
    .flatMap((symbol) => signalIntervals.map((interval) => ({ symbol, interval })))
    .filter(({ symbol, interval }) => !fresh.has(`${symbol} ${interval}`));
  let storedCount = 0;
  let failed: TaskResult<unknown> | undefined;
  for (const series of due) {
    if (signal?.aborted === true || performance.now() > endAt) break;
    const candles = await readStored(deps, series);
    if (candles === null) continue;
    const startedAt = performance.now();
    const [fromMs, toMs] = [candles.time[0] ?? 0, candles.time.at(-1) ?? 0];
    const input = { series: [candles], horizonCount: HORIZON_CANDLES };
    const run = await engine.run('patternRecord', input, { deadlineMs: TASK_MS });
    // One series that cannot be counted leaves the others.
    if (!run.ok) {
      failed ??= run;
      continue;
    }
    const result = run.value;
    await withSystem(db, async (tx) => {
      await assertLeader(tx);
      await storeSeriesRecord(tx, source, { exchange: EXCHANGE, ...series, ...result, engineHash, fromMs, toMs });
    });
    storedCount += 1;
    await delay(IDLE_SHARE * (performance.now() - startedAt));
  }
  if (failed !== undefined) valueOf(failed);
  return { dueCount: due.length, storedCount };
}

/** Rounds for the leading node, each when it is due: call it once a minute. */
export function createPatternReplayer(): (deps: ReplayPatternsDeps) => Promise<void> {
  let dueAt = performance.now() + FIRST_AFTER_MS;
  return async (deps) => {
    if (performance.now() < dueAt) return;
    const { storedCount } = await replayPatterns(deps);
    if (storedCount === 0) dueAt = performance.now() + REST_MS;
  };
}
