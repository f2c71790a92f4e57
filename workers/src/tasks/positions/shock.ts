import { BAR_LENGTH, POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../../engine/engine.ts';
import { closeReasons } from '../../positions/bookTypes.ts';
import { partOfTarget } from '../../positions/partialClose.ts';
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
  const gainAt = (price: number, quantity: number): number => side * (price - item.markPrice) * quantity;
  const takeParts = partTaker(engine, position, { rulesAt, stateAt, barAt });
  const parts = path.length - 1;
  const priceAt = (part: number): number => item.markPrice * (1 + (item.moveFraction * part) / parts);
  let reason: number = abi.CLOSE_NONE;
  let closedAt: number | null = null;
  let [pnl, taken] = [0, 0];
  for (let part = 1; part <= parts; part++) {
    if (closedAt === null) {
      const end = priceAt(part);
      const bar = barOf(position.entryTimeMs + part, isGap ? end : priceAt(part - 1), end, item.range);
      engine.f64View(barAt, BAR_LENGTH).set(bar);
      for (const { price, quantity, fee } of takeParts()) taken += gainAt(price, quantity) - fee;
      const open = slot(positionSlot.quantity);
      reason = engine.raw.stepPosition(rulesAt, stateAt, barAt, 0, 0);
      if (reason !== abi.CLOSE_NONE) closedAt = part / parts;
      // Fees count from 0 in the row, so what stands there is the exit's.
      const rest =
        closedAt === null ? gainAt(end, open) : gainAt(slot(positionSlot.exitPrice), open) - slot(positionSlot.fees);
      pnl = taken + rest;
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

/**
 * Closes the shares of the targets that the written bar reaches, as the book of the live watch does: the position loses quantity and moves
 * on to its next target. The last target, and a share whose rest would be too small, is left to the step that closes.
 */
function partTaker(
  engine: Engine,
  { targets, stepSize = 0, minNotional = 0, entryPrice, leverage }: ShockItem['position'],
  { rulesAt, stateAt, barAt }: { rulesAt: number; stateAt: number; barAt: number },
): () => { price: number; quantity: number; fee: number }[] {
  const copyAt = engine.reserve(POSITION_LENGTH);
  let ahead = targets ?? [];
  const stepCopy = (quantity: number | null): { isTarget: boolean; price: number; fee: number } => {
    const copy = engine.f64View(copyAt, POSITION_LENGTH);
    copy.set(engine.f64View(stateAt, POSITION_LENGTH));
    if (quantity !== null) copy[positionSlot.quantity] = quantity;
    const isTarget = engine.raw.stepPosition(rulesAt, copyAt, barAt, 0, 0) === abi.CLOSE_TAKE_PROFIT;
    const after = engine.f64View(copyAt, POSITION_LENGTH);
    return { isTarget, price: after[positionSlot.exitPrice] as number, fee: after[positionSlot.fees] as number };
  };
  return () => {
    const taken = [];
    for (;;) {
      const [, next] = ahead;
      const { isTarget, price } = next === undefined ? { isTarget: false, price: Number.NaN } : stepCopy(null);
      if (next === undefined || !isTarget) return taken;
      const open = engine.f64View(stateAt, POSITION_LENGTH)[positionSlot.quantity] as number;
      const { isWhole, quantity, left } = partOfTarget(ahead, { open, price, stepSize, minNotional });
      if (isWhole) return taken;
      taken.push({ price, quantity, fee: stepCopy(quantity).fee });
      const state = engine.f64View(stateAt, POSITION_LENGTH);
      state[positionSlot.quantity] = left;
      state[positionSlot.margin] = (left * entryPrice) / leverage;
      state[positionSlot.targetPrice] = next.price;
      ahead = ahead.slice(1);
    }
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
