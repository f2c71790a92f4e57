import { CLOSE_END, CLOSE_NONE, OPEN_DONE } from '../../abi/backtest';
import { netPnlAt } from '../simulate/trade';
import { Market, Rules } from '../records.gen';
import { barAt } from '../rows';
import { at } from '../series';
import { closePosition } from '../simulate/close';
import { isInQuestion } from '../simulate/exit';
import { openPosition } from '../simulate/open';
import { stepPosition } from '../simulate/step';
import { Any, Detailed, fastTrade, Leaving, Plain, Staying, Usual } from './fastTrade';
import { setOutcome } from './outcome';
import { readPartsOf } from './parts';

/**
 * One trade that fills at the open of bar `entry` and ends by force at the close of bar `last`.
 * @param side      1 long, -1 short
 * @param available equity for margin and entry fee
 * @returns         the bar of its exit, its outcome in outcome.ts; -1 when nothing trades at the entry, the size is too small
 *                  or the equity is too short
 */
export function tradeFrom(market: Market, entry: i32, side: f64, last: i32, available: f64): i32 {
  const bar = barAt(market.bars, entry);
  if (!(bar.volume > 0)) return -1;
  const rules = market.rules;
  if (market.isStepped !== 0) return steppedTrade(market, rules, entry, side, last, available);
  const isDetailed = market.isDetailed !== 0;
  if (market.isUsual !== 0) {
    return isDetailed
      ? fastTrade<Detailed, Usual, Staying>(market, rules, entry, side, last, available)
      : fastTrade<Plain, Usual, Staying>(market, rules, entry, side, last, available);
  }
  return isDetailed
    ? fastTrade<Detailed, Any, Staying>(market, rules, entry, side, last, available)
    : fastTrade<Plain, Any, Staying>(market, rules, entry, side, last, available);
}

/** The same for rules without a time barrier whose position leaves at the open of bar `leaveAt` at the latest, if that is not after `last`. */
export function tradeUntil(market: Market, entry: i32, side: f64, last: i32, available: f64, leaveAt: i32): i32 {
  if (!(barAt(market.bars, entry).volume > 0)) return -1;
  const rules = market.rules;
  market.leaveAt = leaveAt;
  const isDetailed = market.isDetailed !== 0;
  if (market.isUsual !== 0) {
    return isDetailed
      ? fastTrade<Detailed, Usual, Leaving>(market, rules, entry, side, last, available)
      : fastTrade<Plain, Usual, Leaving>(market, rules, entry, side, last, available);
  }
  return isDetailed
    ? fastTrade<Detailed, Any, Leaving>(market, rules, entry, side, last, available)
    : fastTrade<Plain, Any, Leaving>(market, rules, entry, side, last, available);
}

/** The trade by the simulator's own step, every bar of it. */
function steppedTrade(market: Market, rules: Rules, entry: i32, side: f64, last: i32, available: f64): i32 {
  const frame = market.frame;
  const position = market.position;
  const tiers = frame.tiers;
  const first = barAt(market.bars, entry);
  const tierCount = frame.tierCount;
  const time = first.time;
  const entryMax = frame.entryMax !== 0 ? at(frame.entryMax, entry) : Infinity;
  const impact = first.impact;
  const open = first.open;
  const answer = openPosition(rules, tiers, tierCount, position, side, time, open, available, NaN, impact, entryMax);
  if (answer !== OPEN_DONE) return -1;
  const entryFee = position.fees;
  let i = entry;
  for (;;) {
    const bar = barAt(market.bars, i);
    const parts = isInQuestion(rules, position, bar) ? readPartsOf(market, i, last) : 0;
    const inside = bar.fundingInside;
    if (i === last) bar.fundingInside = at(market.endFunding, 0);
    const reason = stepPosition(rules, position, bar, frame.parts, parts);
    bar.fundingInside = inside;
    if (reason !== CLOSE_NONE) break;
    if (i === last) {
      closePosition(rules, position, bar.time, bar.close, CLOSE_END, bar.impact);
      break;
    }
    i++;
  }
  const exit = position.exitPrice;
  const size = side * position.quantity;
  const net = netPnlAt(position, exit);
  setOutcome(position.entryPrice, size, exit, net, entryFee, position.isAmbiguous);
  return i;
}
