import { setTimeout as delay } from 'node:timers/promises';
import { intervalMs, MINUTE_MS, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import {
  BACKGROUND_CANDLES_MAX,
  candlesOfSignal,
  contextCount,
  findExcess,
} from '@sextant/workers/src/candles/strategyCandles.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { baseOf } from '@sextant/workers/src/positions/strategyExits.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { type ReplayedColumns, replayLimits } from '@sextant/workers/src/protocol/replaySignals.ts';
import type { TaskErrorCode } from '@sextant/workers/src/protocol/taskResult.ts';
import { compiledRules, isOwnRules, problemText } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { countText } from '../../../platform/countText.ts';
import { type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { type Outcome, reject, type Rejection } from '../../../platform/errors.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { Market } from '../../market/port.ts';
import { loadRuleInputs } from '../../signals/ruleInputs.ts';
import {
  readEnded,
  readSeriesFor,
  readUniverseDays,
  REPLAY_EXCHANGE,
  type ReplayedCandles,
  type ReplaySources,
} from './replayInputs.ts';
import { EngineFailure, readEngineHash, type ReplayDeps, SYMBOL_PAUSE_MS, TASK_MS, valueOf } from './replayRecord.ts';
import { unpackSignals } from './replayRepository.ts';
import { type ActiveReplay, endReplay, postponeTurn, takeTurn } from './strategyReplays.ts';
import {
  endSymbol,
  nextWork,
  type PlannedSymbol,
  postponeSymbol,
  readStrategySeries,
  storePlan,
} from './strategyReplaySeries.ts';
import { largestByTurnover } from './universeDays.ts';

/**
 * Replays saved strategies at the request of their owners: in turns of one symbol, so that no account waits for another one's whole
 * replay. docs/signals.md#replay has the method and its limits.
 */

const ATTEMPTS_MAX = 3;
/** Until the next attempt, where the exchange names no time. */
const RETRY_MS = 2 * MINUTE_MS;
const ERROR_MAX = 300;

export type StrategyReplayDeps = Omit<ReplayDeps, 'market' | 'now'> & {
  market: ReplayDeps['market'] & Pick<Market, 'fundingHistory'>;
  retryMs?: number;
};

/** Turns until no request is due or the node must stop. Its state is in the database: another node continues it. @returns the number of turns */
export async function replayStrategies(deps: StrategyReplayDeps): Promise<number> {
  const { config, signal, pauseMs = SYMBOL_PAUSE_MS } = deps;
  let engineHash: string | undefined;
  let count = 0;
  while (signal?.aborted !== true) {
    const replay = await write(deps, (tx) => takeTurn(tx, config.market));
    if (replay === null) return count;
    try {
      engineHash ??= await readEngineHash(deps.engine);
      await takeOneTurn(deps, replay, engineHash);
    } catch (error) {
      // Reported by the caller. Where this cannot be stored, the turn was no attempt.
      await stopTurn(deps, replay, causeOf(error)).catch(() => undefined);
      throw error;
    }
    count += 1;
    await delay(pauseMs * weightOf(replay.value), undefined, signal === undefined ? {} : { signal }).catch(
      () => undefined,
    );
  }
  return count;
}

const write = <T>({ db, assertLeader }: StrategyReplayDeps, work: (tx: SystemTx) => Promise<T>): Promise<T> =>
  withSystem(db, async (tx) => {
    await assertLeader(tx);
    return work(tx);
  });

async function takeOneTurn(deps: StrategyReplayDeps, replay: ActiveReplay, engineHash: string): Promise<void> {
  const unfit = whyUnfit(replay.value);
  if (unfit !== null) return end(deps, replay, { error: unfit });
  const sources = { market: deps.market, history: deps.history, now: () => replay.requestedAt.getTime() };
  const find = () => write(deps, (tx) => nextWork(tx, replay, engineHash));
  let work = await find();
  if (work.kind === 'unplanned') {
    const plan = await planOf(sources, replay);
    if (!plan.ok) return stopTurn(deps, replay, causeOfRejection(plan.error));
    await write(deps, (tx) => storePlan(tx, replay, plan.value));
    work = await find();
  }
  if (work.kind === 'complete') return finish(deps, replay);
  if (work.kind !== 'symbol') return;
  const { symbol, attempts } = work;
  const run = await replaySymbol(deps, sources, replay, work);
  if (run.ok) return write(deps, (tx) => endSymbol(tx, replay, symbol, run.value));
  const { text, isFinal = false, isCounted, afterMs = deps.retryMs ?? RETRY_MS } = run.error;
  if (isFinal || (isCounted && attempts + 1 >= ATTEMPTS_MAX))
    return write(deps, (tx) => endSymbol(tx, replay, symbol, { failure: text }));
  return write(deps, (tx) => postponeSymbol(tx, replay, symbol, { afterMs, isCounted }));
}

/** Why a turn or a symbol stopped. */
interface Cause {
  /** As its owner reads it: a sentence. */
  text: string;
  /** A busy server is no attempt. */
  isCounted: boolean;
  /** Another attempt has the same outcome. */
  isFinal?: boolean;
  afterMs?: number;
}

function causeOfRejection({ code, message, retryAfterS }: Rejection): Cause {
  const isFinal = code === 'symbol_unknown';
  const text = /[.!?]$/.test(message) ? message : `${message}.`;
  const afterMs = retryAfterS === undefined ? undefined : retryAfterS * 1000;
  return { text, isFinal, isCounted: code !== 'overloaded', ...withoutUndefined({ afterMs }) };
}

const engineTexts: Partial<Record<TaskErrorCode, string>> = {
  deadline_exceeded: 'The computation took too long.',
  out_of_memory: 'The computation needed too much memory.',
};

const causeOfEngine = (code: TaskErrorCode): Cause => {
  // Not a fault of the symbol: the pool is busy, or this node stops.
  const isCounted = code !== 'overloaded' && code !== 'cancelled';
  return { text: engineTexts[code] ?? 'The computation failed.', isCounted, isFinal: isCounted };
};

const causeOf = (error: unknown): Cause =>
  error instanceof EngineFailure ? causeOfEngine(error.code) : { text: 'Something failed here.', isCounted: true };

/** The request is continued later, or ends with the cause after the last attempt. */
function stopTurn(deps: StrategyReplayDeps, replay: ActiveReplay, cause: Cause): Promise<void> {
  const { text, isCounted, afterMs = deps.retryMs ?? RETRY_MS } = cause;
  if (isCounted && replay.attempts + 1 >= ATTEMPTS_MAX)
    return end(deps, replay, { error: `The replay stopped three times: ${text} Start it again later.` });
  return write(deps, (tx) => postponeTurn(tx, replay, { afterMs, isCounted }));
}

/** Why the strategy cannot be replayed; null: it can. */
export function whyUnfit(strategy: Strategy): string | null {
  const scanned: readonly string[] = signalIntervals;
  const unread = strategy.intervals.find(({ interval }) => !scanned.includes(interval));
  if (unread !== undefined)
    return `Scans read ${signalIntervals.join(', ')} candles; this strategy uses ${unread.interval}.`;
  const holdBars = strategy.holdingBarsMax;
  if (holdBars >= replayLimits.candles)
    return `Replays cover ${countText(replayLimits.candles)} candles; this strategy holds up to ${countText(holdBars)}. Shorten its holding time.`;
  const compiled = isOwnRules(strategy) ? compiledRules(strategy) : undefined;
  if (compiled?.ok === false)
    return `The rules no longer compile: ${problemText(compiled.error[0])}`.slice(0, ERROR_MAX);
  const excess = findExcess(strategy);
  if (excess === undefined) return null;
  const [count, most] = [excess.count, BACKGROUND_CANDLES_MAX].map(countText);
  return `This strategy reads ${count} ${excess.interval} candles before each signal, a replay at most ${most}. Shorten its averages.`;
}

/** Pages of candles of a symbol that the pause after it is meant for: as many as of Live rules. */
const USUAL_PAGES = 6;
const PAGE_CANDLES = 1000;

/** Reads of a symbol, as a multiple of the usual ones; at least 1. */
export function weightOf(strategy: Strategy): number {
  if (whyUnfit(strategy) !== null) return 1;
  const pages = strategy.intervals.map(({ interval }) =>
    Math.ceil((replayLimits.candles + candlesOfSignal(strategy, interval)) / PAGE_CANDLES),
  );
  return Math.max(1, pages.reduce((sum, count) => sum + count, 0) / USUAL_PAGES);
}

/** The universe of each past day, whole: with a part of it the outcomes would be others. */
async function planOf(sources: ReplaySources, replay: ActiveReplay): Promise<Outcome<PlannedSymbol[]>> {
  const listed = await inBackground(() => sources.market.symbols({ exchange: REPLAY_EXCHANGE }));
  if (!listed.ok) return listed;
  const ended = await readEnded(sources, listed.value.value);
  if (!ended.ok) return ended;
  const universe = await readUniverseDays(sources, [...listed.value.value, ...ended.value], replayLimits.daySymbols);
  if (universe.failure !== undefined) return failWith(universe.failure);
  if (universe.days.size === 0) return reject('upstream_unavailable', 'The exchange sent no daily candles.');
  const endedSymbols = new Set(ended.value.map(({ symbol }) => symbol));
  const past = [...universe.days].flatMap(([symbol, days]) => {
    const candles = universe.candles.get(symbol);
    return candles === undefined ? [] : [{ symbol, days, candles }];
  });
  const replayed = largestByTurnover(past, {
    symbolsMax: replayLimits.symbols,
    spanMs: replayLimits.candles * intervalMs[baseOf(replay.value)],
    endMs: replay.requestedAt.getTime(),
  });
  return ok(replayed.map(({ symbol, days }) => ({ symbol, universeDays: days, hasEnded: endedSymbols.has(symbol) })));
}

/** No signals where there are too few candles. */
async function replaySymbol(
  deps: StrategyReplayDeps,
  sources: ReplaySources,
  { value: strategy, version }: ActiveReplay,
  { symbol, universeDays, hasEnded }: PlannedSymbol,
): Promise<Result<{ signals: ReplayedColumns; openCount: number }, Cause>> {
  const nothing = ok({ signals: unpackSignals(Buffer.alloc(0)), openCount: 0 });
  const read = await readSeries(sources, strategy, symbol);
  if (!read.ok) return failWith(causeOfRejection(read.error));
  const [base] = read.value;
  const least = candlesOfSignal(strategy, baseOf(strategy));
  if (base === undefined || base.candles.time.length < least) return nothing;
  const { interval, candles } = base;
  const place = { exchange: REPLAY_EXCHANGE, symbol, interval, candles } as const;
  const ruleInputs = await inBackground(() => loadRuleInputs(deps.market, strategy, place));
  if (ruleInputs === null) return failWith({ text: 'Funding or mark prices could not be read.', isCounted: true });
  const run = await deps.engine.run(
    'replayStrategy',
    {
      timeframes: timeframesOf(read.value, strategy),
      strategy,
      version,
      fromIndex: Math.max(least - 1, candles.time.length - replayLimits.candles),
      universeDays,
      hasEnded,
      ...withoutUndefined({ ruleInputs }),
    },
    { deadlineMs: TASK_MS },
  );
  if (run.ok) return run;
  // A contract that was listed for a short time has too few candles of a longer interval.
  return run.error.code === 'too_short' ? nothing : failWith(causeOfEngine(run.error.code));
}

/** Candles of the intervals of the strategy, the base first: all that its signals on the scored candles read. */
const readSeries = (sources: ReplaySources, strategy: Strategy, symbol: string): Promise<Outcome<ReplayedCandles[]>> =>
  readSeriesFor(
    sources,
    symbol,
    strategy.intervals.map(({ interval }) => interval),
    (interval, base) =>
      base === undefined
        ? replayLimits.candles + candlesOfSignal(strategy, interval)
        : contextCount(candleWindow(base.candles.time, base.stepMs), interval, strategy),
  );

async function finish(deps: StrategyReplayDeps, replay: ActiveReplay): Promise<void> {
  const stored = await withSystem(deps.db, (tx) => readStrategySeries(tx, replay, baseOf(replay.value)));
  const { failedCount, failure, ...input } = stored;
  if (failedCount === input.series.length)
    return end(deps, replay, { error: `No symbol was replayed: ${failure ?? ''} Start the replay again.` });
  return end(deps, replay, { report: valueOf(await deps.engine.run('replayReport', input, { deadlineMs: TASK_MS })) });
}

const end = (deps: StrategyReplayDeps, replay: ActiveReplay, how: Parameters<typeof endReplay>[2]): Promise<void> =>
  write(deps, (tx) => endReplay(tx, replay, how));
