import {
  BAR_CLOSE,
  BAR_LENGTH,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  CLOSE_END,
  CLOSE_NONE,
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  OPEN_DONE,
  POSITION_ENTRY_PRICE,
  POSITION_EXIT_PRICE,
  POSITION_FEES,
  POSITION_IS_AMBIGUOUS,
  POSITION_QUANTITY,
  RULE_HOLDING_BARS_MAX,
} from '../../abi/backtest';
import { MARKET_BARS, MARKET_FRAME, MARKET_POSITION, MARKET_RULES } from '../../abi/optimize';
import { column, number } from '../backtest/frame';
import { netPnlAt } from '../backtest/trade';
import { addressOf, at } from '../series';
import { closePosition } from '../simulate/close';
import { openPosition } from '../simulate/open';
import { stepPosition } from '../simulate/step';
import { fastTrade } from './fastTrade';
import { setOutcome } from './outcome';

/**
 * One trade that fills at the open of bar `entry` and ends by force at the close of bar `last`.
 * @param side      1 long, -1 short
 * @param available equity for margin and entry fee
 * @returns         the bar of its exit, its outcome in outcome.ts; -1 when nothing trades at the entry, the size is too small
 *                  or the equity is too short
 */
export function tradeFrom(market: usize, entry: i32, side: f64, last: i32, available: f64): i32 {
  const bar = barAt(market, entry);
  if (!(at(bar, BAR_VOLUME) > 0)) return -1;
  const rules = column(market, MARKET_RULES);
  // A time barrier has no price to search for: such rules are stepped bar by bar.
  return at(rules, RULE_HOLDING_BARS_MAX) > 0
    ? steppedTrade(market, rules, entry, side, last, available)
    : fastTrade(market, rules, entry, side, last, available);
}

/** The trade by the simulator's own step, every bar of it. */
function steppedTrade(market: usize, rules: usize, entry: i32, side: f64, last: i32, available: f64): i32 {
  const frame = column(market, MARKET_FRAME);
  const position = column(market, MARKET_POSITION);
  const tiers = column(frame, FRAME_TIERS);
  const first = barAt(market, entry);
  const tierCount = number(frame, FRAME_TIER_COUNT);
  const time = at(first, BAR_TIME);
  const answer = openPosition(rules, tiers, tierCount, position, side, time, at(first, BAR_OPEN), available);
  if (answer !== OPEN_DONE) return -1;
  const entryFee = at(position, POSITION_FEES);
  let i = entry;
  while (stepPosition(rules, position, barAt(market, i), 0, 0) === CLOSE_NONE) {
    if (i === last) {
      const bar = barAt(market, i);
      closePosition(rules, position, at(bar, BAR_TIME), at(bar, BAR_CLOSE), CLOSE_END);
      break;
    }
    i++;
  }
  const exit = at(position, POSITION_EXIT_PRICE);
  const size = side * at(position, POSITION_QUANTITY);
  const net = netPnlAt(position, exit);
  setOutcome(at(position, POSITION_ENTRY_PRICE), size, exit, net, entryFee, at(position, POSITION_IS_AMBIGUOUS));
  return i;
}

function barAt(market: usize, i: i32): usize {
  return addressOf(column(market, MARKET_BARS), i * BAR_LENGTH);
}
