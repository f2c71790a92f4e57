import {
  CLOSE_LIQUIDATION,
  CLOSE_SIGNAL,
  CLOSE_STOP_LOSS,
  CLOSE_TAKE_PROFIT,
  CLOSE_TIME,
} from '@sextant/engine-as/abi/backtest.ts';
import type { PositionTrailing } from '@sextant/engine-as/abi/runParameters.ts';
import type { FillMarket } from './marketFill.ts';
import type { BookTarget } from './partialClose.ts';

/** An open position as the watch needs it. Prices in quote currency, quantity in base units. */
export interface BookPosition {
  id: string;
  side: 'LONG' | 'SHORT';
  entryTimeMs: number;
  entryPrice: number;
  quantity: number;
  leverage: number;
  /** Active now. */
  stopPrice: number;
  targetPrice: number;
  liquidationPrice: number | null;
  /** Best price since the entry, of whole candles; the entry itself at first. */
  bestPrice: number;
  isArmed: boolean;
  /** Its last addition, epoch ms: candles that opened before it reach no target. Absent or null: none. */
  addedAtMs?: number | null;
  /** Epoch ms at which it was armed; absent: before the first price or candle judged here. */
  armedAtMs?: number;
  /** 0: prices are not rounded. */
  tickSize: number;
  takerFeeFraction: number;
  trailing: BookTrailing;
  /** Which average true range the trailing stop follows; null: none. */
  atr: { interval: string; period: number } | null;
  /** The first stop; absent: the active one. */
  initialStopPrice?: number;
  /** The stop moves to the entry after a gain of this many first stop distances; absent or 0: never. */
  breakEvenR?: number;
  /** Its stop moves when candles of this length close, ms, as in the backtest of its strategy; absent: with each processed candle. */
  stopSpanMs?: number | null;
  /** From when on it leaves at the next price; absent: no exit is due. */
  exitDue?: ExitDue | null;
  /** Targets still ahead, nearest first; absent or one: the target closes all of it. */
  targets?: readonly BookTarget[] | null;
  /** Contract rules for closing a part; absent: none. */
  stepSize?: number;
  minNotional?: number;
  /** Changes by its owner that apply after the last judged candle, oldest first; absent: none. */
  changes?: readonly LevelChange[];
}

/** A change of levels by the owner. Prices of `atMs` and later meet the new levels, earlier ones the old levels. */
export interface LevelChange {
  /** Counts the changes of a position, from 1. */
  number: number;
  /** Epoch ms. */
  atMs: number;
  /** Null: the stop is unchanged, wherever it is by then. */
  stopPrice: number | null;
  targetPrice: number | null;
  /** Replaces the targets still ahead; null: one target closes all of it; absent: they are unchanged. */
  targets?: readonly BookTarget[] | null;
  /** Replaces trailing and break-even; null: both are unchanged. */
  trailing: ChangedTrailing | null;
}

export interface ChangedTrailing {
  trailing: BookTrailing;
  atr: BookPosition['atr'];
  /** The stop trails from this price on. */
  bestPrice: number;
}

export interface ExitDue {
  atMs: number;
  /** Its time is over, or the opposite signal has come. */
  reason: 'TIME' | 'SIGNAL';
}

/** Numbers of engine-as/abi/runParameters.ts; fractions: 0.005 is 0.5 %. An absent one is 0. */
export type BookTrailing =
  | { mode: 'off' }
  | ({ mode: 'percent'; stepFraction: number } & PositionTrailing<'percent'>)
  | ({ mode: 'atr' } & PositionTrailing<'atr'>);

/** One closed candle; `timeMs` is its open. */
export interface WatchedBar {
  timeMs: number;
  /** Length. */
  spanMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** 0: no trades, so nothing closes. */
  volume: number;
  /** Mark prices, which decide liquidations; absent: the traded prices do. */
  mark?: { open: number; high: number; low: number };
}

/** A position closes automatically only when it is this old and the price has been this far from its entry. */
export interface Guards {
  ageMs: number;
  moveFraction: number;
}
export const CLOSE_GUARDS: Guards = { ageMs: 60_000, moveFraction: 0.002 };

/** A billionth is rounding noise: 0.3 - 0.2994 is a little less than 0.2 % of 0.3. */
export const hasMoved = (entryPrice: number, price: number, { moveFraction }: Guards): boolean =>
  Math.abs(price - entryPrice) >= entryPrice * moveFraction * (1 - 1e-9);

export type BookCloseReason = 'LIQ' | 'SL' | 'TP' | 'TIME' | 'SIGNAL';

export const closeReasons: Record<number, BookCloseReason> = {
  [CLOSE_LIQUIDATION]: 'LIQ',
  [CLOSE_STOP_LOSS]: 'SL',
  [CLOSE_TAKE_PROFIT]: 'TP',
  [CLOSE_TIME]: 'TIME',
  [CLOSE_SIGNAL]: 'SIGNAL',
};

/** Effect of a price or a candle on a position. `atMs` is the moment it was known: the tick's, or the candle's close. */
export type StepEvent =
  | { kind: 'armed'; id: string; atMs: number; price: number }
  | { kind: 'trail_raised'; id: string; atMs: number; from: number; to: number; peak: number }
  /** A change by the owner applies from here on; the levels after it. */
  | { kind: 'changed'; id: string; atMs: number; number: number; stop: number; target: number; peak: number }
  /** A better price that moved no stop; reported so that it is stored. */
  | { kind: 'peak'; id: string; atMs: number; peak: number }
  /** A target closed its share. */
  | {
      kind: 'reduced';
      id: string;
      atMs: number;
      price: number;
      quantity: number;
      by: 'tick' | 'candle';
      exitFee: number;
      /** The observed price, or the level or open of a candle. */
      market: FillMarket;
      /** Still ahead after it, nearest first. */
      targets: readonly BookTarget[];
    }
  | {
      kind: 'closed';
      id: string;
      atMs: number;
      price: number;
      reason: BookCloseReason;
      by: 'tick' | 'candle';
      exitFee: number;
      /** The observed price, or the level or open of a candle, before the costs of the exit; null of a liquidation, which is no order. */
      market: FillMarket | null;
      /** Stop and target lay in the same candle: the loss was taken first. */
      isAmbiguous: boolean;
    };
