import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../../engine/engine.ts';
import { ok, type TaskResult } from '../../protocol.ts';
import type { ShockInput, ShockItem, ShockOutcome, ShockResult } from '../../protocolPositions.ts';
import { check, firstFailure } from '../validateStrategy.ts';
import { hold, netAt, orNull, reasonOf } from './slots.ts';
import { validatePosition } from './validatePosition.ts';

const PARTS_MAX = 1000;
const ITEMS_MAX = 10_000;

/**
 * Takes every position through a move of its symbol with the engine's own step: stop, trailing stop, target and liquidation
 * are met as the monitor would meet them on candles that go straight there, or as one tick when the price jumps.
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

/** Adds what the position gains on the way to `path`. */
function walk(engine: Engine, item: ShockItem, path: Float64Array, isGap: boolean): ShockOutcome {
  const { position, markPrice, moveFraction, atr } = item;
  const held = hold(engine, position, item.costs);
  const before = netAt(held, markPrice);
  const parts = path.length - 1;
  const priceAt = (part: number): number => markPrice * (1 + (moveFraction * part) / parts);
  let closedAt: number | null = null;
  let pnl = 0;
  for (let part = 1; part <= parts; part++) {
    if (closedAt === null) {
      const end = priceAt(part);
      const reason = held.step(barOf(position.entryTimeMs + part, isGap ? end : priceAt(part - 1), end, atr));
      if (reason !== abi.CLOSE_NONE) closedAt = part / parts;
      pnl = netAt(held, reason === abi.CLOSE_NONE ? end : held.slot(abi.POSITION_EXIT_PRICE)) - before;
    }
    path[part] = (path[part] ?? 0) + pnl;
  }
  return {
    closeReason: reasonOf(held.slot(abi.POSITION_CLOSE_REASON)),
    endPrice: priceAt(parts),
    exitPrice: orNull(held.slot(abi.POSITION_EXIT_PRICE)),
    pnl,
    stopLossPrice: orNull(held.slot(abi.POSITION_STOP_PRICE)),
    closedAt,
  };
}

/** A bar that goes straight from one price to the other; a tick when they are equal. No funding falls due in a shock. */
function barOf(timeMs: number, from: number, to: number, atr: number | null): number[] {
  const high = Math.max(from, to);
  const low = Math.min(from, to);
  return [timeMs, from, high, low, to, 1, from, high, low, atr ?? Number.NaN, 0, 0];
}

const validateItem = (item: ShockItem, field: string): TaskResult<null> =>
  firstFailure([
    () => check(`${field}.markPrice`, item.markPrice, { min: 0, max: 1e15, isOpen: true }),
    () => check(`${field}.moveFraction`, item.moveFraction, { min: -1, max: 100, isOpen: true }),
    () => check(`${field}.atr`, item.atr ?? 0, { min: 0, max: 1e15 }),
    () => validatePosition(item.position, item.costs, field),
  ]);
