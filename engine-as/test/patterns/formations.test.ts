import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ANCHORS_MAX, FORMATION_COUNT, SWING_WING } from '../../abi/formationKinds.ts';
import { type FormationEntry, formationRegistry } from '../../abi/formations.ts';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import { type Columns, firstCandles, goldenWalk, roughMarket } from '../candles.ts';
import { type FormationMatch, referenceFormation } from '../reference/formations.ts';
import { loadEngine, pushColumns } from '../support.ts';
import { columnsOf } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const entryOf = (id: string): FormationEntry => formationRegistry.find((each) => each.id === id)!;

/** The result of the kernel. */
function find({ kind }: FormationEntry, candles: Columns): FormationMatch[] {
  engine.raw.arenaReset();
  const { length } = candles.close;
  const columns = pushColumns(engine, candles);
  const out = engine.reserveBytes(2 * length + 2);
  const anchorsAt = engine.reserveBytes(4 * ANCHORS_MAX * length + 4);
  engine.u8View(out, 2 * length).fill(0xa5); // a sentinel shows what was not written
  expect(engine.raw.formation(kind, columns, length, out, anchorsAt)).toBe(STATUS_OK);
  const values = new Int16Array(engine.raw.memory.buffer, out, length);
  const anchors = engine.i32View(anchorsAt, ANCHORS_MAX * length);
  return [...values].flatMap((value, at) => {
    const own = [...anchors.subarray(at * ANCHORS_MAX, (at + 1) * ANCHORS_MAX)].filter((candle) => candle >= 0);
    if (value === 0) expect(own).toEqual([]);
    return value === 0 ? [] : [{ at, value, anchors: own }];
  });
}

/** Closes on straight legs from one price to the next, each candle 0.2 high. */
function path(start: number, legs: readonly (readonly [price: number, candles: number])[]): Columns {
  const closes = [start];
  for (const [price, count] of legs) {
    const from = closes.at(-1)!;
    for (let i = 1; i <= count; i++) closes.push(from + ((price - from) * i) / count);
  }
  return columnsOf(closes.map((close) => [close, close + 0.1, close - 0.1, close]));
}

/** Upside down: each price is 256 minus itself, exact for the prices used here. */
const turned = ({ open, high, low, close }: Columns): Columns =>
  columnsOf(Array.from(close, (c, i) => [256 - open[i]!, 256 - low[i]!, 256 - high[i]!, 256 - c] as const));

interface Worked extends FormationMatch {
  id: string;
  /** The same formation upside down. */
  mirror: string;
  candles: Columns;
  /** One price changed so that the rule no longer holds. */
  miss: Columns;
}

const worked: Worked[] = [
  {
    id: 'doubleTop',
    mirror: 'doubleBottom',
    // From 110.5 by 1.05 a candle: the seventh, 103.15, is the first below the low between the highs, 103.9.
    candles: path(105, [
      [100, 6],
      [110, 8],
      [104, 6],
      [110.5, 6],
      [100, 10],
    ]),
    at: 33,
    value: -100,
    anchors: [14, 20, 26],
    // 3 apart, and a fifth of the height of 9.2 is 1.84.
    miss: path(105, [
      [100, 6],
      [110, 8],
      [104, 6],
      [113, 6],
      [100, 10],
    ]),
  },
  {
    id: 'headAndShoulders',
    mirror: 'inverseHeadAndShoulders',
    // The neck rises from 103.9 at 14 to 104.4 at 30, so it is 104.775 at 42, where the close is 104.2; at 41 it is 105.25.
    candles: path(100, [
      [110, 8],
      [104, 6],
      [116, 8],
      [104.5, 8],
      [110.5, 6],
      [100, 10],
    ]),
    at: 42,
    value: -100,
    anchors: [8, 14, 22, 30, 36],
    // Shoulders 3 apart, and a fifth of 11.95 is 2.39.
    miss: path(100, [
      [110, 8],
      [104, 6],
      [116, 8],
      [104.5, 8],
      [113, 6],
      [100, 10],
    ]),
  },
  {
    id: 'ascendingTriangle',
    mirror: 'descendingTriangle',
    // The upper line, 110.1 at 14 and 110.3 at 26, is 110.43 at 34; the closes are 110 and then 111.
    candles: path(107, [
      [103, 6],
      [110, 8],
      [105, 6],
      [110.2, 6],
      [107, 4],
      [113, 6],
    ]),
    at: 34,
    value: 100,
    anchors: [14, 20, 26, 30],
    // Highs 3 apart, and a fifth of 10.2 is 2.04.
    miss: path(107, [
      [103, 6],
      [110, 8],
      [105, 6],
      [113, 6],
      [107, 4],
      [113, 6],
    ]),
  },
  {
    id: 'symmetricalTriangle',
    mirror: 'symmetricalTriangle',
    // The lower line, 99.9 at 6 and 102.9 at 20, is 104.83 at 29, when the second high is known; the close is 104.6.
    candles: path(104, [
      [100, 6],
      [110, 8],
      [103, 6],
      [107, 6],
      [99, 10],
    ]),
    at: 29,
    value: -100,
    anchors: [6, 14, 20, 26],
    // The highs fall by 1.5, and a fifth of 10.2 is 2.04.
    miss: path(104, [
      [100, 6],
      [110, 8],
      [103, 6],
      [108.5, 6],
      [99, 10],
    ]),
  },
  {
    id: 'flag',
    mirror: 'flag',
    // A pole of 4.2 after ranges of 0.2; its end is 104.1, and the closes are 104 at 36 and 104.5 at 37.
    candles: path(104, [
      [100, 24],
      [104, 6],
      [103, 4],
      [106, 6],
    ]),
    at: 37,
    value: 100,
    anchors: [24, 30, 37],
    // Half of the pole ends at 102.
    miss: path(104, [
      [100, 24],
      [104, 6],
      [101.5, 4],
      [107, 6],
    ]),
  },
  {
    id: 'channel',
    mirror: 'channel',
    // Both lines rise by 0.25 a candle; their distance is 4.7, their rise over 18 candles 4.5.
    candles: path(104, [
      [100, 6],
      [106, 6],
      [103, 6],
      [109, 6],
      [107, 4],
    ]),
    at: 27,
    value: 100,
    anchors: [6, 12, 18, 24],
    miss: path(104, [
      [100, 6],
      [106, 6],
      [103, 6],
      [111, 6],
      [109, 4],
    ]),
  },
  {
    id: 'support',
    mirror: 'resistance',
    // The third low at 100, known three candles later.
    candles: path(104, [
      [100, 24],
      [103, 6],
      [100, 6],
      [103, 6],
      [100, 6],
      [103, 6],
    ]),
    at: 51,
    value: 100,
    anchors: [48, 36, 24],
    // Half of a mean range is 0.1.
    miss: path(104, [
      [100, 24],
      [103, 6],
      [100, 6],
      [103, 6],
      [100.2, 6],
      [103, 6],
    ]),
  },
];

describe('worked by hand', () => {
  it.each(worked)(
    '$id is found once, through its swings, and not when one price is another',
    ({ id, candles, miss, ...result }) => {
      expect(find(entryOf(id), candles)).toEqual([{ at: result.at, value: result.value, anchors: result.anchors }]);
      expect(find(entryOf(id), miss)).toEqual([]);
    },
  );

  it.each(worked)('$mirror is $id upside down', ({ mirror, candles, miss, at, value, anchors }) => {
    expect(find(entryOf(mirror), turned(candles))).toEqual([{ at, value: -value, anchors }]);
    expect(find(entryOf(mirror), turned(miss))).toEqual([]);
  });

  it('is each formation of the registry', () =>
    expect(new Set(worked.flatMap(({ id, mirror }) => [id, mirror]))).toEqual(
      new Set(formationRegistry.map(({ id }) => id)),
    ));
});

/** Prices on a grid of 1/16, exact also upside down, with a common size of swings. */
const gridded = (of: Columns): Columns => {
  const grid = (price: number): number => Math.min(255, Math.max(1, Math.round(price * 16) / 16));
  return columnsOf(
    Array.from(of.close, (close, i) => [grid(of.open[i]!), grid(of.high[i]!), grid(of.low[i]!), grid(close)] as const),
  );
};

describe('on random candles', () => {
  const markets = [
    goldenWalk(700, 4242),
    ...[1, 2, 3].map((seed) => gridded(roughMarket(700, seed, { volatility: 0.02 }))),
  ];

  it.each(formationRegistry.map((entry) => [entry.id, entry] as const))(
    '%s is what the reference says',
    (id, entry) => {
      let count = 0;
      for (const candles of markets) {
        const want = referenceFormation(id, candles);
        expect(find(entry, candles)).toEqual(want);
        count += want.length;
      }
      expect(count, 'too rare here to be compared').toBeGreaterThan(1);
    },
  );

  it.each(formationRegistry.map((entry) => [entry.id, entry] as const))(
    '%s does not look ahead, and knows a swing three candles later at the earliest',
    (_, entry) => {
      const candles = gridded(roughMarket(500, 5, { volatility: 0.02 }));
      const whole = find(entry, candles);
      for (const length of [0, 1, 6, 7, 50, 123, 311, 499])
        expect(find(entry, firstCandles(candles, length))).toEqual(whole.filter(({ at }) => at < length));
      for (const { at, anchors } of whole)
        for (const anchor of anchors.slice(0, 2)) expect(at - anchor).toBeGreaterThanOrEqual(SWING_WING);
    },
  );

  it('turns with the picture', () => {
    const candles = gridded(roughMarket(600, 7, { volatility: 0.02 }));
    for (const { id, mirror } of worked)
      expect(find(entryOf(mirror), turned(candles))).toEqual(
        find(entryOf(id), candles).map((result) => ({ ...result, value: -result.value })),
      );
  });
});

it('rejects an unknown formation, and gives back the memory it used', () => {
  engine.raw.arenaReset();
  const candles = goldenWalk(50);
  const columns = pushColumns(engine, candles);
  const out = engine.reserveBytes(100);
  const anchors = engine.reserveBytes(50 * 4 * ANCHORS_MAX);
  const mark = engine.raw.arenaMark();
  for (const kind of [-1, FORMATION_COUNT])
    expect(engine.raw.formation(kind, columns, 50, out, anchors)).toBe(STATUS_BAD_PARAMETER);
  for (const { kind } of formationRegistry) engine.raw.formation(kind, columns, 50, out, anchors);
  expect(engine.raw.arenaMark()).toBe(mark);
  expect(formationRegistry.map(({ kind }) => kind)).toEqual(Array.from({ length: FORMATION_COUNT }, (_, i) => i));
});
