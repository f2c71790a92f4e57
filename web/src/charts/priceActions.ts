import type { LoadedCandles } from '../api/candles.ts';
import type { IntervalName } from '../api/types.ts';

/** The market whose candles a chart shows. */
export interface ChartMarket {
  /** Id of the exchange that served the candles. */
  exchange: string;
  symbol: string;
  interval: IntervalName;
}

/** The market of loaded candles; null for a file. */
export const chartMarketOf = ({ exchange, label, interval }: LoadedCandles): ChartMarket | null =>
  exchange === null ? null : { exchange, symbol: label, interval };

/** An entry of the price menu of a chart. */
export interface PriceAction {
  id: string;
  /** @param price as the chart writes it, with the decimals of the tick */
  label: (price: string) => string;
  /**
   * @param price of the pointer or the crosshair, rounded to the tick's decimals
   * @param time open time of the candle there, epoch ms; after the newest candle the time that follows from their length
   */
  run: (price: number, time: number) => void;
}

/** The actions that a feature offers at a price of a market. */
type PriceActionSource = (market: ChartMarket) => readonly PriceAction[];

const sources = new Set<PriceActionSource>();

/** Adds a feature's actions to the price menu of every chart with a market, after those registered before. @returns removes them */
export function registerPriceActions(source: PriceActionSource): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/** The registered actions for a market, in the order of registration; none without one, as for candles of a file. */
export const priceActionsOf = (market: ChartMarket | null): PriceAction[] =>
  market === null ? [] : [...sources].flatMap((source) => source(market));

/** A point of a chart that the price menu opens at. */
export interface PriceSpot {
  price: number;
  /** Open time of the candle, epoch ms. */
  time: number;
  /** In the window, for the menu. */
  clientX: number;
  clientY: number;
}
