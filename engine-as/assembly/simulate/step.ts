import {
  BAR_FUNDING_AT_OPEN,
  BAR_FUNDING_INSIDE,
  BAR_HIGH,
  BAR_LENGTH,
  BAR_LOW,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  CLOSE_NONE,
  POSITION_BARS_HELD,
  POSITION_ENTRY_TIME,
  POSITION_FUNDING,
  POSITION_IS_AMBIGUOUS,
  POSITION_QUANTITY,
  POSITION_SIDE,
} from '../../abi/backtest';
import { addressOf, at, put } from '../series';
import { closePosition, seePrice } from './close';
import { isAmbiguous, levelOf, reasonAtOpen, reasonInside } from './exit';
import { trailStop } from './trailing';

/**
 * Takes one open position through one bar: THE definition of what happens to a position. The backtest is a loop over it and
 * the live monitor calls it for each closed candle or tick. docs/simulator.md is its text.
 * @param rules    f64[RULES_LENGTH]
 * @param position f64[POSITION_LENGTH], open
 * @param bar      f64[BAR_LENGTH]; its open may be the fill of the entry, so all levels are live in the entry bar too
 * @param parts    f64[partCount * BAR_LENGTH], finer bars inside this one, oldest first; they settle an ambiguous bar
 * @returns CLOSE_*: CLOSE_NONE while the position stays open
 */
export function stepPosition(rules: usize, position: usize, bar: usize, parts: usize, partCount: i32): i32 {
  // Positions held at the stamp pay; one opened at this open was not held before it.
  if (at(bar, BAR_TIME) > at(position, POSITION_ENTRY_TIME)) charge(position, at(bar, BAR_FUNDING_AT_OPEN));

  const reason = leave(rules, position, bar, parts, partCount);
  if (reason !== CLOSE_NONE) return reason;

  charge(position, at(bar, BAR_FUNDING_INSIDE));
  put(position, POSITION_BARS_HELD, at(position, POSITION_BARS_HELD) + 1);
  if (at(bar, BAR_VOLUME) > 0) {
    seePrice(position, at(bar, BAR_HIGH));
    seePrice(position, at(bar, BAR_LOW));
    trailStop(rules, position, bar);
  }
  return CLOSE_NONE;
}

function leave(rules: usize, position: usize, bar: usize, parts: usize, partCount: i32): i32 {
  const time = at(bar, BAR_TIME);
  const open = at(bar, BAR_OPEN);
  const first = reasonAtOpen(rules, position, bar);
  if (first !== CLOSE_NONE) {
    seePrice(position, open);
    return closePosition(rules, position, time, open, first);
  }
  if (isAmbiguous(rules, position, bar)) {
    for (let part = 0; part < partCount; part++) {
      const settled = leave(rules, position, addressOf(parts, part * BAR_LENGTH), 0, 0);
      if (settled !== CLOSE_NONE) return settled;
    }
    // No finer bars, or bars that disagree with this one: the order stays unknown.
    put(position, POSITION_IS_AMBIGUOUS, 1);
  }
  const reason = reasonInside(rules, position, bar);
  if (reason === CLOSE_NONE) return CLOSE_NONE;
  seePrice(position, open);
  return closePosition(rules, position, time, levelOf(position, reason), reason);
}

/** `funding` is mark price x rate: a long pays when it is positive, a short receives. */
function charge(position: usize, funding: f64): void {
  const paid = at(position, POSITION_SIDE) * at(position, POSITION_QUANTITY) * funding;
  put(position, POSITION_FUNDING, at(position, POSITION_FUNDING) + paid);
}
