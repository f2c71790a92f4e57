import { setTimeout as delay } from 'node:timers/promises';
import { intervalMs, MINUTE_MS, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { candlesOfSignal, contextCount } from '@sextant/workers/src/candles/strategyCandles.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { baseOf } from '@sextant/workers/src/positions/strategyExits.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { type ReplayedColumns, replayedFields } from '@sextant/workers/src/protocol/replaySignals.ts';
import { compiledRules, isOwnRules, problemText } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { withSystem } from '../../../platform/db/scope.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { Interval, Market } from '../../market/port.ts';
import { loadRuleInputs } from '../../signals/ruleInputs.ts';
import { readEnded, readHistoryFor, readUniverseDays, REPLAY_EXCHANGE, type ReplaySources } from './replayInputs.ts';
import { readEngineHash, type ReplayDeps, valueOf } from './replayRecord.ts';
import {
  type ActiveReplay,
  continueReplay,
  endReplay,
  readStrategySeries,
  storeStrategySeries,
  takeTurn,
} from './strategyReplays.ts';

/**
 * Replays saved strategies at the request of their owners: in turns of one symbol, so that no account waits for another one's whole
 * replay. docs/signals.md#replay has the method and its limits.
 */

/** Symbols of each past day, those with the largest turnover. */
export const DAY_SYMBOLS_MAX = 50;
/** Of all days; the symbols of the newest days are first. */
export const REPLAY_SYMBOLS_MAX = 150;
/** Candles of the base interval with a signal; as many as a signal reads come before them. */
export const REPLAY_SCORED = 1000;
const ATTEMPTS_MAX = 3;
const TASK_MS = 5 * MINUTE_MS;

export type StrategyReplayDeps = Omit<ReplayDeps, 'market' | 'now'> & {
  market: ReplayDeps['market'] & Pick<Market, 'fundingHistory'>;
};

interface Plan {
  /** UTC days of each symbol in the universe. */
  days: Map<string, Float64Array>;
  endedSymbols: ReadonlySet<string>;
}

/** What this node knows of the active requests; a node that takes over computes it again from their `requestedAt`. */
export interface ReplayMemory {
  plans: Map<string, Plan>;
  /** Failed attempts by request and symbol. */
  attempts: Map<string, number>;
}
export const createReplayMemory = (): ReplayMemory => ({ plans: new Map(), attempts: new Map() });

/** Turns until no request is active or the node must stop. @returns the number of turns */
export async function replayStrategies(deps: StrategyReplayDeps, memory: ReplayMemory): Promise<number> {
  const { db, config, signal, pauseMs = 1000 } = deps;
  let count = 0;
  while (signal?.aborted !== true) {
    const replay = await withSystem(db, async (tx) => {
      await deps.assertLeader(tx);
      return takeTurn(tx, config.market);
    });
    if (replay === null) {
      memory.plans.clear();
      memory.attempts.clear();
      return count;
    }
    try {
      await takeOneTurn(deps, memory, replay);
    } catch (error) {
      // Reported by the caller; the next round continues with the turn of another account.
      if (hasFailed(memory, `${keyOf(replay)} turn`)) await end(deps, replay, { error: FAILED });
      throw error;
    }
    count += 1;
    await delay(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
  return count;
}

const keyOf = ({ strategyId, requestedAt }: ActiveReplay): string => `${strategyId} ${requestedAt.getTime()}`;

async function takeOneTurn(deps: StrategyReplayDeps, memory: ReplayMemory, replay: ActiveReplay): Promise<void> {
  const { db } = deps;
  const unfit = whyUnfit(replay.value);
  if (unfit !== null) return end(deps, replay, { error: unfit });
  const sources = { market: deps.market, history: deps.history, now: () => replay.requestedAt.getTime() };
  const plan = memory.plans.get(keyOf(replay)) ?? (await planOf(sources));
  if (plan === null) {
    if (hasFailed(memory, keyOf(replay))) await end(deps, replay, { error: NO_SYMBOLS });
    return;
  }
  memory.plans.set(keyOf(replay), plan);
  const engineHash = await readEngineHash(deps.engine);
  const done = await withSystem(db, async (tx) => {
    await deps.assertLeader(tx);
    return continueReplay(tx, replay, { engineHash, symbolsWanted: plan.days.size });
  });
  const next = [...plan.days].find(([symbol]) => !done.has(symbol));
  if (next === undefined) return finish(deps, replay);
  const [symbol, universeDays] = next;
  const hasEnded = plan.endedSymbols.has(symbol);
  const run = await replaySymbol(deps, sources, replay, { symbol, universeDays, hasEnded });
  if (run === null && !hasFailed(memory, `${keyOf(replay)} ${symbol}`)) return;
  const { signals, openCount } = run ?? { signals: noSignals(), openCount: 0 };
  await withSystem(db, async (tx) => {
    await deps.assertLeader(tx);
    await storeStrategySeries(tx, replay, { symbol, signals, openCount, hasEnded, isFailed: run === null });
  });
}

const FAILED = 'The replay stopped three times. Start it again later.';
const NO_SYMBOLS = 'The exchange sent no list of symbols. Start the replay again.';
const NO_CANDLES = 'No candles could be read. Start the replay again.';

/** Why the strategy cannot be replayed; null: it can. */
export function whyUnfit(strategy: Strategy): string | null {
  const scanned: readonly string[] = signalIntervals;
  const unread = strategy.intervals.find(({ interval }) => !scanned.includes(interval));
  if (unread !== undefined)
    return `Scans read ${signalIntervals.join(', ')} candles; this strategy uses ${unread.interval}.`;
  const compiled = isOwnRules(strategy) ? compiledRules(strategy) : undefined;
  return compiled?.ok === false ? `The rules no longer compile: ${problemText(compiled.error[0])}`.slice(0, 300) : null;
}

/** Counts an attempt. @returns whether it was the last one */
function hasFailed({ attempts }: ReplayMemory, key: string): boolean {
  const count = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, count);
  return count >= ATTEMPTS_MAX;
}

/** The universe of each past day; null while the symbols are unknown. */
async function planOf(sources: ReplaySources): Promise<Plan | null> {
  const listed = await inBackground(() => sources.market.symbols({ exchange: REPLAY_EXCHANGE }));
  if (!listed.ok) return null;
  const ended = await readEnded(sources, listed.value.value);
  const { days } = await readUniverseDays(sources, [...listed.value.value, ...ended], DAY_SYMBOLS_MAX);
  if (days.size === 0) return null;
  return {
    days: new Map([...days].slice(0, REPLAY_SYMBOLS_MAX)),
    endedSymbols: new Set(ended.map(({ symbol }) => symbol)),
  };
}

interface SymbolPlan {
  symbol: string;
  universeDays: Float64Array;
  hasEnded: boolean;
}

/** Null when a part could not be read. No signals where there are too few candles. */
async function replaySymbol(
  deps: StrategyReplayDeps,
  sources: ReplaySources,
  { value: strategy, version }: ActiveReplay,
  { symbol, universeDays, hasEnded }: SymbolPlan,
): Promise<{ signals: ReplayedColumns; openCount: number } | null> {
  const read = await readSeries(sources, strategy, symbol);
  if (read === null) return null;
  const [base] = read;
  const least = candlesOfSignal(strategy, baseOf(strategy));
  if (base === undefined || base.candles.time.length < least) return { signals: noSignals(), openCount: 0 };
  const { interval, candles } = base;
  const place = { exchange: REPLAY_EXCHANGE, symbol, interval, candles } as const;
  const ruleInputs = await inBackground(() => loadRuleInputs(deps.market, strategy, place));
  if (ruleInputs === null) return null;
  const run = await deps.engine.run(
    'replayStrategy',
    {
      timeframes: timeframesOf(read, strategy),
      strategy,
      version,
      fromIndex: Math.max(least, candles.time.length - REPLAY_SCORED) - 1,
      universeDays,
      hasEnded,
      ...withoutUndefined({ ruleInputs }),
    },
    { deadlineMs: TASK_MS },
  );
  // A contract that was listed for a short time has too few candles of a longer interval.
  if (!run.ok && run.error.code === 'too_short') return { signals: noSignals(), openCount: 0 };
  return valueOf(run);
}

/** Candles of the intervals of the strategy, the base first; null when one of them could not be read. */
async function readSeries(sources: ReplaySources, strategy: Strategy, symbol: string) {
  const series: { interval: Interval; stepMs: number; candles: Candles }[] = [];
  for (const { interval } of strategy.intervals) {
    const [base] = series;
    const count =
      base === undefined
        ? REPLAY_SCORED + candlesOfSignal(strategy, interval)
        : contextCount(candleWindow(base.candles.time, base.stepMs), interval, strategy);
    const candles = await readHistoryFor(sources, { symbol, interval, count });
    if (candles === null) return null;
    if (candles.time.length === 0) return [];
    series.push({ interval, stepMs: intervalMs[interval], candles });
  }
  return series;
}

const noSignals = (): ReplayedColumns =>
  Object.fromEntries(replayedFields.map((name) => [name, new Float64Array()])) as ReplayedColumns;

async function finish(deps: StrategyReplayDeps, replay: ActiveReplay): Promise<void> {
  const stored = await withSystem(deps.db, (tx) => readStrategySeries(tx, replay, baseOf(replay.value)));
  const { failedCount, ...input } = stored;
  if (failedCount === input.series.length) return end(deps, replay, { error: NO_CANDLES });
  return end(deps, replay, { report: valueOf(await deps.engine.run('replayReport', input, { deadlineMs: TASK_MS })) });
}

function end(deps: StrategyReplayDeps, replay: ActiveReplay, how: Parameters<typeof endReplay>[2]): Promise<void> {
  return withSystem(deps.db, async (tx) => {
    await deps.assertLeader(tx);
    await endReplay(tx, replay, how);
  });
}
