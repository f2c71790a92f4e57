import {
  BAR_CLOSE,
  BAR_FUNDING_AT_OPEN,
  BAR_FUNDING_INSIDE,
  BAR_HIGH,
  BAR_LENGTH,
  BAR_LOW,
  BAR_OPEN,
  BAR_VOLUME,
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  RULE_LEVERAGE,
  RULE_MAKER_FEE,
  RULE_MIN_NOTIONAL,
  RULE_NOTIONAL,
  RULE_SLIPPAGE,
  RULE_STEP_SIZE,
  RULE_STOP_LOSS_FRACTION,
  RULE_STOP_SLIPPAGE,
  RULE_TAKE_PROFIT_FRACTION,
  RULE_TAKER_FEE,
  RULE_TARGET_ORDER,
  RULE_TICK_SIZE,
  RULE_TRAILING_ACTIVATION,
  RULE_TRAILING_CALLBACK,
  RULE_TRAILING_MODE,
  RULE_TRAILING_STEP,
  TARGET_LIMIT,
  TRAILING_OFF,
} from '../../abi/backtest';
import {
  MARKET_BARS,
  MARKET_FRAME,
  MARKET_HIGHS,
  MARKET_LOWS,
  MARKET_NEXT_FUNDING,
  MARKET_SCALE,
} from '../../abi/optimize';
import { column, number } from '../backtest/frame';
import { addressOf, at } from '../series';
import { liquidationPrice } from '../simulate/liquidation';
import { roundAgainst, roundDown } from '../simulate/rounding';
import { setOutcome } from './outcome';
import { nextTouch, stepsOf } from './quantise';

/** Share of the entry price by which a price is searched for too early: far above any rounding, far below any tick. */
const SAFETY: f64 = 1e-9;

/**
 * One trade with everything in registers: openPosition, stepPosition, trailStop and closePosition of assembly/simulate for
 * rules without a time barrier, mark prices and finer candles, in the same order of operations. Between two candles in which
 * something can happen it searches quantised lows and highs; what it finds is decided on the exact prices. The definition is
 * assembly/simulate: a property test holds this equal to it, to the bit.
 */
export function fastTrade(market: usize, rules: usize, entry: i32, side: f64, last: i32): i32 {
  const frame = column(market, MARKET_FRAME);
  const bars = column(market, MARKET_BARS);
  const tick = at(rules, RULE_TICK_SIZE);
  const taker = at(rules, RULE_TAKER_FEE);
  const slippage = at(rules, RULE_SLIPPAGE);
  const isLong = side > 0;

  const price = roundAgainst(at(addressOf(bars, entry * BAR_LENGTH), BAR_OPEN) * (1 + side * slippage), tick, side);
  const quantity = roundDown(at(rules, RULE_NOTIONAL) / price, at(rules, RULE_STEP_SIZE));
  const notional = quantity * price;
  if (!(quantity > 0) || notional < at(rules, RULE_MIN_NOTIONAL)) return -1;
  const margin = notional / at(rules, RULE_LEVERAGE);
  const size = side * quantity;
  const entryFee = taker * notional;
  // Levels times the side, so that "above" is good for either side.
  let stop = side * roundAgainst(price * (1 - side * at(rules, RULE_STOP_LOSS_FRACTION)), tick, side);
  const target = side * roundAgainst(price * (1 + side * at(rules, RULE_TAKE_PROFIT_FRACTION)), tick, -side);
  const tiers = column(frame, FRAME_TIERS);
  const rawLiquidation = liquidationPrice(rules, tiers, number(frame, FRAME_TIER_COUNT), side, price, quantity, margin);
  const liquidation = side * roundAgainst(rawLiquidation, tick, side);

  const isTrailing = at(rules, RULE_TRAILING_MODE) !== TRAILING_OFF;
  const keep = 1 - side * at(rules, RULE_TRAILING_CALLBACK);
  const step = at(rules, RULE_TRAILING_STEP) * price;
  const activation = at(rules, RULE_TRAILING_ACTIVATION) * price;
  let best = side * price;

  const isLimit = <i32>at(rules, RULE_TARGET_ORDER) === TARGET_LIMIT;
  const lows = column(market, MARKET_LOWS);
  const highs = column(market, MARKET_HIGHS);
  const scale = column(market, MARKET_SCALE);
  const nextFunding = column(market, MARKET_NEXT_FUNDING);
  let fundingBar = load<i32>(nextFunding + ((<usize>entry) << 2));
  let funding: f64 = 0;
  let ambiguous: f64 = 0;
  let level: f64 = 0; // undisturbed exit price
  let slip = slippage;
  let fee = taker;
  // The entry bar is looked at like any other that may matter; without trailing only when a level lies in it.
  let i = entry;
  if (!isTrailing) i = min(nextEvent(lows, highs, scale, entry, isLong, side, stop, liquidation, target), last);
  for (;;) {
    while (fundingBar < i) {
      const passed = addressOf(bars, fundingBar * BAR_LENGTH);
      if (fundingBar > entry) funding += size * at(passed, BAR_FUNDING_AT_OPEN);
      funding += size * at(passed, BAR_FUNDING_INSIDE);
      fundingBar = load<i32>(nextFunding + ((<usize>(fundingBar + 1)) << 2));
    }
    const bar = addressOf(bars, i * BAR_LENGTH);
    if (fundingBar === i && i > entry) funding += size * at(bar, BAR_FUNDING_AT_OPEN);

    if (at(bar, BAR_VOLUME) > 0) {
      const open = side * at(bar, BAR_OPEN);
      const good = isLong ? at(bar, BAR_HIGH) : -at(bar, BAR_LOW);
      const bad = isLong ? at(bar, BAR_LOW) : -at(bar, BAR_HIGH);
      const isStopped = bad <= stop;
      const isLiquidated = bad <= liquidation; // NaN: never
      const isReached = isLimit ? good > target : good >= target;
      if (isStopped || isLiquidated || isReached) {
        // 0: target, 1: stop, 2: liquidation
        let reason = 0;
        level = side * open;
        if (open <= liquidation) reason = 2;
        else if (open <= stop) reason = 1;
        else if (!(isLimit ? open > target : open >= target)) {
          if (isReached) ambiguous = isStopped || isLiquidated ? 1 : 0;
          if (isReached && !isStopped && !isLiquidated) level = side * target;
          else if (isLiquidated && (!isStopped || stop <= liquidation)) reason = 2;
          else {
            reason = 1;
            level = side * stop;
          }
        }
        if (reason === 1) slip = at(rules, RULE_STOP_SLIPPAGE);
        else if (reason === 2) {
          slip = -1;
          fee = 0;
          level = price - side * (margin / quantity);
        } else if (isLimit) {
          slip = 0;
          fee = at(rules, RULE_MAKER_FEE);
        }
        break;
      }
      if (fundingBar === i) {
        funding += size * at(bar, BAR_FUNDING_INSIDE);
        fundingBar = load<i32>(nextFunding + ((<usize>(i + 1)) << 2));
      }
      if (isTrailing) {
        if (good > best) best = good;
        if (best - side * price >= activation) {
          const candidate = side * roundAgainst(side * best * keep, tick, side);
          const gain = candidate - stop;
          if (gain > 0 && gain >= step) stop = candidate;
        }
      }
    } else if (fundingBar === i) {
      funding += size * at(bar, BAR_FUNDING_INSIDE);
      fundingBar = load<i32>(nextFunding + ((<usize>(i + 1)) << 2));
    }
    if (i === last) {
      level = at(bar, BAR_CLOSE);
      break;
    }
    let wanted = target;
    if (isTrailing) {
      // The best price that moves the stop next, a little early (see trailStop): candidate >= stop + step, and active.
      const moved = ((stop + step - tick - SAFETY * price) * side) / keep;
      const active = side * price + activation - SAFETY * price;
      wanted = min(target, max(side * moved, active));
    }
    i = min(nextEvent(lows, highs, scale, i + 1, isLong, side, stop, liquidation, wanted), last);
  }
  const exit = slip < 0 ? level : roundAgainst(level * (1 - side * slip), tick, -side);
  const fees = entryFee + fee * (quantity * exit);
  setOutcome(price, size, exit, (exit - price) * side * quantity - fees - funding, entryFee, ambiguous);
  return i;
}

/** First bar from `from` on in which the stop, the liquidation or the wanted price may be reached. Levels times the side. */
function nextEvent(
  lows: usize,
  highs: usize,
  scale: usize,
  from: i32,
  isLong: bool,
  side: f64,
  stop: f64,
  liquidation: f64,
  wanted: f64,
): i32 {
  const nearest = side * (liquidation > stop ? liquidation : stop); // NaN: there is no liquidation
  const aim = side * wanted;
  const low = isLong ? nearest : aim;
  const high = isLong ? aim : nearest;
  const steps = stepsOf(f64x2.replace_lane(f64x2.splat(low), 1, high), scale);
  return nextTouch(lows, highs, from, i32x4.extract_lane(steps, 0), i32x4.extract_lane(steps, 2));
}
