import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { BookCloseReason } from '../positions/bookTypes.ts';
import type { BookTarget } from '../positions/partialClose.ts';
import type { PracticeOrder, PracticeProblem } from '../positions/practiceOrder.ts';
import type { SizingMarket } from '../positions/sizing.ts';
import type { Candles, LeverageTier } from './backtest.ts';

/** Contract of the `practise` task: orders of a bar replay, filled on its candles by the simulator of live positions. Prices in quote currency. */

/** What the trader decided at the close of candle `at`; it takes effect with the next candle. */
export type PracticeAction = { at: number } & (
  | { kind: 'order'; order: PracticeOrder }
  | { kind: 'cancel' }
  | { kind: 'close' }
);

/** Rules of the contract that is practised on; 0 and null: unknown or none. */
export interface PracticeContract extends Omit<SizingMarket, 'maxLeverage'> {
  leverageMax: number | null;
  tiers: LeverageTier[] | null;
}

export interface PracticeInput {
  /** Candles that were seen, history included. */
  candles: Candles;
  /** Length of a candle. */
  spanMs: number;
  venue: VenueId;
  contract: PracticeContract;
  /** First candle of the practice. */
  from: number;
  /** USDT at its start. */
  equity: number;
  /** Oldest first. An order needs a free account: no position, unless it closes, and no working order. */
  actions: readonly PracticeAction[];
  /** An order that is typed and not placed; its figures are part of the result. */
  draft?: PracticeOrder;
}

export interface PracticeTrade {
  side: 'LONG' | 'SHORT';
  /** Indices into the candles. */
  entryIndex: number;
  exitIndex: number;
  entryPrice: number;
  /** Average of its exits. */
  exitPrice: number;
  /** Base units. */
  quantity: number;
  leverage: number;
  /** END: open at the last candle, valued as if it closed there. */
  closeReason: BookCloseReason | 'END';
  /** USDT, before and after fees. */
  grossPnl: number;
  netPnl: number;
  /** As ordered; null: none. */
  stopPrice: number | null;
  targetPrice: number | null;
}

export interface PracticeResult {
  /** Oldest first; the last one has `END` while a position is open. */
  trades: PracticeTrade[];
  open: {
    side: 'LONG' | 'SHORT';
    entryPrice: number;
    quantity: number;
    stopPrice: number | null;
    /** Null: no price liquidates it. */
    liquidationPrice: number | null;
    targets: readonly BookTarget[];
    isClosing: boolean;
  } | null;
  /** Not filled yet. */
  working: PracticeOrder | null;
  /** Mark to market at the close of each candle from `from`, USDT. f64[candles - from] */
  equity: Float64Array;
  /** Candles with an open position at their open or in them. */
  heldBarCount: number;
  /** Orders that were not placed, with the candle at whose close they were given, or not filled, with the candle they met; oldest first. */
  rejected: ({ at: number } & PracticeProblem)[];
  /** Null when the draft cannot be placed, or there is none. */
  draft: PracticePreview | null;
  /** Why the draft cannot be placed. */
  draftProblem: PracticeProblem | null;
}

/** The draft as if it were filled: a market order at the last close, others at their price, with slippage unless it is a limit. USDT. */
export interface PracticePreview {
  entryPrice: number;
  quantity: number;
  margin: number;
  liquidationPrice: number | null;
  /** Costs included; null without a stop. */
  lossAtStop: number | null;
  /** At each target, for its share. */
  gains: number[];
}
