import {
  BAR_CLOSE,
  BAR_FUNDING_AT_OPEN,
  BAR_FUNDING_INSIDE,
  BAR_LENGTH,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  CLOSE_END,
  CLOSE_NONE,
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  POSITION_FUNDING,
  POSITION_QUANTITY,
  POSITION_SIDE,
  RULE_HOLDING_BARS_MAX,
} from '../../abi/backtest';
import {
  MARKET_BARS,
  MARKET_FRAME,
  MARKET_HIGHS,
  MARKET_LOWS,
  MARKET_NEXT_FUNDING,
  MARKET_POSITION,
  MARKET_RULES,
  MARKET_SCALE,
} from '../../abi/optimize';
import { column, number } from '../backtest/frame';
import { addressOf, at, put } from '../series';
import { closePosition } from '../simulate/close';
import { openPosition } from '../simulate/open';
import { stepPosition } from '../simulate/step';
import { nextTouch } from './quantise';
import { quietRange } from './trail';

/** Fills an entry at the open of bar `i`; false when nothing trades there or the size is below the minimum. */
export function enterAt(market: usize, i: i32, side: f64): bool {
  const bar = barAt(market, i);
  if (!(at(bar, BAR_VOLUME) > 0)) return false;
  const frame = column(market, MARKET_FRAME);
  const rules = column(market, MARKET_RULES);
  const position = column(market, MARKET_POSITION);
  const tiers = column(frame, FRAME_TIERS);
  const time = at(bar, BAR_TIME);
  return openPosition(rules, tiers, number(frame, FRAME_TIER_COUNT), position, side, time, at(bar, BAR_OPEN)) !== 0;
}

/**
 * Holds the open position from its entry bar to its exit, by force at the close of bar `last`, and returns the exit's bar.
 * Only bars in which something can happen are stepped, by the same stepPosition as a plain backtest; the others only charge
 * their fundings, in the same order.
 */
export function holdFrom(market: usize, entry: i32, last: i32): i32 {
  const rules = column(market, MARKET_RULES);
  const position = column(market, MARKET_POSITION);
  const isEveryBar = at(rules, RULE_HOLDING_BARS_MAX) > 0; // a time barrier has no price to search for
  const lows = column(market, MARKET_LOWS);
  const highs = column(market, MARKET_HIGHS);
  const scale = column(market, MARKET_SCALE);
  let i = entry;
  while (stepPosition(rules, position, barAt(market, i), 0, 0) === CLOSE_NONE) {
    if (i === last) {
      const bar = barAt(market, i);
      closePosition(rules, position, at(bar, BAR_TIME), at(bar, BAR_CLOSE), CLOSE_END);
      break;
    }
    if (isEveryBar) {
      i++;
      continue;
    }
    const range = quietRange(rules, position, scale);
    const next = min(nextTouch(lows, highs, i + 1, i32x4.extract_lane(range, 0), i32x4.extract_lane(range, 2)), last);
    chargeFundings(market, i + 1, next);
    i = next;
  }
  return i;
}

/** Books the fundings of bars [from, to), which the position was held through, bar by bar as stepPosition does. */
function chargeFundings(market: usize, from: i32, to: i32): void {
  const next = column(market, MARKET_NEXT_FUNDING);
  const position = column(market, MARKET_POSITION);
  const size = at(position, POSITION_SIDE) * at(position, POSITION_QUANTITY);
  for (let i = load<i32>(next + ((<usize>from) << 2)); i < to; i = load<i32>(next + ((<usize>(i + 1)) << 2))) {
    const bar = barAt(market, i);
    const sum = at(position, POSITION_FUNDING) + size * at(bar, BAR_FUNDING_AT_OPEN);
    put(position, POSITION_FUNDING, sum + size * at(bar, BAR_FUNDING_INSIDE));
  }
}

function barAt(market: usize, i: i32): usize {
  return addressOf(column(market, MARKET_BARS), i * BAR_LENGTH);
}
