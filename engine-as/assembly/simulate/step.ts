import { CLOSE_NONE } from '../../abi/backtest';
import { Bar, Position, Rules } from '../records.gen';
import { barAt } from '../rows';
import { closePosition, seePrice } from './close';
import { isAmbiguous, isHeldInEntry, isLiquidatedByMark, levelOf, reasonAtOpen, reasonInside } from './exit';
import { moveStop } from './trailing';

/**
 * Takes one open position through one bar: THE definition of what happens to a position. The backtest is a loop over it and
 * the live monitor calls it for each closed candle or tick. docs/simulator.md is its text.
 * @param position open
 * @param bar      its open may be the fill of the entry, so all levels are live in the entry bar too
 * @param parts    partCount finer bars inside this one, oldest first; they settle an ambiguous bar
 * @returns CLOSE_*: CLOSE_NONE while the position stays open
 */
export function stepPosition(rules: Rules, position: Position, bar: Bar, parts: usize, partCount: i32): i32 {
  // Positions held at the stamp pay; one opened at this open was not held before it.
  if (bar.time > position.entryTime) charge(position, bar.fundingAtOpen);

  const reason = isHeldInEntry(rules, position, bar) ? CLOSE_NONE : leave(rules, position, bar, parts, partCount);
  if (reason !== CLOSE_NONE) return reason;

  charge(position, bar.fundingInside);
  position.barsHeld = position.barsHeld + 1;
  if (bar.volume > 0) {
    seePrice(position, bar.high);
    seePrice(position, bar.low);
    moveStop(rules, position, bar);
  }
  return CLOSE_NONE;
}

function leave(rules: Rules, position: Position, bar: Bar, parts: usize, partCount: i32): i32 {
  const time = bar.time;
  const open = bar.open;
  const first = reasonAtOpen(rules, position, bar);
  if (first !== CLOSE_NONE) {
    seePrice(position, open);
    return closePosition(rules, position, time, open, first, bar.impact);
  }
  if (isAmbiguous(rules, position, bar)) {
    const told = isLiquidatedByMark(position, bar) ? 0 : partCount;
    for (let i = 0; i < told; i++) {
      const part = barAt(parts, i);
      boundMark(part, bar);
      part.impact = bar.impact;
      const settled = leave(rules, position, part, 0, 0);
      if (settled !== CLOSE_NONE) return settled;
    }
    // No finer bars, or bars that do not settle it or contradict this one: the order stays unknown.
    position.isAmbiguous = 1;
  }
  const reason = reasonInside(rules, position, bar);
  if (reason === CLOSE_NONE) return CLOSE_NONE;
  seePrice(position, open);
  return closePosition(rules, position, time, levelOf(position, reason), reason, bar.impact);
}

/** A finer bar has last prices only: its mark price is that, within the mark prices of the whole bar. */
function boundMark(part: Bar, bar: Bar): void {
  const low = bar.markLow;
  const high = bar.markHigh;
  part.markOpen = Math.min(Math.max(part.open, low), high);
  part.markHigh = Math.min(Math.max(part.high, low), high);
  part.markLow = Math.min(Math.max(part.low, low), high);
}

/** `funding` is mark price x rate: a long pays when it is positive, a short receives. */
function charge(position: Position, funding: f64): void {
  const paid = position.side * position.quantity * funding;
  position.funding = position.funding + paid;
}
