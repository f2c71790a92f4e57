import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { expect } from 'vitest';
import { type PatternEntry, patternRegistry } from '../../abi/patterns.ts';
import { STATUS_OK } from '../../abi/status.ts';
import { type Columns, emptyColumns } from '../candles.ts';
import { pushColumns } from '../support.ts';

/** Open, high, low, close. */
export type Candle = readonly [number, number, number, number];

export function columnsOf(candles: readonly Candle[]): Columns {
  const columns = emptyColumns(candles.length);
  candles.forEach(([open, high, low, close], i) => {
    columns.time[i] = i * 3_600_000;
    columns.open[i] = open;
    columns.high[i] = high;
    columns.low[i] = low;
    columns.close[i] = close;
    columns.volume[i] = 1;
  });
  return columns;
}

export function entryOf(id: string): PatternEntry {
  const entry = patternRegistry.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`no pattern ${id}`);
  return entry;
}

/** The kernel's values of one pattern. */
export function findPattern(
  engine: Engine,
  entry: PatternEntry,
  candles: Columns,
  penetration = entry.penetration ?? 0,
): Int16Array {
  engine.raw.arenaReset();
  const length = candles.close.length;
  const columns = pushColumns(engine, candles);
  const out = engine.reserveBytes(2 * length + 2);
  engine.u8View(out, 2 * length).fill(0xa5); // a sentinel shows what was not written
  expect(engine.raw.pattern(entry.kind, columns, length, penetration, out)).toBe(STATUS_OK);
  return new Int16Array(engine.raw.memory.buffer, out, length).slice();
}
