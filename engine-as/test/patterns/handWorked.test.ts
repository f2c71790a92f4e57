import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { patternRegistry } from '../../abi/patterns.ts';
import { loadEngine } from '../support.ts';
import { before, cases } from './cases.ts';
import { type Candle, columnsOf, entryOf, findPattern } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const lastOf = (id: string, candles: Candle[]): number | undefined =>
  findPattern(engine, entryOf(id), columnsOf([...before, ...candles])).at(-1);

describe('worked by hand', () => {
  it.each(cases)('$id is $value, and nothing when one figure is another', ({ id, value, candles, miss }) => {
    expect(lastOf(id, candles)).toBe(value);
    expect(lastOf(id, miss)).toBe(0);
  });

  it('is each pattern of the registry', () => {
    expect(new Set(cases.map(({ id }) => id))).toEqual(new Set(patternRegistry.map(({ id }) => id)));
  });

  it('requires the depth that the penetration sets', () => {
    const entry = entryOf('darkCloudCover');
    const columns = columnsOf([...before, [100, 103.2, 99.9, 103], [103.5, 103.6, 100.9, 101.6]]);
    // 103 - 3 * 0.5 = 101.5 is not reached by 101.6; 103 - 3 * 0.4 = 101.8 is.
    expect(findPattern(engine, entry, columns, 0.5).at(-1)).toBe(0);
    expect(findPattern(engine, entry, columns, 0.4).at(-1)).toBe(-100);
  });
});
