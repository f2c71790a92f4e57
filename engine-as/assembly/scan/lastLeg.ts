import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { FIB_STATE, fib, swingsOf } from '../indicators/fib';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { rollingMax, rollingMin } from '../rolling/extreme';
import { addressOf, at, put } from '../series';

/** Initial number of candles to search; doubled each time that was too few. */
const WINDOW = 64;
const SWING_HIGH = 1;
const SWING_LOW = -1;

/**
 * fib() for the last candle of a series. Early candles are mostly irrelevant: whatever the legs were before, a confirmed low that is
 * followed by a confirmed high above it leaves that high as the swing high of a leg up. If the low was taken, the high beats it. If it was
 * not, either an older low stands below it, or the older swing high is not above it; the new high lies beyond both. (Mirrored for a high
 * and a low below it.) From there on the swing on the other side is unknown, and not needed, until one is taken; so a walk from there that
 * ends with both has the right ones.
 * @param planes f64[8 * length] as in fib(); right at the last candle only
 * @param state  f64[FIB_STATE], scratch
 */
export function lastLeg(high: usize, low: usize, length: i32, reach: i32, planes: usize, state: usize): i32 {
  for (let window = WINDOW; window + 2 * reach < length; window *= 2) {
    memory.fill(state, 0, FIB_STATE << 3);
    const start = length - window;
    const status = findTurn(addressOf(high, start), addressOf(low, start), window, reach, state);
    if (status !== STATUS_OK) return status;
    if (at(state, 0) === 0) continue;
    put(state, 0, at(state, 0) + <f64>start);
    const walked = fib(high, low, length, reach, planes, length, state);
    if (walked !== STATUS_OK || (at(state, 3) !== 0 && at(state, 4) !== 0)) return walked;
  }
  memory.fill(state, 0, FIB_STATE << 3);
  return fib(high, low, length, reach, planes, length, state);
}

/** Puts the leg after the first turn within the window into `state`; slot 0 stays 0 when there is none. */
function findTurn(high: usize, low: usize, window: i32, reach: i32, state: usize): i32 {
  const mark = arenaMark();
  const tops = arenaReserve((<usize>window) << 3);
  const bottoms = arenaReserve((<usize>window) << 3);
  if (tops === 0 || bottoms === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  let status = rollingMax(high, window, reach, tops, 0);
  if (status === STATUS_OK) status = rollingMin(low, window, reach, bottoms, 0);
  let side = 0;
  let price: f64 = 0;
  // The last candle itself is left to fib(), which has to write it.
  for (let i = 2 * reach; status === STATUS_OK && i < window - 1; i++) {
    const swings = swingsOf(high, low, tops, bottoms, i, reach);
    if (swings === 0) continue;
    const isTop = (swings & 1) !== 0;
    const isBoth = isTop && (swings & 4) !== 0;
    const next = at(isTop ? high : low, i - reach);
    if (!isBoth && isTurn(isTop, side, next, price)) {
      keepLeg(state, i, isTop, next);
      break;
    }
    side = isBoth ? 0 : isTop ? SWING_HIGH : SWING_LOW;
    price = next;
  }
  arenaRelease(mark);
  return status;
}

/** A swing high above a swing low before it, or the mirror image. */
function isTurn(isTop: bool, side: i32, next: f64, price: f64): bool {
  return isTop ? side === SWING_LOW && next > price : side === SWING_HIGH && next < price;
}

/** The state of fib() after candle `i` confirmed this swing. */
function keepLeg(state: usize, i: i32, isTop: bool, price: f64): void {
  put(state, 0, <f64>(i + 1));
  put(state, isTop ? 1 : 2, price);
  put(state, isTop ? 3 : 4, 1);
  put(state, 5, isTop ? 1 : -1);
}
