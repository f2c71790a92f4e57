import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { Reconciliation } from '../positions/reconcile.ts';
import type { BookCloseReason, BookPosition } from '../positions/bookTypes.ts';
import type { Size, SizingAccount, SizingMarket } from '../positions/sizing.ts';
import type { Candles } from './backtest.ts';

/**
 * Contract of the tasks on single positions: `shock` (applies a market move), `size` (sizes one position again), `replay` (steps one
 * position again) and `reconcile` (compares a closed position with the lab).
 */

export interface ShockItem {
  position: BookPosition;
  /** Last price, where the move starts. */
  markPrice: number;
  /** Move of this position's symbol as a whole: -0.03 is 3 % down. More than -1. */
  moveFraction: number;
  /** Average true range for a stop that trails by it; null leaves such a stop where it is. */
  range: number | null;
}

export interface ShockInput {
  items: ShockItem[];
  /** Equal parts of the way; each is a bar, after which a trailing stop may move. 1 to 1000. */
  parts: number;
  /** The price jumps to its end: a stop is filled there, not at its level. */
  isGap: boolean;
}

export interface ShockOutcome {
  /** Null when the position is still open at the end. */
  closeReason: BookCloseReason | null;
  /** Where the symbol stands at the end. */
  endPrice: number;
  /** Fill of the close; null while open. */
  exitPrice: number | null;
  /** USDT gained on the way; a close has paid its fee. */
  pnl: number;
  /** Active at the end. */
  stopPrice: number;
  /** Fraction of the way (0 to 1) after which the position was closed; null while open. */
  closedAt: number | null;
}

export interface ShockResult {
  /** In the order of the items. */
  outcomes: ShockOutcome[];
  /** USDT of all items together after each part; the first value is 0, before the move. f64[parts + 1], with a gap f64[2]. */
  path: Float64Array;
}

export interface SizeInput {
  /** Entry, stop and leverage are the input of the sizing; quantity and liquidation price are its result. */
  position: BookPosition;
  /** Its liquidation formula applies. */
  exchange: VenueId;
  account: SizingAccount;
  market: SizingMarket;
}

export interface SizeResult {
  size: Size;
  /** The position in that size; unchanged after an error. */
  position: BookPosition;
}

export interface ReplayInput {
  /** The position as it was opened, or a hypothetical one. */
  position: BookPosition;
  /** Closed candles from the opening on; candles that started before it are ignored. */
  candles: Candles;
  /** Length of a candle. */
  spanMs: number;
  /** Average true range known at the close of each candle, for a stop that trails by it; NaN where there is none. */
  ranges: Float64Array | null;
}

export interface ReplayResult {
  /** Null when the position outlived the candles. */
  closed: {
    /** Close of the candle that showed it, epoch ms. */
    atMs: number;
    price: number;
    reason: BookCloseReason;
    exitFee: number;
    /** Stop and target lay in the same candle: the loss was taken first. */
    isAmbiguous: boolean;
  } | null;
  /** Active stop after each candle; NaN from the close on. f64[candles] */
  stops: Float64Array;
  armedAtMs: number | null;
}

export interface ReconcileInput {
  /** Its liquidation formula applies. */
  exchange: VenueId;
  /** The closed position as it was opened: one entry, one exit, levels and trailing of the opening. */
  position: BookPosition;
  /** Size of the signal, base units: what the lab opens. */
  plannedQuantity: number;
  /** `signal`: stop and target are prices of the signal, whatever the fill; `fill`: they are measured from the fill. */
  levels: 'signal' | 'fill';
  record: {
    /** Epoch ms. */
    closedAtMs: number;
    closePrice: number;
    /** Price of the market at the opening, before the costs of the fill; null: not recorded. */
    entryMarketPrice: number | null;
    /** Money as stored, eight decimals, USDT. */
    fees: string;
    funding: string;
    netPnl: string;
  };
  /** Close of the candle that gave the signal, epoch ms: the lab enters at the open that follows. */
  decidedAtMs: number;
  /** Every minute from `decidedAtMs` to the one in which the position closed, as stored now. */
  candles: Candles;
  /** The same minutes as they were known at the close; null: none was revised since. */
  firstSeen: Candles | null;
  /** Mark prices of the minutes; null: traded prices decide liquidations. */
  marks: Candles | null;
  /** Average true range known at the close of each minute; null: the stop follows none. */
  ranges: Float64Array | null;
  /** Settlements of the span, by the moment they are charged for; rates as fractions that longs pay. */
  fundings: { time: Float64Array; rate: Float64Array };
}

export interface ReconcileResult {
  /** Null when the lab opens nothing: the size is below the minimum, or the price beyond a level. */
  reconciliation: Reconciliation | null;
}
