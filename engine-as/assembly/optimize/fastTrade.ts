import { CLOSE_NONE, CLOSE_STOP_LOSS, TARGET_LIMIT, TRAILING_OFF } from '../../abi/backtest';
import { Bar, Frame, Market, Rules } from '../records.gen';
import { barAt } from '../rows';
import { at } from '../series';
import { isBeyondMargin } from '../simulate/exit';
import { impactOf } from '../simulate/impact';
import { liquidationPrice } from '../simulate/liquidation';
import { roundAgainst, roundDown } from '../simulate/rounding';
import { coveredQuantity, isCovered, orderOf } from '../simulate/size';
import { impactedFill } from './fills';
import { setOutcome } from './outcome';
import { settleByParts, settledAmbiguousOf, settledPriceOf } from './parts';
import { nextTouch, stepsOf } from './quantise';

/** Fraction of the entry price by which the price search stops early: far above any rounding, far below any tick. */
const SAFETY: f64 = 1e-9;
/** Share of the notional that the account must have beyond what it surely needs: far above any rounding. */
const COVER_SAFETY: f64 = 1e-6;

/**
 * Type arguments of fastTrade. Each combination is compiled separately so that none pays for features it does not use. The market: candles
 * alone, or with mark prices or finer candles. The rules: the usual ones (no trailing stop, the stop before the liquidation and before the
 * target, which is a market order), or any. Whether the position leaves at a bar that is known before.
 */
export type Plain = i32;
export type Detailed = f64;
export type Usual = i32;
export type Any = f64;
export type Staying = i32;
export type Leaving = f64;

/**
 * One trade with everything in registers: openPosition, stepPosition, trailStop and closePosition of assembly/simulate for
 * rules without a time barrier, in the same order of operations. Between two candles in which something can happen it searches
 * quantised lows and highs; what it finds is decided on the exact prices. The definition is assembly/simulate: a property test
 * holds this equal to it, to the bit.
 */
// One function on purpose: everything it carries from bar to bar stays in registers, which a call would spill.
// eslint-disable-next-line max-lines-per-function, complexity, typescript/no-unnecessary-type-parameters
export function fastTrade<M, R, L>(
  market: Market,
  rules: Rules,
  entry: i32,
  side: f64,
  last: i32,
  available: f64,
): i32 {
  const frame = market.frame;
  const bars = market.bars;
  const tick = rules.tickSize;
  const taker = rules.takerFee;
  const slippage = rules.slippage;
  const isLong = side > 0;
  // A branch on the side is guessed wrong in every second trade, so the side is multiplied in and chosen by address.
  const goodOffset = select<usize>(offsetof<Bar>('high'), offsetof<Bar>('low'), isLong);
  const badOffset = select<usize>(offsetof<Bar>('low'), offsetof<Bar>('high'), isLong);
  const markOffset = select<usize>(offsetof<Bar>('markLow'), offsetof<Bar>('markHigh'), isLong);

  const isSized = market.fills !== 0;
  const leverage = rules.leverage;
  let price: f64;
  let wanted = rules.notional;
  if (isSized) {
    price = at(market.fills, 2 * entry + i32(!isLong));
    const isWhole = wanted * (1 + taker * leverage) * (1 + COVER_SAFETY) <= available * leverage;
    if (!isWhole || isNaN(price)) {
      const entryMax = at(frame.entryMax, entry);
      price = impactedFill(rules, barAt(bars, entry), side, available, entryMax);
      if (wanted > entryMax) wanted = entryMax;
    }
  } else price = rounded(barAt(bars, entry).open * (1 + side * slippage), tick, side);
  let quantity = roundDown(orderOf(rules, wanted / price), rules.stepSize);
  let notional = quantity * price;
  if (!(quantity > 0) || notional < rules.minNotional) return -1;
  let entryFee = taker * notional;
  // Multiplied by the leverage most entries are surely covered; the quotient, many times slower, decides only about the others.
  const isSurelyCovered = notional + entryFee * leverage <= available * leverage;
  if (!isSurelyCovered && !isCovered(notional / leverage + entryFee, available)) {
    quantity = coveredQuantity(rules, price, available);
    if (!(quantity > 0)) return -1;
    notional = quantity * price;
    entryFee = taker * notional;
  }
  const size = side * quantity;
  // Levels times the side, so that "above" is good for either side.
  let stop = side * rounded(price * (1 - side * rules.stopLossFraction), tick, side);
  const target = side * rounded(price * (1 + side * rules.takeProfitFraction), tick, -side);
  // Where the stop is surely met first (stopFirst.ts), only an open beyond the stop can be beyond the liquidation price.
  const isStopFirst = isInteger<R>() || market.isStopFirst !== 0;
  let liquidation: f64 = NaN;
  if (!isStopFirst) liquidation = liquidationLevel(frame, rules, side, price, quantity, notional / leverage, tick);

  const isTrailing = isFloat<R>() && rules.trailingMode !== TRAILING_OFF;
  const keep = 1 - side * rules.trailingCallback;
  const step = rules.trailingStep * price;
  const activation = rules.trailingActivation * price;
  let best = side * price;
  // Where the stop moves next, a little early: candidate >= stop + step, and active (see trailStop).
  const reach = step - tick - SAFETY * price;
  const active = best + activation - SAFETY * price;
  const perKeep = 1.0 / keep;

  const isLimit = isFloat<R>() && <i32>rules.targetOrder === TARGET_LIMIT;
  const isTargetFirst = i32(isFloat<R>() && rules.isTargetFirst > 0);
  const stopSlippage = rules.stopSlippage;
  const targetSlippage = isLimit ? 0 : slippage;
  const targetFee = isLimit ? rules.makerFee : taker;
  const lows = market.lows;
  const highs = market.highs;
  const scale = market.scale;
  let isForced = false; // the position was held to the close of the last bar
  let ambiguous: f64 = 0;
  let level: f64 = 0; // undisturbed exit price
  let slip = slippage;
  let fee = taker;
  let isResting = false; // filled as a limit order, which pays no slippage
  // Without trailing, the entry bar is checked only when a level lies inside it.
  // A bar that trades, after the entry.
  const leaveAt = isFloat<L>() ? market.leaveAt : 0;
  const visited = isFloat<L>() ? min(leaveAt, last) : last;
  let i = entry;
  if (!isTrailing)
    i = min(nextEvent(lows, highs, scale, entry, isLong, side, nearer(stop, liquidation), target), visited);
  for (;;) {
    const bar = barAt(bars, i);
    if (bar.volume > 0) {
      const open = side * bar.open;
      const good = side * load<f64>(changetype<usize>(bar) + goodOffset);
      const bad = side * load<f64>(changetype<usize>(bar) + badOffset);
      if (isFloat<L>() && i === leaveAt) {
        const isBeyond = open <= stop;
        if (isStopFirst && isBeyond)
          liquidation = liquidationLevel(frame, rules, side, price, quantity, notional / leverage, tick);
        const isLost = (isFloat<M>() ? side * bar.markOpen : open) <= liquidation;
        const isTarget = !isBeyond && (isLimit ? open > target : open >= target);
        level = isLost ? NaN : bar.open; // NaN: filled at the bankruptcy price
        slip = isBeyond ? stopSlippage : isTarget ? targetSlippage : slippage;
        fee = isTarget ? targetFee : taker;
        isResting = isLimit && isTarget && !isLost;
        break;
      }
      const mark = isFloat<M>() ? side * load<f64>(changetype<usize>(bar) + markOffset) : bad;
      const isStopped = bad <= stop;
      let isLiquidated = mark <= liquidation; // NaN: never
      const isReached = isLimit ? good > target : good >= target;
      if (isStopped || isLiquidated || isReached) {
        // Liquidation is rare and tested first. V8 makes branches of the selects below on x64; bit masks in their place were slower.
        const isOpenReached = isLimit ? open > target : open >= target;
        const isGap = open <= stop;
        if (isStopFirst && isGap) {
          liquidation = liquidationLevel(frame, rules, side, price, quantity, notional / leverage, tick);
          isLiquidated = mark <= liquidation;
        }
        const markOpen = isFloat<M>() ? side * bar.markOpen : open;
        // No exit at the open, and both a loss level and the target inside the bar: the order is unknown.
        const isBoth =
          (i32(isStopped) | i32(isLiquidated)) &
          i32(isReached) &
          i32(!isGap) &
          i32(!isOpenReached) &
          i32(!(markOpen <= liquidation));
        if (isFloat<M>() && isBoth) {
          // In a finer candle an open can gap past the stop.
          if (isStopFirst)
            liquidation = liquidationLevel(frame, rules, side, price, quantity, notional / leverage, tick);
          const reason = settleByParts(market, rules, i, last, side, stop, target, liquidation, bad, mark);
          if (reason !== CLOSE_NONE) {
            ambiguous = settledAmbiguousOf();
            level = settledPriceOf();
            const isStopReason = reason === CLOSE_STOP_LOSS;
            slip = isStopReason ? stopSlippage : targetSlippage;
            fee = isStopReason ? taker : targetFee;
            isResting = isLimit && !isStopReason;
            break;
          }
        }
        const isTargetTaken = isBoth & isTargetFirst;
        ambiguous = f64(isBoth);
        if (
          !isTargetTaken &&
          isLiquidated &&
          isLiquidatedFirst(open, markOpen, stop, liquidation, isStopped, isOpenReached)
        ) {
          level = NaN; // filled at the bankruptcy price
          break;
        }
        const isStopExit = i32(isStopped) & i32(!isOpenReached) & i32(!isTargetTaken);
        const stopLevel = select<f64>(open, stop, isGap);
        const targetLevel = select<f64>(open, target, isOpenReached);
        level = side * select<f64>(stopLevel, targetLevel, isStopExit);
        slip = select<f64>(stopSlippage, targetSlippage, isStopExit);
        fee = select<f64>(taker, targetFee, isStopExit);
        isResting = isLimit && !isStopExit;
        break;
      }
      if (isTrailing) {
        best = select<f64>(good, best, good > best);
        const candidate = side * rounded(side * best * keep, tick, side);
        const gain = candidate - stop;
        const isMoved = i32(best - side * price >= activation) & i32(gain > 0) & i32(gain >= step);
        stop = select<f64>(candidate, stop, isMoved);
      }
    }
    if (i === last) {
      level = bar.close;
      isForced = true;
      break;
    }
    let aim = target;
    if (isTrailing) {
      const moved = (stop + reach) * perKeep;
      const next = select<f64>(moved, active, moved > active);
      aim = select<f64>(next, target, next < target);
    }
    i = min(nextEvent(lows, highs, scale, i + 1, isLong, side, nearer(stop, liquidation), aim), visited);
  }
  const funded = market.funded;
  const paidFrom = load<i32>(funded + ((<usize>entry) << 2));
  const paidUntil = load<i32>(funded + ((<usize>i) << 2));
  let funding = fundingOf(market.fundings, paidFrom, paidUntil, size);
  if (isForced) funding += size * at(market.endFunding, 0);
  if (isSized && !isResting) slip += impactOf(barAt(bars, i).impact, quantity * level);
  let exit = rounded(level * (1 - side * slip), tick, -side);
  // A liquidation (NaN), and a fill that would lose more than the margin: at the bankruptcy price, without slippage and fee.
  const isSurelyWithin = side * (price - exit) * quantity * leverage <= notional;
  if (!isSurelyWithin) {
    const bankruptcy = price - side * (notional / leverage / quantity);
    if (level !== level || isBeyondMargin(side, price, bankruptcy, exit)) {
      exit = bankruptcy;
      fee = 0;
    }
  }
  const fees = entryFee + fee * (quantity * exit);
  setOutcome(price, size, exit, (exit - price) * side * quantity - fees - funding, entryFee, ambiguous);
  return i;
}

/** Paid from the fill on, one after the other as the simulator does; a negative size receives. */
function fundingOf(fundings: usize, from: i32, to: i32, size: f64): f64 {
  let paid: f64 = 0;
  for (let k = from; k < to; k++) paid += size * at(fundings, k);
  return paid;
}

function liquidationLevel(
  frame: Frame,
  rules: Rules,
  side: f64,
  price: f64,
  quantity: f64,
  margin: f64,
  tick: f64,
): f64 {
  const tiers = frame.tiers;
  const raw = liquidationPrice(rules, tiers, frame.tierCount, side, price, quantity, margin);
  return side * rounded(raw, tick, side);
}

/**
 * True when a bar that reaches the liquidation price liquidates: at its open before anything else; inside it unless the open
 * closed the position already or the stop is met before.
 */
function isLiquidatedFirst(
  open: f64,
  markOpen: f64,
  stop: f64,
  liquidation: f64,
  isStopped: bool,
  isOpenReached: bool,
): bool {
  if (markOpen <= liquidation) return true;
  if (open <= stop || isOpenReached) return false;
  return !isStopped || stop <= liquidation;
}

/** roundAgainst that checks the tick first: without a tick, the side does not matter. */
function rounded(price: f64, tick: f64, trade: f64): f64 {
  return tick > 0 ? roundAgainst(price, tick, trade) : price;
}

/** The nearer of the two levels, times the side; the stop when there is no liquidation (NaN). */
function nearer(stop: f64, liquidation: f64): f64 {
  return select<f64>(liquidation, stop, liquidation > stop);
}

/** First bar from `from` on in which the loss level or the target may be reached. Levels times the side. */
function nextEvent(
  lows: usize,
  highs: usize,
  scale: usize,
  from: i32,
  isLong: bool,
  side: f64,
  loss: f64,
  wanted: f64,
): i32 {
  const nearest = side * loss;
  const aim = side * wanted;
  const low = select<f64>(nearest, aim, isLong);
  const high = select<f64>(aim, nearest, isLong);
  const steps = stepsOf(f64x2.replace_lane(f64x2.splat(low), 1, high), scale);
  return nextTouch(lows, highs, from, i32x4.extract_lane(steps, 0), i32x4.extract_lane(steps, 2));
}
