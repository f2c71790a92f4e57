import { CLOSE_GUARDS, type BookPosition } from '../../src/positions/bookTypes.ts';
import { averageEntry, partOf, partOfTarget } from '../../src/positions/partialClose.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import { instantiate } from '../../src/engine/engine.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await loadModule());
});

describe('a part of a position', () => {
  const rules = { stepSize: 0.001, minNotional: 5, price: 100 };
  it.each([
    [0.3, 0.1, { quantity: 0.1, left: 0.2, isWhole: false, note: null }],
    [0.3, 0.10009, { quantity: 0.1, left: 0.2, isWhole: false, note: 'rounded' }],
    [0.3, 0.3, { quantity: 0.3, left: 0, isWhole: true, note: null }],
    [0.3, 1, { quantity: 0.3, left: 0, isWhole: true, note: 'rounded' }],
    // 0.049 at 100 is 4.90, below the least order of 5.
    [0.3, 0.251, { quantity: 0.3, left: 0, isWhole: true, note: 'rest_too_small' }],
    [0.3, 0.25, { quantity: 0.25, left: 0.05, isWhole: false, note: null }],
    [0.3, 0.0009, null],
  ])('DESK-026 of %d, %d closes %o', (open, wanted, part) => {
    expect(partOf({ open, wanted, ...rules })).toEqual(part);
  });

  it('DESK-030 shares of targets follow what is open: 50, 30 and 20 % of 1 are 0.5, 0.3 and 0.2', () => {
    const targets = [0.5, 0.3, 0.2].map((fraction, i) => ({ price: 110 + i, fraction }));
    let open = 1;
    const closed = targets.map((_, i) => {
      const part = partOfTarget(targets.slice(i), { open, ...rules });
      open = part.left;
      return part.quantity;
    });
    expect(closed).toEqual([0.5, 0.3, 0.2]);
    // After half of it was closed by hand each closes half as much.
    expect(partOfTarget(targets, { open: 0.5, ...rules }).quantity).toBe(0.25);
  });

  it('DESK-031 the average entry weighs by quantity', () => {
    expect(averageEntry({ price: 100, quantity: 1 }, { price: 130, quantity: 2 })).toBe(120);
  });
});

describe('a book with several targets', () => {
  const position: BookPosition = {
    id: 'one',
    side: 'LONG',
    entryTimeMs: 0,
    entryPrice: 100,
    quantity: 1,
    leverage: 10,
    stopPrice: 98,
    targetPrice: 102,
    liquidationPrice: 91,
    bestPrice: 100,
    isArmed: true,
    tickSize: 0.01,
    takerFeeFraction: 0.0005,
    trailing: { mode: 'off' },
    atr: null,
    stepSize: 0.001,
    minNotional: 5,
    targets: [
      { price: 102, fraction: 0.5 },
      { price: 104, fraction: 0.3 },
      { price: 106, fraction: 0.2 },
    ],
  };
  const open = (more: Partial<BookPosition> = {}) => {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    book.add('key', { ...position, ...more });
    return book;
  };
  const bar = (low: number, high: number, timeMs = 60_000) => ({
    timeMs,
    spanMs: 60_000,
    open: 100,
    high,
    low,
    close: 100,
    volume: 1,
  });

  it('DESK-030 closes each share at its price by ticks, and the last one closes the rest', () => {
    const book = open();
    const steps = [101.9, 102, 102, 104.5, 106].flatMap((price, i) =>
      book.tick('key', { price, mark: price, atMs: 120_000 + i }),
    );
    expect(steps).toEqual([
      // 0.05 % of 0.5 x 102.
      expect.objectContaining({ kind: 'reduced', price: 102, quantity: 0.5, by: 'tick', atMs: 120_001 }),
      expect.objectContaining({ kind: 'reduced', price: 104.5, quantity: 0.3, atMs: 120_003 }),
      expect.objectContaining({ kind: 'closed', price: 106, reason: 'TP', atMs: 120_004 }),
    ]);
    const fees = steps.map((step) => ('exitFee' in step ? step.exitFee : Number.NaN));
    expect(fees[0]).toBeCloseTo(0.0005 * 0.5 * 102, 12);
    expect(fees[1]).toBeCloseTo(0.0005 * 0.3 * 104.5, 12);
    expect(fees[2]).toBeCloseTo(0.0005 * 0.2 * 106, 12);
    expect(book.size).toBe(0);
  });

  it('DESK-030 a candle that reaches two targets closes both shares, one that reaches the stop too loses all first', () => {
    const book = open();
    expect(book.candle('key', bar(99, 104.2))).toEqual([
      expect.objectContaining({ kind: 'reduced', price: 102, quantity: 0.5, by: 'candle', atMs: 120_000 }),
      expect.objectContaining({ kind: 'reduced', price: 104, quantity: 0.3, by: 'candle', atMs: 120_000 }),
    ]);
    expect(book.candle('key', bar(97, 107, 120_000))).toEqual([
      expect.objectContaining({ kind: 'closed', reason: 'SL', isAmbiguous: true }),
    ]);
    expect(open().candle('key', bar(97, 107))).toEqual([expect.objectContaining({ kind: 'closed', reason: 'SL' })]);
  });

  it('DESK-031 a candle that is older than an addition meets its stop, and no target', () => {
    const added = { addedAtMs: 90_000 };
    expect(open(added).candle('key', bar(99, 107))).toEqual([]);
    expect(open(added).candle('key', bar(97, 107))).toEqual([
      expect.objectContaining({ kind: 'closed', reason: 'SL' }),
    ]);
    const short = {
      ...added,
      side: 'SHORT',
      stopPrice: 102,
      targetPrice: 98,
      liquidationPrice: 109,
      targets: null,
    } as const;
    const book = open(short);
    expect(book.candle('key', bar(97, 101))).toEqual([]);
    // From the next candle on, and by prices, the target is there as before.
    expect(book.candle('key', bar(97, 101, 120_000))).toEqual([
      expect.objectContaining({ kind: 'closed', reason: 'TP', price: 98 }),
    ]);
    expect(open(added).tick('key', { price: 102, mark: 102, atMs: 100_000 })).toMatchObject([{ kind: 'reduced' }]);
  });

  it('DESK-030 a share whose rest is below the least order closes all of it', () => {
    const book = open({ minNotional: 60 });
    expect(book.tick('key', { price: 102, mark: 102, atMs: 120_000 })).toEqual([
      expect.objectContaining({ kind: 'closed', price: 102, reason: 'TP' }),
    ]);
  });

  it('DESK-030 targets that the owner changes replace those ahead, also after one was reached', () => {
    const book = open();
    const targets = [
      { price: 103, fraction: 0.5 },
      { price: 105, fraction: 0.5 },
    ];
    const change = { number: 1, atMs: 130_000, stopPrice: null, targetPrice: 103, targets, trailing: null };
    book.setChanges('one', [change]);
    expect(book.tick('key', { price: 102, mark: 102, atMs: 129_000 })).toMatchObject([
      { kind: 'reduced', quantity: 0.5 },
    ]);
    expect(book.tick('key', { price: 102.5, mark: 102.5, atMs: 131_000 })).toEqual([]);
    expect(book.tick('key', { price: 103, mark: 103, atMs: 132_000 })).toMatchObject([
      { kind: 'reduced', quantity: 0.25, price: 103 },
    ]);
    // The candle that judges the change meets what was reached by prices already.
    expect(book.candle('key', bar(100, 104, 120_000)).map(({ kind }) => kind)).toEqual(['changed']);
    expect(book.tick('key', { price: 105, mark: 105, atMs: 190_000 })).toMatchObject([{ kind: 'closed', price: 105 }]);
  });
});
