import type { OrderStep } from '@sextant/workers/src/orders/restingOrders.ts';
import type { WatchedBar } from '@sextant/workers/src/positions/bookTypes.ts';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import type { ClosedPosition } from '../closeHooks.ts';

/** A series that orders rest in. */
export interface OrderedSeries {
  exchange: string;
  symbol: string;
  /** Open of the first candle that may fill one of them, epoch ms. */
  firstMs: number;
}

/**
 * Orders that rest, for the watch of positions: it judges them with the prices and candles of their series, before the positions they open
 * are judged, and in its transactions. The feature of orders implements it. What is stored is all there is to know: `load` replaces memory,
 * and `reload` the part of it that changed.
 */
export interface RestingOrders {
  /** Reads every resting order of a market. */
  load(tx: SystemTx, market: MarketMode): Promise<OrderedSeries[]>;
  /** Reads the orders that changed. @returns every series that orders rest in then */
  reload(tx: SystemTx, market: MarketMode, ids: readonly string[]): Promise<OrderedSeries[]>;
  /** What a price makes due. Each order is due once, until it is loaded again. @param key `priceKey` of the series */
  tick(key: string, tick: { price: number; atMs: number; halfSpread?: number | null }): OrderStep[];
  /** The same for a closed candle. */
  candle(key: string, bar: WatchedBar): OrderStep[];
  /** Writes what became due, with the positions it opens, changes or closes. Returns those it closed. */
  write(tx: SystemTx, due: readonly OrderStep[]): Promise<ClosedPosition[]>;
  /** Cancels the orders of a contract that the exchange has ended. @param message the reason, in words */
  cancelEnded(
    tx: SystemTx,
    market: MarketMode,
    series: { exchange: string; symbol: string },
    message: string,
  ): Promise<void>;
}
