import type { CloseReason, Costs, Trailing } from './protocol.ts';

/** Contract of the tasks on single positions: `shock` (what a market move would do to them) and `replay` (one position, lived again). */

/** An open position as the engine's step sees it. A level that is null is not there. Prices in quote currency. */
export interface OpenPosition {
  side: 'LONG' | 'SHORT';
  /** Epoch ms. */
  entryTimeMs: number;
  /** The fill. */
  entryPrice: number;
  /** Base units. */
  quantity: number;
  /** Isolated, USDT. */
  margin: number;
  /** In force now, trailed or not. */
  stopLossPrice: number | null;
  takeProfitPrice: number | null;
  liquidationPrice: number | null;
  /** Best price since the entry: the trailing stop follows it. */
  bestPrice: number;
  /** USDT so far; funding paid is positive. */
  fees: number;
  funding: number;
  trailing: Trailing;
}

/** What a fill costs; the rest of `Costs` is decided when a position is opened. */
export type FillCosts = Pick<
  Costs,
  'takerFeeFraction' | 'makerFeeFraction' | 'slippageFraction' | 'stopSlippageFraction' | 'takeProfitOrder' | 'tickSize'
>;

export interface ShockItem {
  position: OpenPosition;
  /** Last price, where the move starts. */
  markPrice: number;
  /** Of this position's symbol over the whole move: -0.03 is 3 % down. More than -1. */
  moveFraction: number;
  /** Average true range for a stop that trails by it; null leaves such a stop where it is. */
  atr: number | null;
  costs: FillCosts;
}

export interface ShockInput {
  items: ShockItem[];
  /** Equal parts of the way; each is a bar, after which a trailing stop may move. 1 to 1000. */
  parts: number;
  /** The price jumps to its end: a stop is filled there, not at its level. */
  isGap: boolean;
}

export interface ShockOutcome {
  /** TP, SL or LIQ; null when the position is still open at the end. */
  closeReason: CloseReason | null;
  /** Where the symbol stands at the end. */
  endPrice: number;
  /** Fill of the close; null while open. */
  exitPrice: number | null;
  /** USDT: worth at the end (or the net result of the close) less the worth before, after fees. */
  pnl: number;
  /** In force at the end. */
  stopLossPrice: number | null;
  /** Part of the way (0 to 1) at whose end the position was closed; null while open. */
  closedAt: number | null;
}

export interface ShockResult {
  /** In the order of the items. */
  outcomes: ShockOutcome[];
  /** USDT of all items together after each part; the first value is 0, before the move. f64[parts + 1], with a gap f64[2]. */
  path: Float64Array;
}
