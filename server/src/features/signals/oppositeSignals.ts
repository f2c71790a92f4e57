import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { candlesOfSignal } from '@sextant/workers/src/candles/strategyCandles.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { EnsembleResult, EnsembleTimeframe } from '@sextant/workers/src/protocol/ensemble.ts';
import { rulesOfStrategy, timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { isClosedBy } from '@sextant/workers/src/signals/closingSignals.ts';
import { compiledRules, isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { ensemble } from '@sextant/workers/src/tasks/ensemble.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import type { NewsVotes } from '../news/newsVotes.ts';
import { loadRuleInputs } from './ruleInputs.ts';

/** A position whose strategy closes it by a signal. */
export interface SignalWatched {
  id: string;
  exchange: ExchangeId;
  symbol: string;
  side: 'LONG' | 'SHORT';
  entryTimeMs: number;
  strategy: Strategy;
  version: string;
}

export interface SignalsDeps {
  market: Pick<Market, 'candles' | 'fundingHistory'>;
  newsVotes: Pick<NewsVotes, 'readAt'>;
}

/** A candle that is missing this long after its close is ignored. */
const LATE_MS = 5 * 60_000;

/** A signal of a strategy at the close of a base candle; `atr` is NaN when undefined. */
export type StrategySignal = Pick<EnsembleResult, 'direction' | 'rawConfidence' | 'price' | 'atr' | 'exits'>;

const none: StrategySignal = { direction: 'NEUTRAL', rawConfidence: 0, price: Number.NaN, atr: Number.NaN };

/** Candles of each interval, the base first, that end with the last close of it; undefined while some are missing. */
async function readSeries(
  market: SignalsDeps['market'],
  strategy: Strategy,
  place: { exchange: ExchangeId; symbol: string; userId?: string },
  closeMs: number,
) {
  const responses = await Promise.all(
    strategy.intervals.map(({ interval }) => {
      const limit = candlesOfSignal(strategy, interval);
      return market.candles({ ...place, interval, limit, endTimeMs: closeMs });
    }),
  );
  const series = [];
  for (const [i, { interval }] of strategy.intervals.entries()) {
    const response = responses[i];
    if (response?.ok !== true) return undefined;
    const stepMs = intervalMs[interval];
    const { candles } = response.value.value;
    const dueMs = Math.floor(closeMs / stepMs) * stepMs;
    if ((candles.time.at(-1) ?? 0) + stepMs !== dueMs) return undefined;
    series.push({ interval, stepMs, candles });
  }
  return series;
}

/** Signals of strategies at the close of their base candles, with the scanner's kernels. Not shared between threads. */
export function createStrategySignals({ market, newsVotes }: SignalsDeps, engine: Engine) {
  /** Close of the last judged candle, by position. */
  const judged = new Map<string, number>();

  /** Undefined while its candles are unavailable. @param userId whose share of fetches its reads use; absent: the service's */
  async function signalAt(
    { exchange, symbol, strategy, version }: Omit<SignalWatched, 'id' | 'side' | 'entryTimeMs'>,
    closeMs: number,
    userId?: string,
  ): Promise<StrategySignal | undefined> {
    // One stored text that no longer compiles must not stop the others.
    if (isOwnRules(strategy) && !compiledRules(strategy).ok) return none;
    const place = withoutUndefined({ exchange, symbol, userId });
    const series = await readSeries(market, strategy, place, closeMs);
    if (series === undefined) return undefined;
    const [base] = series;
    const ruleInputs = base && (await loadRuleInputs(market, strategy, { ...place, ...base }));
    if (ruleInputs === null) return undefined;
    const timeframes: EnsembleTimeframe[] = timeframesOf(series, strategy);
    // A close of the past has the vote of its own time.
    const baseCloseMs = base === undefined ? closeMs : Math.floor(closeMs / base.stepMs) * base.stepMs;
    const news = (await newsVotes.readAt(symbol, baseCloseMs)).vote;
    engine.raw.arenaReset();
    const rules = rulesOfStrategy({ value: strategy, version });
    const outcome = ensemble(engine, { ...rules, timeframes, ...withoutUndefined({ news, ruleInputs }) });
    return outcome.ok ? outcome.value : none;
  }

  return {
    signalAt,
    /** Positions that the signal of their last closed base candle closes. Each candle is judged once. @param nowMs exchange time */
    async findClosing(positions: readonly SignalWatched[], nowMs: number): Promise<string[]> {
      const known = new Set(positions.map(({ id }) => id));
      for (const id of judged.keys()) if (!known.has(id)) judged.delete(id);
      const responses = new Map<string, Promise<StrategySignal | undefined>>();
      const matches: string[] = [];
      for (const position of positions) {
        const { id, side, strategy, entryTimeMs, exchange, symbol, version } = position;
        const [base] = strategy.intervals;
        if (base === undefined) continue;
        const stepMs = intervalMs[base.interval];
        const closeMs = Math.floor(nowMs / stepMs) * stepMs;
        // Skips the candle that decided the entry, which closed before it.
        if (closeMs <= entryTimeMs || (judged.get(id) ?? 0) >= closeMs) continue;
        const key = `${exchange} ${symbol} ${version} ${closeMs}`;
        const response = responses.get(key) ?? signalAt(position, closeMs);
        responses.set(key, response);
        const signal = await response;
        if (signal === undefined && nowMs - closeMs < LATE_MS) continue;
        judged.set(id, closeMs);
        if (isClosedBy(signal ?? none, side, strategy)) matches.push(id);
      }
      return matches;
    },
  };
}
