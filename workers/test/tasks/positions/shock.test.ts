import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import type { ShockInput, ShockItem, ShockOutcome, ShockResult } from '../../../src/protocol/positions.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { longOf10, shockItem, shortOf10 } from '../../support/openPositions.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const run = (input: ShockInput) => runTask(engine, { name: 'shock', input }) as TaskResult<ShockResult>;

function resultOf(items: ShockItem[], more: Partial<ShockInput> = {}): ShockResult {
  const result = run({ items, parts: 6, isGap: false, ...more });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
const outcomeOf = (change: Partial<ShockItem>, more: Partial<ShockInput> = {}): ShockOutcome =>
  resultOf([shockItem(change)], more).outcomes[0]!;

describe('a market shock', () => {
  it('stops a long 0.02 % beyond its level, fees included', () => {
    // 98 x 0.9998 = 97.9804: -30.196 from 101 with 10 coins, and the exit fee of 0.0005 x 979.804 = 0.489902.
    const stopped = outcomeOf({ moveFraction: -0.03 });
    expect(stopped).toMatchObject({ closeReason: 'SL', closedAt: 1 });
    expect(stopped.exitPrice).toBeCloseTo(97.9804, 9);
    expect(stopped.pnl).toBeCloseTo(-30.685902, 9);
    expect(stopped.endPrice).toBeCloseTo(97.97, 9);
  });

  it('takes the profit of a long at its target', () => {
    const won = outcomeOf({ moveFraction: 0.03 }); // 30 - 0.0005 x 1040
    expect(won).toMatchObject({ closeReason: 'TP', exitPrice: 104 });
    expect(won.pnl).toBeCloseTo(29.48, 9);
  });

  it('closes of several targets those that it reaches, and leaves the rest open', () => {
    const targets = [
      { price: 101, fraction: 0.25 },
      { price: 130, fraction: 0.75 },
    ];
    const position = longOf10({ targetPrice: 101, targets });
    const walked = outcomeOf({ position, markPrice: 100.5, moveFraction: 0.03 });
    expect(walked).toMatchObject({ closeReason: null, exitPrice: null });
    // 2.5 x 0.5 - 0.0005 x 2.5 x 101, and 7.5 from 100.5 to 103.515.
    expect(walked.pnl).toBeCloseTo(1.25 - 0.12625 + 22.6125, 9);
    const near = [
      { price: 101, fraction: 0.25 },
      { price: 102, fraction: 0.75 },
    ];
    const both = outcomeOf({ position: { ...position, targets: near }, markPrice: 100.5, moveFraction: 0.03 });
    expect(both).toMatchObject({ closeReason: 'TP', exitPrice: 102 });
    // And 7.5 x 1.5 - 0.0005 x 7.5 x 102.
    expect(both.pnl).toBeCloseTo(1.25 - 0.12625 + 11.25 - 0.3825, 9);
  });

  it('leaves what no level stops open, with the exit fee still unpaid', () => {
    const open = outcomeOf({ moveFraction: -0.02 }); // 98.98
    expect(open).toMatchObject({ closeReason: null, exitPrice: null, closedAt: null, stopPrice: 98 });
    expect(open.pnl).toBeCloseTo(-20.2, 9);
  });

  it('fills a stop the price jumped over where the jump ends', () => {
    const stopped = outcomeOf({ moveFraction: -0.03 }, { isGap: true });
    // 97.97 x 0.9998 = 97.950406: -30.49594 - 0.0005 x 979.50406.
    expect(stopped).toMatchObject({ closeReason: 'SL' });
    expect(stopped.exitPrice).toBeCloseTo(97.950406, 9);
    expect(stopped.pnl).toBeCloseTo(-30.98569203, 9);
  });

  it.each([
    { name: 'a long', item: { position: longOf10({ stopPrice: 1e-9 }), moveFraction: -0.12 }, markPrice: 101 },
    { name: 'a short', item: { position: shortOf10({ stopPrice: 1e9 }), moveFraction: 0.12 }, markPrice: 99 },
  ])('liquidates $name without a stop for its whole margin', ({ item, markPrice }) => {
    const lost = outcomeOf({ ...item, markPrice }); // before +9.50; after -100 - 0.50
    expect(lost.closeReason).toBe('LIQ');
    expect(lost.pnl).toBeCloseTo(-110, 9);
  });

  it('meets the stop on the way, but is liquidated when the price jumps beyond both', () => {
    expect(outcomeOf({ moveFraction: -0.15 }).closeReason).toBe('SL');
    expect(outcomeOf({ moveFraction: -0.15 }, { isGap: true }).closeReason).toBe('LIQ');
  });

  it('moves a trailing stop after each part of a favourable way, and never back', () => {
    const trailing = { mode: 'percent', callbackFraction: 0.01, stepFraction: 0.0025 } as const;
    const trailed = outcomeOf({
      position: shortOf10({ trailing, targetPrice: 1e-9 }),
      markPrice: 100,
      moveFraction: -0.03,
    });
    expect(trailed.closeReason).toBeNull();
    expect(trailed.stopPrice).toBeCloseTo(97.97, 9); // 1 % above 97
    const against = outcomeOf({ position: longOf10({ trailing }), markPrice: 100, moveFraction: -0.01 });
    // 1 % below the entry fill, the best price so far; the way ends on it.
    expect(against).toMatchObject({ stopPrice: 99, closeReason: 'SL' });
  });

  it('leaves a stop that trails by ATR alone without one', () => {
    const trailing = {
      enabled: true,
      mode: 'atr' as const,
      callbackFraction: 0,
      stepFraction: 0.0025,
      atrMultiplier: 2,
    };
    const position = longOf10({ trailing, targetPrice: 1e9, atr: null });
    expect(outcomeOf({ position, moveFraction: 0.03 }).stopPrice).toBe(98);
    expect(outcomeOf({ position, moveFraction: 0.03, range: 1 }).stopPrice).toBeCloseTo(102.03, 9);
  });

  it('sums the way of all positions, each closed one staying where it ended', () => {
    const { path } = resultOf([
      shockItem({ moveFraction: -0.06 }),
      shockItem({ position: longOf10({ stopPrice: 1e-9 }) }),
    ]);
    // The first stands at 99.99, 98.98, then is stopped; the second falls by 0.505 coins' worth of 10 a part.
    const first = [0, -10.1, -20.2, -30.685902, -30.685902, -30.685902, -30.685902];
    expect([...path]).toHaveLength(7);
    first.forEach((value, part) => expect(path[part]).toBeCloseTo(value - 5.05 * part, 9));
  });

  it('never loses less by a longer way against the position', () => {
    const way = fc.double({ min: 0.005, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(way, way, fc.boolean(), fc.boolean(), (a, b, isLong, hasStop) => {
        const position = isLong ? longOf10() : shortOf10();
        if (!hasStop) position.stopPrice = isLong ? 1e-9 : 1e9;
        const pnlOf = (move: number): number =>
          outcomeOf({ position, markPrice: 100, moveFraction: isLong ? -move : move }).pnl;
        expect(pnlOf(Math.max(a, b))).toBeLessThanOrEqual(pnlOf(Math.min(a, b)) + 1e-9);
      }),
      { numRuns: 200 },
    );
  });

  it('of an empty list is empty, and invalid input is rejected by name', () => {
    expect(resultOf([]).outcomes).toEqual([]);
    const rejected = run({ items: [shockItem({ markPrice: Number.NaN })], parts: 6, isGap: false });
    expect(rejected).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'items[0].markPrice' } });
    const position = longOf10({ takerFeeFraction: 2 });
    expect(run({ items: [shockItem({ position })], parts: 6, isGap: false })).toMatchObject({
      error: { field: 'items[0].position.takerFeeFraction' },
    });
    expect(run({ items: [shockItem()], parts: 0, isGap: false }).ok).toBe(false);
  });
});
