import { BAR_LENGTH, POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { rulesOf } from '@sextant/workers/src/tasks/rules.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine, type Run, runKernel } from '../backtest/support/kernel.ts';
import { hourMs, runOf, startMs } from '../backtest/support/tables.ts';

// A host with one position and one bar, as the live monitor has them.

let engine: Engine;
let rulesAt: number;
let positionAt: number;
let barAt: number;

beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

const run: Run = runOf({ title: '', bars: '100 100 100 100\n100 100 100 100', trades: [] });

beforeEach(() => {
  engine.raw.arenaReset();
  rulesAt = engine.push(rulesOf(run.params, { ...run.costs, leverage: 10 }, 1));
  positionAt = engine.reserve(POSITION_LENGTH);
  barAt = engine.reserve(BAR_LENGTH);
});

function open(side: 1 | -1, price: number): void {
  expect(
    engine.raw.openPosition(rulesAt, 0, 0, positionAt, side, startMs, price, Infinity, Number.NaN, 0, Infinity),
  ).toBe(abi.OPEN_DONE);
}

/** One bar; a tick when only one price is given. */
function step(hour: number, first: number, high = first, low = first, last = first): number {
  const bar = engine.f64View(barAt, BAR_LENGTH);
  bar.set([startMs + hour * hourMs, first, high, low, last, 1, first, high, low, Number.NaN, 0, 0, 0]);
  return engine.raw.stepPosition(rulesAt, positionAt, barAt, 0, 0);
}

const slot = (index: number): number => engine.f64View(positionAt, POSITION_LENGTH)[index]!;

describe('one position and one bar', () => {
  it('shows the levels of the open position', () => {
    open(-1, 100);
    expect([slot(positionSlot.stopPrice), slot(positionSlot.targetPrice)]).toEqual([102, 96]);
    expect(slot(positionSlot.liquidationPrice)).toBeCloseTo(1100 / 10.05, 9);
    expect([slot(positionSlot.margin), slot(positionSlot.quantity)]).toEqual([100, 10]);
  });

  it('stays open between its levels', () => {
    open(1, 100);
    expect(step(0, 100, 103, 99, 101)).toBe(abi.CLOSE_NONE);
    expect(step(1, 101, 103.9, 98.1, 99)).toBe(abi.CLOSE_NONE);
    expect([slot(positionSlot.barsHeld), slot(positionSlot.bestPrice), slot(positionSlot.worstPrice)]).toEqual([
      2, 103.9, 98.1,
    ]);
  });

  it.each([
    { tick: 104.2, reason: abi.CLOSE_TAKE_PROFIT, fill: 104.2 },
    { tick: 97.5, reason: abi.CLOSE_STOP_LOSS, fill: 97.5 },
    { tick: 88, reason: abi.CLOSE_LIQUIDATION, fill: 90 },
    { tick: 103.99, reason: abi.CLOSE_NONE, fill: Number.NaN },
  ])('a tick at $tick closes for reason $reason at $fill', ({ tick, reason, fill }) => {
    open(1, 100);
    expect(step(0.01, tick)).toBe(reason);
    expect(slot(positionSlot.exitPrice)).toBe(fill);
    expect(slot(positionSlot.closeReason)).toBe(reason);
  });

  it('can be closed by hand at any price', () => {
    open(1, 100);
    engine.raw.closePosition(rulesAt, positionAt, startMs + hourMs, 101, abi.CLOSE_END, 0);
    expect([slot(positionSlot.exitPrice), slot(positionSlot.exitTime)]).toEqual([101, startMs + hourMs]);
  });

  it('goes the way of the backtest, candle by candle', () => {
    const whole = runOf({
      title: '',
      bars: `
        100 100 100 100 L
        100 102 99  101
        101 103 100 102
        102 103 97  98
        98  98  98  98`,
      costs: { leverage: 10 },
      trades: [],
    });
    const [trade] = runKernel(engine, whole).trades;
    engine.raw.arenaReset();
    rulesAt = engine.push(rulesOf(whole.params, whole.costs, 1));
    positionAt = engine.reserve(POSITION_LENGTH);
    barAt = engine.reserve(BAR_LENGTH);
    open(1, 100);
    const reasons = [step(0, 100, 102, 99, 101), step(1, 101, 103, 100, 102), step(2, 102, 103, 97, 98)];
    expect(reasons).toEqual([abi.CLOSE_NONE, abi.CLOSE_NONE, abi.CLOSE_STOP_LOSS]);
    expect(slot(positionSlot.exitPrice)).toBe(trade?.exitPrice);
    expect(slot(positionSlot.liquidationPrice)).toBe(trade?.liquidationPrice);
  });
});
