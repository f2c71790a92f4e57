import type { Candles } from '../protocol/backtest.ts';
import { defaultCosts } from '../protocol/wire/defaults.ts';

/** The outcome of a signal by one fixed rule (docs/performance.md): target before stop before horizon, after fees. */

export interface SignalLevels {
  direction: 'LONG' | 'SHORT';
  stopLoss: number;
  takeProfit: number;
  /** Epoch ms from which it is tradable: its creation, never before its candle closed. */
  issuedAtMs: number;
  horizonMinutes: number;
}

export interface SignalOutcome {
  /** `DELISTED`: the exchange ended the contract; settled at the last known price. */
  outcome: 'TP' | 'SL' | 'TIME' | 'DELISTED';
  entryPrice: number;
  exitPrice: number;
  /** Open of the exit candle, epoch ms. */
  exitAtMs: number;
  /** Fractions of the entry price. */
  grossFraction: number;
  feesFraction: number;
  netFraction: number;
  /** Stop and target in one candle: counts as stop. */
  isAmbiguous: boolean;
}

/** A signal ends after three times its expected duration, and after a week at the latest. */
const HORIZON_FACTOR = 3;
const HORIZON_MINUTES_MAX = 7 * 24 * 60;

/** Maximum candles read for one signal. It is judged on the finest interval within this limit. */
export const CANDLES_MAX = 1500;

/** Epoch ms of the first moment after the horizon. */
export const deadlineOf = ({
  issuedAtMs,
  horizonMinutes,
}: Pick<SignalLevels, 'issuedAtMs' | 'horizonMinutes'>): number =>
  issuedAtMs + Math.min(HORIZON_FACTOR * horizonMinutes, HORIZON_MINUTES_MAX) * 60_000;

/**
 * Walks the closed candles that open after the signal was issued, oldest first. Null while unresolved: no level was touched and the
 * deadline has not passed, or a candle is missing on the way. An unresolved signal does not count as a loss.
 */
export function resolveSignal(signal: SignalLevels, candles: Candles, stepMs: number): SignalOutcome | null {
  const side = signal.direction === 'LONG' ? 1 : -1;
  const deadlineMs = deadlineOf(signal);
  let entryPrice: number | undefined;
  const startMs = Math.ceil(signal.issuedAtMs / stepMs) * stepMs;
  for (let i = 0, expectedMs = startMs; i < candles.time.length; i++) {
    const bar = barAt(candles, i);
    if (bar.time < startMs) continue;
    // A missing candle could be the deciding one.
    if (bar.time !== expectedMs) return null;
    expectedMs += stepMs;
    entryPrice ??= bar.open;
    const exit = exitOf(signal, side, bar) ?? timeOut(bar, expectedMs, deadlineMs);
    if (exit !== undefined) return outcomeOf(side, entryPrice, bar.time, exit);
  }
  return null;
}

interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

export const barAt = ({ time, open, high, low, close }: Candles, i: number): Bar => ({
  time: time[i] ?? Number.NaN,
  open: open[i] ?? Number.NaN,
  high: high[i] ?? Number.NaN,
  low: low[i] ?? Number.NaN,
  close: close[i] ?? Number.NaN,
});

type Exit = Pick<SignalOutcome, 'outcome' | 'exitPrice' | 'isAmbiguous'>;

/** A stop slips as in a backtest with the default costs. */
const slipped = (side: number, price: number): number => price * (1 - side * defaultCosts.stopSlippageFraction);

/** Checks the open first: a single price has no order. A gap beyond a level fills at the open. Inside the bar the stop comes first. */
function exitOf({ stopLoss, takeProfit }: SignalLevels, side: number, { open, high, low }: Bar): Exit | undefined {
  if (side * (open - stopLoss) <= 0) return { outcome: 'SL', exitPrice: slipped(side, open), isAmbiguous: false };
  if (side * (open - takeProfit) >= 0) return { outcome: 'TP', exitPrice: open, isAmbiguous: false };
  const [worst, best] = side > 0 ? [low, high] : [high, low];
  const isStopped = side * (worst - stopLoss) <= 0;
  const isTaken = side * (best - takeProfit) >= 0;
  if (isStopped) return { outcome: 'SL', exitPrice: slipped(side, stopLoss), isAmbiguous: isTaken };
  return isTaken ? { outcome: 'TP', exitPrice: takeProfit, isAmbiguous: false } : undefined;
}

const timeOut = ({ close }: Bar, closedAtMs: number, deadlineMs: number): Exit | undefined =>
  closedAtMs >= deadlineMs ? { outcome: 'TIME', exitPrice: close, isAmbiguous: false } : undefined;

export function outcomeOf(side: number, entryPrice: number, exitAtMs: number, exit: Exit): SignalOutcome {
  const grossFraction = (side * (exit.exitPrice - entryPrice)) / entryPrice;
  const feesFraction = defaultCosts.takerFeeFraction * (1 + exit.exitPrice / entryPrice);
  return { ...exit, entryPrice, exitAtMs, grossFraction, feesFraction, netFraction: grossFraction - feesFraction };
}

/**
 * Win chance at which target and stop break even, both after fees. Above 1 when not even the target covers its fees. Null for a level on
 * the wrong side of the price.
 */
export function breakEvenChance({
  direction,
  price,
  stopLoss,
  takeProfit,
}: Pick<SignalLevels, 'direction' | 'stopLoss' | 'takeProfit'> & { price: number }): number | null {
  const side = direction === 'LONG' ? 1 : -1;
  if (side * (takeProfit - price) <= 0 || side * (price - stopLoss) <= 0) return null;
  const netOf = (exit: Exit): number => outcomeOf(side, price, 0, exit).netFraction;
  const gain = netOf({ outcome: 'TP', exitPrice: takeProfit, isAmbiguous: false });
  const loss = netOf({ outcome: 'SL', exitPrice: slipped(side, stopLoss), isAmbiguous: false });
  return -loss / (gain - loss);
}
