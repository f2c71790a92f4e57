import type { Strategy, StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '../engine/engine.ts';
import type { BookPosition, StepEvent, WatchedBar } from '../positions/bookTypes.ts';
import { planPosition } from '../positions/plan.ts';
import { PositionBook } from '../positions/positionBook.ts';
import { rulesRow } from '../positions/rows.ts';
import { baseOf, stopSpanOf, strategyTrailing } from '../positions/strategyExits.ts';
import type { Candles } from '../protocol/backtest.ts';
import { defaultCosts } from '../protocol/wire/defaults.ts';
import { barAt, CANDLES_MAX, deadlineOf, outcomeOf, type SignalLevels, type SignalOutcome } from './outcome.ts';

/** Outcome of a signal by the exits of its strategy, computed with the position monitor's book. */

export interface StrategyTrade extends SignalLevels {
  id: string;
  /** Close of the deciding candle: its levels are measured from it. */
  price: number;
  strategy: Strategy;
}

export interface StrategyOutcome extends Omit<SignalOutcome, 'outcome'> {
  outcome: SignalOutcome['outcome'] | 'SIGNAL';
  deadlineMs: number;
}

/**
 * Latest exit, epoch ms: after the strategy's holding time, counted in candles from the opening one; without a holding time that of a
 * signal of the public record.
 */
export function deadlineOfTrade(trade: Pick<StrategyTrade, 'issuedAtMs' | 'horizonMinutes' | 'strategy'>): number {
  const { holdingBarsMax } = trade.strategy;
  const stepMs = stopSpanOf(trade.strategy);
  const lastMs = (Math.floor(trade.issuedAtMs / stepMs) + CANDLES_MAX - 2) * stepMs;
  const ownMs =
    holdingBarsMax > 0
      ? (Math.floor(trade.issuedAtMs / stepMs) + holdingBarsMax) * stepMs
      : Math.ceil(deadlineOf(trade) / stepMs) * stepMs;
  return Math.min(ownMs, lastMs);
}

export interface TradeCandles {
  candles: Candles;
  stepMs: number;
  /** The average true range of the base interval at a moment; NaN when unknown. */
  rangeAt: (atMs: number) => number;
  /** Close of the base candle with the opposite signal; null: none. */
  oppositeMs: number | null;
}

const FREE = { ageMs: 0, moveFraction: 0 };
const taker = defaultCosts.takerFeeFraction;
const noLevel = Number.NaN;

/** The true range implied by the distance of a level. */
const rangeOfLevel = (level: StrategyLevel, distance: number): number =>
  level.mode === 'atr' ? distance / level.multiple : noLevel;

/** Neither this class nor its engine is shared between threads. */
export class TradeSettler {
  readonly #engine: Engine;
  readonly #book: PositionBook;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#book = new PositionBook(engine, FREE);
  }

  /**
   * Entry at the open of the first candle after the signal, without slippage; a stop slips as in the public record, and the fees are the
   * same. Null while unresolved: it is open, or a candle is missing on the way.
   */
  settle(trade: StrategyTrade, given: TradeCandles): StrategyOutcome | null {
    const { candles, stepMs, oppositeMs } = given;
    const startMs = Math.ceil(trade.issuedAtMs / stepMs) * stepMs;
    const from = candles.time.findIndex((timeMs) => timeMs >= startMs);
    if (from < 0 || candles.time[from] !== startMs) return null;
    const deadlineMs = deadlineOfTrade(trade);
    const isTurned = oppositeMs !== null && oppositeMs < deadlineMs;
    const exitDue = isTurned
      ? { atMs: oppositeMs, reason: 'SIGNAL' as const }
      : { atMs: deadlineMs, reason: 'TIME' as const };
    const position = this.#open(trade, startMs, barAt(candles, from).open);
    if (position === null) return null;
    const closed = this.#walk({ ...position, exitDue }, from, given);
    if (closed === null) return null;
    const { entryPrice } = position;
    const exit = { exitPrice: closed.price, isAmbiguous: closed.isAmbiguous };
    const reason = closed.reason === 'LIQ' ? 'SL' : closed.reason;
    const side = trade.direction === 'LONG' ? 1 : -1;
    const exitAtMs = closed.atMs - stepMs;
    return { ...outcomeOf(side, entryPrice, exitAtMs, { outcome: 'SL', ...exit }), outcome: reason, deadlineMs };
  }

  #open(trade: StrategyTrade, timeMs: number, price: number): BookPosition | null {
    const { strategy, direction: side } = trade;
    const { stop, target } = strategy;
    const range =
      stop.mode === 'atr'
        ? rangeOfLevel(stop, Math.abs(trade.price - trade.stopLoss))
        : rangeOfLevel(target, Math.abs(trade.takeProfit - trade.price));
    const plan = planPosition(this.#engine, {
      // Without borrowed money there is no liquidation.
      exchange: 'binance',
      side,
      price,
      timeMs,
      quantity: 1,
      leverage: 1,
      stopPrice: trade.stopLoss,
      targetPrice: trade.takeProfit,
      tickSize: 0,
      stepSize: 0,
      minNotional: 0,
      maintenanceMarginFraction: 0,
      takerFeeFraction: taker,
      stopSlippageFraction: defaultCosts.stopSlippageFraction,
      strategy: { stop, target, range },
    });
    if (plan === null) return null;
    const { entryPrice, quantity, stopPrice, targetPrice } = plan;
    const levels = { entryPrice, quantity, stopPrice, targetPrice, bestPrice: entryPrice, liquidationPrice: null };
    const isByRange = strategy.trailing.mode === 'atr';
    return {
      ...levels,
      id: trade.id,
      side,
      entryTimeMs: timeMs,
      leverage: 1,
      isArmed: true,
      tickSize: 0,
      takerFeeFraction: taker,
      trailing: strategyTrailing(strategy),
      atr: isByRange ? { interval: baseOf(strategy), period: strategy.atrPeriod } : null,
      breakEvenR: strategy.breakEvenR,
      stopSpanMs: stopSpanOf(strategy),
    };
  }

  #walk(
    position: BookPosition,
    from: number,
    { candles, stepMs, rangeAt }: TradeCandles,
  ): Extract<StepEvent, { kind: 'closed' }> | null {
    // The rules given: as in the public record only a stop slips, in place of the market exits of the desk.
    this.#book.add(position.id, position, rulesRow(position));
    try {
      for (let i = from, expectedMs = position.entryTimeMs; i < candles.time.length; i++, expectedMs += stepMs) {
        const { time: timeMs, ...prices } = barAt(candles, i);
        // A missing candle could be the deciding one.
        if (timeMs !== expectedMs) return null;
        const bar: WatchedBar = { timeMs, spanMs: stepMs, ...prices, volume: candles.volume[i] ?? 0 };
        const events = this.#book.candle(position.id, bar, () => rangeAt(timeMs + stepMs));
        for (const event of events) if (event.kind === 'closed') return event;
      }
      return null;
    } finally {
      this.#book.remove(position.id);
    }
  }
}
