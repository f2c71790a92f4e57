import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { PATTERN_COUNT } from '../../abi/patternKinds.ts';
import { type PatternEntry, patternRegistry } from '../../abi/patterns.ts';
import { STATUS_BAD_PARAMETER } from '../../abi/status.ts';
import { type Columns, firstCandles } from '../candles.ts';
import { referencePattern } from '../reference/patterns.ts';
import { loadEngine, pushColumns } from '../support.ts';
import { vectorInputs } from '../vectors/inputs.ts';
import { gridMarket, plantedMarket } from './markets.ts';
import { columnsOf, findPattern } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const each = patternRegistry.map((entry) => [entry.id, entry] as const);

const mirrored = ({ open, high, low, close }: Columns): Columns =>
  columnsOf(Array.from(close, (c, i) => [1024 - open[i]!, 1024 - low[i]!, 1024 - high[i]!, 1024 - c] as const));

/** What TA-Lib found in one input: candles by value, those with 0 left out (test/vectors/talib.c). */
interface Match {
  input: string;
  pattern: string;
  begin: number;
  penetration?: number;
  candles: Record<string, number[]>;
}

describe('values of TA-Lib', () => {
  const vectors = JSON.parse(
    readFileSync(join(import.meta.dirname, '../vectors/talibPatterns.json'), 'utf8'),
  ) as readonly Match[];
  const vectorsOf = (entry: PatternEntry) => vectors.filter(({ pattern }) => `TA-Lib ${pattern}` === entry.source);

  it('cover every pattern in three markets, and every pattern occurs', () => {
    const rows = each.map(([id, entry]) => [id, vectorsOf(entry)] as const);
    expect(rows.filter(([, { length }]) => length !== 3)).toEqual([]);
    const absent = rows.filter(([, matches]) => matches.every(({ candles }) => Object.keys(candles).length === 0));
    expect(absent.map(([id]) => id)).toEqual([]);
  });

  it.each(each)('%s is equal at every candle of three markets', (_, entry) => {
    for (const { input, begin, penetration, candles } of vectorsOf(entry)) {
      expect(entry.penetration).toBe(penetration);
      expect(begin).toBe(entry.first);
      const matches: Record<string, number[]> = {};
      findPattern(engine, entry, vectorInputs[input]!()).forEach((value, i) => {
        if (value !== 0) (matches[value] ??= []).push(i);
      });
      expect(matches, input).toEqual(candles);
    }
  });
});

/** The same rule with colours and directions exchanged; the others are of one direction, or of white candles only. */
const symmetric = new Set(
  patternRegistry.filter(({ lean, id }) => lean === 'either' && id !== 'sideBySideWhite').map(({ id }) => id),
);
const mirrorOf: Record<string, string> = {
  morningStar: 'eveningStar',
  eveningStar: 'morningStar',
  morningDojiStar: 'eveningDojiStar',
  eveningDojiStar: 'morningDojiStar',
};

/** A body of 0 is white in both pictures: the candles with one in reach of a pattern. */
const nearFlatBody = ({ open, close }: Columns): boolean[] =>
  Array.from(close, (_, i) => Array.from({ length: 9 }, (__, back) => i - back).some((k) => open[k] === close[k]));

describe('on random candles of a coarse grid and on planted patterns', () => {
  const markets = [gridMarket(6000, 1), gridMarket(6000, 2), plantedMarket(1500, 3), plantedMarket(1500, 4)];

  const pictures = markets.map((candles) => ({ turned: mirrored(candles), isTouched: nearFlatBody(candles) }));

  it.each(each)('%s is what the reference says', (id, entry) => {
    let count = 0;
    for (const candles of markets) {
      const want = referencePattern(id, candles, entry.first, entry.penetration ?? 0);
      const match = findPattern(engine, entry, candles);
      expect(match.length).toBe(want.length);
      // Plain comparisons: an `expect` for each candle is most of the run.
      const at = want.findIndex((value, i) => match[i] !== value);
      expect(at, `at ${at} ${match[at]}, want ${want[at]}`).toBe(-1);
      count += want.filter((value) => value !== 0).length;
    }
    expect(count, 'too rare here to be compared').toBeGreaterThan(10);
  });

  it.each(each.filter(([id]) => symmetric.has(id) || id in mirrorOf))('%s turns with the picture', (id, entry) => {
    const other = patternRegistry.find((each) => each.id === (mirrorOf[id] ?? id)) as PatternEntry;
    markets.forEach((candles, k) => {
      const { turned: picture, isTouched } = pictures[k]!;
      const values = findPattern(engine, entry, candles);
      const turned = findPattern(engine, other, picture);
      const at = values.findIndex((value, i) => !isTouched[i] && turned[i] !== (value === 0 ? 0 : -value));
      expect(at, `${id} at ${at}: ${values[at]} turned is ${turned[at]}`).toBe(-1);
    });
  });

  it.each(each)('%s does not look ahead', (_, entry) => {
    const candles = gridMarket(400, 9);
    const whole = findPattern(engine, entry, candles);
    for (const length of [0, 1, entry.first, entry.first + 1, 50, 123, 399])
      expect([...findPattern(engine, entry, firstCandles(candles, length))]).toEqual([...whole.subarray(0, length)]);
  });
});

it('rejects an unknown pattern and an invalid penetration, and writes nothing', () => {
  engine.raw.arenaReset();
  const columns = pushColumns(engine, gridMarket(20, 1));
  const out = engine.reserveBytes(40);
  engine.u8View(out, 40).fill(7);
  for (const [kind, penetration] of [
    [-1, 0],
    [PATTERN_COUNT, 0],
    [0, NaN],
    [0, -0.1],
    [0, 11],
  ] as const)
    expect(engine.raw.pattern(kind, columns, 20, penetration, out)).toBe(STATUS_BAD_PARAMETER);
  expect([...engine.u8View(out, 40)].every((byte) => byte === 7)).toBe(true);
});

it('gives back the memory it used', () => {
  engine.raw.arenaReset();
  const candles = gridMarket(300, 1);
  const columns = pushColumns(engine, candles);
  const out = engine.reserveBytes(600);
  const mark = engine.raw.arenaMark();
  for (const { kind } of patternRegistry) engine.raw.pattern(kind, columns, 300, 0.3, out);
  expect(engine.raw.arenaMark()).toBe(mark);
});

it('counts as many patterns as it numbers, each once', () => {
  expect(patternRegistry.map(({ kind }) => kind)).toEqual(Array.from({ length: PATTERN_COUNT }, (_, kind) => kind));
  expect(new Set(patternRegistry.map(({ id }) => id)).size).toBe(PATTERN_COUNT);
});
