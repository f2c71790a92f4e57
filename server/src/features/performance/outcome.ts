import type { Candles } from '@sextant/workers/src/protocol.ts';
import { defaultCosts } from '@sextant/workers/src/wire/defaults.ts';

/** The outcome of a signal by one fixed rule (docs/performance.md): target before stop before horizon, after fees. */

export interface SignalLevels {
  direction: 'LONG' | 'SHORT';
  stopLoss: number;
  takeProfit: number;
  /** Epoch ms from which on it could be acted on: its creation, never before its candle closed. */
  issuedAtMs: number;
  horizonMinutes: number;
}

export interface SignalOutcome {
  /** `DELISTED`: the exchange ended the contract; settled at the last price that was seen. */
  outcome: 'TP' | 'SL' | 'TIME' | 'DELISTED';
  entryPrice: number;
  exitPrice: number;
  /** Open of the candle the exit happened in, epoch ms. */
  exitAtMs: number;
  /** Fractions of the entry price. */
  grossFraction: number;
  feesFraction: number;
  netFraction: number;
  /** Stop and target in one candle: the stop was taken. */
  isAmbiguous: boolean;
}

/** A signal is over after three times the time it was expected to take, and after a week at the latest. */
const HORIZON_FACTOR = 3;
const HORIZON_MINUTES_MAX = 7 * 24 * 60;

/** Candles that are read for one signal. The finest interval that needs no more of them judges it. */
export const CANDLES_MAX = 1500;

/** Epoch ms of the first moment that no longer counts. */
export const deadlineOf = ({
  issuedAtMs,
  horizonMinutes,
}: Pick<SignalLevels, 'issuedAtMs' | 'horizonMinutes'>): number =>
  issuedAtMs + Math.min(HORIZON_FACTOR * horizonMinutes, HORIZON_MINUTES_MAX) * 60_000;

/**
 * Walks the closed candles that open after the signal was issued, oldest first. Null while it cannot be said: no level was touched and the deadline has
 * not passed, or a candle is missing on the way. An unresolved signal is not a lost one.
 */
export function resolveSignal(signal: SignalLevels, candles: Candles, stepMs: number): SignalOutcome | null {
  const side = signal.direction === 'LONG' ? 1 : -1;
  const deadlineMs = deadlineOf(signal);
  let entryPrice: number | undefined;
  const startMs = Math.ceil(signal.issuedAtMs / stepMs) * stepMs;
  for (let i = 0, expectedMs = startMs; i < candles.time.length; i++) {
    const bar = barAt(candles, i);
    if (bar.time < startMs) continue;
    // A hole could hide the very candle that decides.
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

/** A stop fills as far beyond its price as in a backtest with the default costs. */
const slipped = (side: number, price: number): number => price * (1 - side * defaultCosts.stopSlippageFraction);

/** The open first: one price has no order. A gap beyond a level is filled at the open. Inside the bar the stop comes first. */
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
 * Chance of the target at which target and stop, both after fees, come out even. Above 1 when not even the target pays its fees.
 * A level on the wrong side of the price gives null.
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
