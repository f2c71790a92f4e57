import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId } from '../../market/port.ts';

/** Encoding of five minutes of spreads in one row of `arbitrage_spreads`: 30 integers of two bytes, in ten-thousandths of a percent. */

export interface Direction {
  buy: ExchangeId;
  sell: ExchangeId;
}

/** Every pair of exchanges both ways. Stored rows are in this order, so that an exchange added at the end of the list adds at its end. */
export const directions: readonly Direction[] = venueIds.flatMap((later, at) =>
  venueIds.slice(0, at).flatMap((earlier) => [
    { buy: earlier, sell: later },
    { buy: later, sell: earlier },
  ]),
);

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
