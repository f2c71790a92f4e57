import { TASK_CANDLES_MAX } from '../../core/limits.ts';
import { z } from 'zod';
import type { Candles } from '../backtest.ts';
import { numberColumn } from './column.ts';

/** Candles as columns of equal length, oldest first. Order, length and plausibility are the task's to check, with the row named. */
export function candlesWire(countMax: number) {
  const rules = { countMin: 1, countMax };
  const price = numberColumn(rules);
  const timeText = 'Open of each candle, epoch ms UTC, strictly increasing.';
  const volumeText = 'Base units, >= 0; a candle without volume is never traded in.';
  return z
    .strictObject({
      time: numberColumn({ ...rules, description: timeText }),
      open: price,
      high: price,
      low: price,
      close: price,
      volume: numberColumn({ ...rules, description: volumeText }),
    })
    .meta({ description: 'Closed candles as columns of one length, oldest first.' });
}

export const CandlesWire = candlesWire(TASK_CANDLES_MAX);

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
  // Without a callback for each value, which takes several times as long: a large search has a million of them.
  const list: (number | null)[] = Array.from(column);
  for (let i = 0; i < list.length; i++) if (!Number.isFinite(list[i])) list[i] = null;
  return list;
}
