import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { calibrated } from '@sextant/workers/src/signals/calibration.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { candlesOfSignal, contextCount } from '@sextant/workers/src/candles/strategyCandles.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { confidenceOf } from '@sextant/workers/src/signals/rescoring.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import { defaultCosts, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { MarketMode } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { runInTurn } from '../market/engineRuns.ts';
import type { FuturesSymbol, Market } from '../market/port.ts';
import type { ConfidenceBasis } from '../signals/confidenceBasis.ts';
import { readStrategyBases } from '../trackRecord/strategyRecord.ts';
import type { Preferences } from '../preferences/contract.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { lowConfidence, symbolsOf } from '@sextant/workers/src/signals/openingRules.ts';
import { readUniverse } from '../scan/findSignals.ts';
import { loadSeries } from '../signals/candles.ts';
import { loadRuleInputs } from '../signals/ruleInputs.ts';
import { marketRules } from '../signals/marketRules.ts';
import { recentText, type RecentSignals } from './contract.ts';

export interface RecentDeps {
  db: Db;
  market: Market;
  engine: EnginePool;
  config: { market: MarketMode };
  /** Longest wait of a save, milliseconds; `DEADLINE_MS` when absent. */
  recentDeadlineMs?: number;
}

/** Symbols with the largest turnover; more would use the exchange limits of scans. */
export const SYMBOLS_MAX = 100;
const LOADS_AT_ONCE = 12;
/** Engine tasks of one save at once: the threads of the engine serve all users. */
const RUNS_AT_ONCE = 2;
/** Maximum wait of a save; symbols without a result by then are left out and the response states how many. */
const DEADLINE_MS = 20_000;

/**
 * Counts the positions that saved rules would have opened in the last candles of the universe: their backtest on each symbol, with the
 * confidence limits of automatic opening. Null when the exchange returns no candles in time, or `disconnected` aborts.
 */
export async function countRecentSignals(
  deps: RecentDeps,
  userId: string,
  strategy: ChosenStrategy & { id: string },
  disconnected: AbortSignal,
): Promise<RecentSignals | null> {
  const { preferences, bases } = await withUser(deps.db, userId, async (tx) => ({
    preferences: await preferencesOf(tx),
    bases: await readStrategyBases(
      tx,
      { userId, strategyId: strategy.id, version: strategy.version },
      deps.config.market,
    ),
  }));
  const signal = AbortSignal.any([disconnected, AbortSignal.timeout(deps.recentDeadlineMs ?? DEADLINE_MS)]);
  const inTurn = createTurns(RUNS_AT_ONCE);
  const filter = {
    exchange: 'binance',
    symbols: null,
    whitelist: symbolsOf(preferences.whitelist),
    blacklist: symbolsOf(preferences.blacklist),
    maxSymbols: Math.min(SYMBOLS_MAX, preferences.max_symbols),
  } as const;
  const universe = await readUniverse(deps, filter, signal);
  if (!universe.ok) return null;
  const { chosen } = universe.value;
  const counts: number[] = [];
  let tooSmall = 0;
  const count = async (): Promise<void> => {
    const basis = bases.find(({ interval }) => interval === strategy.value.intervals[0]?.interval);
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let each = chosen[next++]; each !== undefined && !signal.aborted; each = chosen[next++]) {
        const run = await runOf(deps, userId, strategy, { symbol: each, preferences, signal, inTurn });
        if (run === null) continue;
        counts.push(openedBy(run.result, run.firstIndex, preferences, basis));
        tooSmall += run.result.summary.droppedSignals.tooSmall;
      }
    };
    await Promise.all(Array.from({ length: LOADS_AT_ONCE }, worker));
  };
  const counted = await runInTurn(deps.engine, userId, count);
  if (!counted.ok || counts.length === 0) return null;
  const opened = counts.reduce((sum, each) => sum + each, 0);
  const result = { opened, candles: SCORED_DEFAULT, symbols: counts.length, left_out: chosen.length - counts.length };
  return { ...result, ...recentText({ ...result, tooSmall, isOwnRules: strategy.value.rules !== undefined }) };
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs so many pieces of work at a time; others wait in their order. */
function createTurns(width: number): Turns {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

interface RunOptions {
  symbol: FuturesSymbol;
  preferences: Preferences;
  signal: AbortSignal;
  inTurn: Turns;
}

/** The backtest of the rules on the last candles of one symbol; null without enough of them. */
async function runOf(
  { market, engine }: RecentDeps,
  userId: string,
  { value }: ChosenStrategy,
  { symbol, preferences, signal, inTurn }: RunOptions,
): Promise<{ result: BacktestResult; firstIndex: number } | null> {
  const [base, ...longer] = value.intervals;
  if (base === undefined) return null;
  const request = { exchange: 'binance', symbol: symbol.symbol, userId, purpose: 'scan', signal } as const;
  const stepMs = intervalMs[base.interval];
  const limit = SCORED_DEFAULT + candlesOfSignal(value, base.interval);
  const series = await loadSeries(market, { ...request, interval: base.interval, limit });
  if (!series.ok) return null;
  const { candles } = series.value;
  const window = candleWindow(candles.time, stepMs);
  const context = await Promise.all(
    longer.map(({ interval }) =>
      loadSeries(market, { ...request, interval, limit: contextCount(window, interval, value) }),
    ),
  );
  const loaded = context.flatMap((each) => (each.ok ? [each.value.candles] : []));
  if (loaded.length < context.length) return null;
  const { tickSize, stepSize, minNotional, maxQuantity, maxLeverage } = marketRules(symbol);
  const leverage = Math.max(1, Math.min(preferences.leverage, Math.floor(maxLeverage ?? preferences.leverage)));
  const inputs = await loadRuleInputs(market, value, { ...request, interval: base.interval, candles });
  if (inputs === null) return null;
  const { funding, markPrices } = inputs ?? {};
  const costs = {
    ...defaultCosts,
    fundingSource: funding === undefined ? 'off' : 'history',
    ...(funding && { funding }),
    initialEquity: preferences.balance_usdt,
    // The size of automatic opening (sizePosition): its largest margin at its leverage.
    notional: (preferences.base_usdt ?? preferences.balance_usdt) * leverage,
    leverage,
    ...(tickSize > 0 && { tickSize }),
    ...(stepSize > 0 && { stepSize }),
    ...(minNotional > 0 && { minNotional }),
    maxQuantity,
  } as const;
  const scoredCount = Math.min(SCORED_DEFAULT, candles.time.length);
  const input = { candles, context: loaded, strategy: value, costs, scoredCount, ...(markPrices && { markPrices }) };
  const run = await inTurn(() => engine.run('backtestStrategy', input, { signal }));
  return run.ok ? { result: run.value, firstIndex: candles.time.length - scoredCount } : null;
}

/**
 * Entries that pass the confidence limits of automatic opening: by a measured chance, or by the score if the user enabled that.
 * @param firstIndex index of the first scored candle; the candle before an entry decided it
 */
export function openedBy(
  { trades, score }: Pick<BacktestResult, 'score'> & { trades: readonly { entryIndex: number }[] },
  firstIndex: number,
  preferences: Pick<Preferences, 'min_auto_conf_pct' | 'tuning_conf_floor' | 'min_conf_on_score'>,
  basis?: Pick<ConfidenceBasis, 'kind' | 'points'>,
): number {
  const rules = {
    minConfidencePct: preferences.min_auto_conf_pct,
    confidenceFloor: preferences.tuning_conf_floor,
    isScoreHeld: preferences.min_conf_on_score,
  };
  return trades.filter(({ entryIndex }) => {
    const raw = confidenceOf(score[entryIndex - 1 - firstIndex] ?? 1);
    const held =
      basis?.kind === 'calibrated'
        ? ({ confidence: calibrated(raw, basis.points), kind: 'calibrated' } as const)
        : ({ confidence: raw, kind: 'score' } as const);
    return lowConfidence({ ...held, isOfSavedRules: true }, rules) === undefined;
  }).length;
}
