import { z } from 'zod';
import type { Candles } from '../protocol.ts';

const Column = z.array(z.number()).min(1);

/** Candles as columns of equal length, oldest first. Order, length and plausibility are the task's to check, with the row named. */
export const CandlesWire = z
  .strictObject({
    time: Column.meta({ description: 'Open of each candle, epoch ms UTC, strictly increasing.' }),
    open: Column,
    high: Column,
    low: Column,
    close: Column,
    volume: Column.meta({ description: 'Base units, >= 0; a candle without volume is never traded in.' }),
  })
  .meta({ description: 'Closed candles as columns of one length, oldest first.' });

export function candlesFromWire(wire: z.output<typeof CandlesWire>): Candles {
  return {
    time: Float64Array.from(wire.time),
    open: Float64Array.from(wire.open),
    high: Float64Array.from(wire.high),
    low: Float64Array.from(wire.low),
    close: Float64Array.from(wire.close),
    volume: Float64Array.from(wire.volume),
  };
}

/** JSON has no NaN: a value that is not defined yet is null. */
export function columnToWire(column: Float64Array): (number | null)[] {
  return Array.from(column, (value) => (Number.isFinite(value) ? value : null));
}
