import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { PATTERN_COUNT } from '../../abi/patternKinds.ts';
import { type PatternEntry, patternRegistry } from '../../abi/patterns.ts';
import { STATUS_BAD_PARAMETER } from '../../abi/status.ts';
import { type Columns, firstCandles, goldenWalk, mulberry } from '../candles.ts';
import { referencePattern } from '../reference/patterns.ts';
import { hasSharedData, readShared, sharedDataNote } from '../sharedData.ts';
import { loadEngine, pushColumns } from '../support.ts';
import { before, cases } from './cases.ts';
import { columnsOf, findPattern } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const each = patternRegistry.map((entry) => [entry.id, entry] as const);

/**
 * Candles on a grid of 1/16, so that gaps, equal prices and candles exactly on a threshold are common, in phases of different size so that
 * long and small bodies follow each other. Every price is exact, and so is its mirror image.
 */
function gridMarket(count: number, seed: number): Columns {
  const random = mulberry(seed);
  const steps = (most: number): number => Math.floor(random() * (most + 1)) / 16;
  let price = 512;
  let trend = 1;
  return columnsOf(
    Array.from({ length: count }, () => {
      if (random() < 0.2) trend = -trend;
      const size = [0, 2, 8, 40][Math.floor(random() * 4)]!;
      const tails = [0, 0, 3, 20][Math.floor(random() * 4)]!;
      const open = price + (random() < 0.5 ? steps(12) - steps(12) : 0);
      const close = open + trend * steps(size) * (random() < 0.8 ? 1 : -1);
      price = close < 256 || close > 1024 ? 512 : close;
      return [open, Math.max(open, close) + steps(tails), Math.min(open, close) - steps(tails), close] as const;
    }),
  );
}

/** The worked cases, one after the other in random order, each price a step off now and then: rare patterns and their near misses. */
function plantedMarket(caseCount: number, seed: number): Columns {
  const random = mulberry(seed);
  const near = (price: number): number =>
    Math.round(price * 64) / 64 + (random() < 0.15 ? Math.sign(random() - 0.5) / 32 : 0);
  const candles = Array.from({ length: caseCount }, () => cases[Math.floor(random() * cases.length)]!).flatMap(
    ({ candles: planted }) => [...before.slice(0, 12), ...planted],
  );
  return columnsOf(
    candles.map((candle) => {
      const [open, high, low, close] = candle.map(near) as [number, number, number, number];
      return [open, Math.max(open, high, close), Math.min(open, low, close), close] as const;
    }),
  );
}

const mirrored = ({ open, high, low, close }: Columns): Columns =>
  columnsOf(Array.from(close, (c, i) => [1024 - open[i]!, 1024 - low[i]!, 1024 - high[i]!, 1024 - c] as const));

interface Golden {
  inputs: { gaps: Record<'open' | 'high' | 'low' | 'close', number[]> };
  patterns: Record<
    string,
    {
      options: { optInPenetration?: number };
      begin: Record<string, number>;
      hits: Record<string, Record<string, number>>;
    }
  >;
}

function rowsOf(file: string, count: number): Columns {
  const rows = readShared(file)
    .trim()
    .split('\n')
    .slice(1, count + 1);
  return columnsOf(
    rows.map((row) => {
      const [, open = NaN, high = NaN, low = NaN, close = NaN] = row.split(',').map(Number);
      return [open, high, low, close];
    }),
  );
}

describe.skipIf(!hasSharedData)(`values of TA-Lib${sharedDataNote}`, () => {
  const golden = hasSharedData ? (JSON.parse(readShared('golden-patterns.json')) as Golden) : undefined;
  const inputs = new Map<string, Columns>();
  beforeAll(() => {
    const { gaps } = golden!.inputs;
    inputs.set('gaps', columnsOf(gaps.open.map((open, i) => [open, gaps.high[i]!, gaps.low[i]!, gaps.close[i]!])));
    inputs.set('walk', goldenWalk(3000, 4242));
    inputs.set('BTCUSDT-15m rows 0 to 1499', rowsOf('BTCUSDT-15m.csv', 1500));
    inputs.set('XRPUSDT-5m rows 0 to 1199', rowsOf('XRPUSDT-5m.csv', 1200));
  });

  it.each(each)('%s is equal at every candle of four markets', (_, entry) => {
    const { hits, begin, options } = golden!.patterns[entry.source.replace('TA-Lib ', '')]!;
    expect(entry.penetration).toBe(options.optInPenetration);
    expect([...inputs.keys()].sort()).toEqual(Object.keys(hits).sort());
    for (const [name, candles] of inputs) {
      expect(begin[name]).toBe(entry.first);
      const values = findPattern(engine, entry, candles);
      const found = Object.fromEntries([...values].flatMap((value, i) => (value === 0 ? [] : [[String(i), value]])));
      expect(found, name).toEqual(hits[name]);
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

/** A body of nothing is white in both pictures: the candles at which one lies within reach of a pattern. */
const nearFlatBody = ({ open, close }: Columns): boolean[] =>
  Array.from(close, (_, i) => Array.from({ length: 9 }, (__, back) => i - back).some((k) => open[k] === close[k]));

describe('on random candles of a coarse grid and on planted patterns', () => {
  const markets = [gridMarket(6000, 1), gridMarket(6000, 2), plantedMarket(1500, 3), plantedMarket(1500, 4)];

  const pictures = markets.map((candles) => ({ turned: mirrored(candles), isTouched: nearFlatBody(candles) }));

  it.each(each)('%s is what the reference says', (id, entry) => {
    let count = 0;
    for (const candles of markets) {
      const want = referencePattern(id, candles, entry.first, entry.penetration ?? 0);
      const found = findPattern(engine, entry, candles);
      expect(found.length).toBe(want.length);
      // Plain comparisons: an `expect` for each candle is most of the run.
      const at = want.findIndex((value, i) => found[i] !== value);
      expect(at, `at ${at} ${found[at]}, want ${want[at]}`).toBe(-1);
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

it('refuses an unknown pattern and a penetration that is none, and writes nothing', () => {
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
