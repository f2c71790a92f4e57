import { BAR_LENGTH, POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../../engine/engine.ts';
import { closeReasons } from '../../positions/bookTypes.ts';
import { rulesRow, stateRow } from '../../positions/rows.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { ShockInput, ShockItem, ShockOutcome, ShockResult } from '../../protocol/positions.ts';
import { check, firstFailure } from '../validateParams.ts';
import { validatePosition } from './validatePosition.ts';
import { ok } from '../../core/result.ts';

const PARTS_MAX = 1000;
const ITEMS_MAX = 10_000;

/**
 * Takes every position through a move of its symbol with the engine's own step. Stop, trailing stop, target and liquidation are hit as by
 * live candles that go straight there, or by one tick when the price jumps. A position that is not armed yet counts as armed, because a
 * shock lasts longer than the guard.
 */
export function shock(engine: Engine, { items, parts, isGap }: ShockInput): TaskResult<ShockResult> {
  const valid = firstFailure([
    () => check('parts', parts, { min: 1, max: PARTS_MAX }, true),
    () => check('items.length', items.length, { min: 0, max: ITEMS_MAX }, true),
    () => firstFailure(items.map((item, i) => () => validateItem(item, `items[${i}]`))),
  ]);
  if (!valid.ok) return valid;
  const path = new Float64Array(isGap ? 2 : parts + 1);
  const outcomes = items.map((item) => {
    const mark = engine.raw.arenaMark();
    const outcome = walk(engine, item, path, isGap);
    engine.raw.arenaRelease(mark);
    return outcome;
  });
  return ok({ outcomes, path });
}

/** Adds the PnL of each step of the move to `path`. */
function walk(engine: Engine, { position, ...item }: ShockItem, path: Float64Array, isGap: boolean): ShockOutcome {
  const rulesAt = engine.push(rulesRow(position));
  const stateAt = engine.push(stateRow(position));
  const barAt = engine.reserve(BAR_LENGTH);
  const slot = (index: number): number => engine.f64View(stateAt, POSITION_LENGTH)[index] ?? Number.NaN;
  const side = position.side === 'LONG' ? 1 : -1;
  const gainAt = (price: number): number => side * (price - item.markPrice) * position.quantity;
  const parts = path.length - 1;
  const priceAt = (part: number): number => item.markPrice * (1 + (item.moveFraction * part) / parts);
  let reason: number = abi.CLOSE_NONE;
  let closedAt: number | null = null;
  let pnl = 0;
  for (let part = 1; part <= parts; part++) {
    if (closedAt === null) {
      const end = priceAt(part);
      const bar = barOf(position.entryTimeMs + part, isGap ? end : priceAt(part - 1), end, item.range);
      engine.f64View(barAt, BAR_LENGTH).set(bar);
      reason = engine.raw.stepPosition(rulesAt, stateAt, barAt, 0, 0);
      if (reason !== abi.CLOSE_NONE) closedAt = part / parts;
      // Fees count from 0 in the row, so what stands there is the exit's.
      pnl = closedAt === null ? gainAt(end) : gainAt(slot(positionSlot.exitPrice)) - slot(positionSlot.fees);
    }
    path[part] = (path[part] ?? 0) + pnl;
  }
  return {
    closeReason: closeReasons[reason] ?? null,
    pnl,
    closedAt,
    endPrice: priceAt(parts),
    exitPrice: closedAt === null ? null : slot(positionSlot.exitPrice),
    stopPrice: slot(positionSlot.stopPrice),
  };
}

/** A bar that goes straight from one price to the other; a tick when they are equal. No funding falls due in a shock. */
function barOf(timeMs: number, from: number, to: number, range: number | null): number[] {
  const high = Math.max(from, to);
  const low = Math.min(from, to);
  return [timeMs, from, high, low, to, 1, from, high, low, range ?? Number.NaN, 0, 0, 0];
}

const validateItem = (item: ShockItem, field: string): TaskResult<null> =>
  firstFailure([
    () => check(`${field}.markPrice`, item.markPrice, { min: 0, max: 1e15, isOpen: true }),
    () => check(`${field}.moveFraction`, item.moveFraction, { min: -1, max: 100, isOpen: true }),
    () => check(`${field}.range`, item.range ?? 0, { min: 0, max: 1e15 }),
    () => validatePosition(item.position, `${field}.position`),
  ]);
