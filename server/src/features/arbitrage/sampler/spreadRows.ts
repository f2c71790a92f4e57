import type { ExchangeId } from '../../market/port.ts';

/** Encoding of five minutes of spreads in one row of `arbitrage_spreads`: 30 integers of two bytes, in ten-thousandths of a percent. */

export interface Direction {
  buy: ExchangeId;
  sell: ExchangeId;
}

export const directions: readonly Direction[] = [
  { buy: 'binance', sell: 'bybit' },
  { buy: 'bybit', sell: 'binance' },
  { buy: 'binance', sell: 'okx' },
  { buy: 'okx', sell: 'binance' },
  { buy: 'bybit', sell: 'okx' },
  { buy: 'okx', sell: 'bybit' },
];

export const MINUTES_PER_ROW = 5;

export const directionIndex = ({ buy, sell }: Direction): number =>
  directions.findIndex((each) => each.buy === buy && each.sell === sell);

/** Units per percent: the largest distinguishable spread is 3.2766 %. */
const PARTS_PER_PCT = 10_000;
/** A minute without a sample. */
export const NOT_SAMPLED = -32_768;
const LARGEST = 32_767;

export const storedOfPercent = (pct: number): number =>
  Math.max(-LARGEST, Math.min(LARGEST, Math.round(pct * PARTS_PER_PCT)));

export const percentOfStored = (stored: number | undefined): number | null =>
  stored === undefined || stored === NOT_SAMPLED ? null : stored / PARTS_PER_PCT;
