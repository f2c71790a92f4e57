import * as preset from '../../abi/defaults';
import { half } from '../constants';
import { SMOOTHING_STATE } from '../rolling/smoothing';
import { addressOf } from '../series';
import { bothStates, candle, far, keepNext, keepStates, near } from './pairs';

/**
 * The recurrences of indicators/supertrend.ts (with its ATR) for two series at once, as in advanceCloses.ts: candles up to
 * `to` in steps of four, first the mean ranges, then the bands of each candle.
 */
export function advanceSupertrend(
  highA: usize,
  lowA: usize,
  closeA: usize,
  highB: usize,
  lowB: usize,
  closeB: usize,
  to: i32,
  stateA: usize,
  stateB: usize,
): void {
  const k = 1.0 - 1.0 / <f64>preset.SUPERTREND_PERIOD;
  const centre = half();
  const width = f64x2.splat(preset.SUPERTREND_MULTIPLE);
  const gain = f64x2.splat(-k);
  const k1 = f64x2.splat(k);
  const k2 = f64x2.splat(k * k);
  const k3 = f64x2.splat(k * k * k);
  const k4 = f64x2.splat(k * k * k * k);
  const bandsA = addressOf(stateA, SMOOTHING_STATE);
  const bandsB = addressOf(stateB, SMOOTHING_STATE);
  let i = <i32>load<f64>(stateA);
  let carry = bothStates(stateA, stateB, 1);
  let before = bothStates(stateA, stateB, 2);
  let close = candle(closeA, closeB, i - 1);
  let upper = bothStates(bandsA, bandsB, 1);
  let lower = bothStates(bandsA, bandsB, 2);
  let isUp = f64x2.gt(bothStates(bandsA, bandsB, 3), f64x2.splat(0));
  for (; i + 4 <= to; i += 4) {
    const h0 = near(highA, highB, i);
    const h1 = far(highA, highB, i);
    const h2 = near(highA, highB, i + 2);
    const h3 = far(highA, highB, i + 2);
    const l0 = near(lowA, lowB, i);
    const l1 = far(lowA, lowB, i);
    const l2 = near(lowA, lowB, i + 2);
    const l3 = far(lowA, lowB, i + 2);
    const c0 = near(closeA, closeB, i);
    const c1 = far(closeA, closeB, i);
    const c2 = near(closeA, closeB, i + 2);
    const c3 = far(closeA, closeB, i + 2);
    const r0 = rangeOf(h0, l0, close);
    const r1 = rangeOf(h1, l1, c0);
    const r2 = rangeOf(h2, l2, c1);
    const r3 = rangeOf(h3, l3, c2);
    const u0 = f64x2.mul(gain, f64x2.sub(r0, before));
    const u1 = f64x2.add(f64x2.mul(gain, f64x2.sub(r1, r0)), f64x2.mul(k1, u0));
    const u2 = f64x2.mul(gain, f64x2.sub(r2, r1));
    const u3 = f64x2.add(f64x2.mul(gain, f64x2.sub(r3, r2)), f64x2.mul(k1, u2));
    const third = f64x2.add(f64x2.mul(k3, carry), f64x2.add(u2, f64x2.mul(k1, u1)));
    const fourth = f64x2.add(f64x2.mul(k4, carry), f64x2.add(u3, f64x2.mul(k2, u1)));
    const reach0 = f64x2.mul(width, f64x2.add(r0, f64x2.add(f64x2.mul(k1, carry), u0)));
    const middle0 = f64x2.mul(centre, f64x2.add(h0, l0));
    upper = tightened(upper, f64x2.add(middle0, reach0), close);
    lower = raised(lower, f64x2.sub(middle0, reach0), close);
    isUp = v128.bitselect(f64x2.ge(c0, lower), f64x2.gt(c0, upper), isUp);
    const reach1 = f64x2.mul(width, f64x2.add(r1, f64x2.add(f64x2.mul(k2, carry), u1)));
    const middle1 = f64x2.mul(centre, f64x2.add(h1, l1));
    upper = tightened(upper, f64x2.add(middle1, reach1), c0);
    lower = raised(lower, f64x2.sub(middle1, reach1), c0);
    isUp = v128.bitselect(f64x2.ge(c1, lower), f64x2.gt(c1, upper), isUp);
    const reach2 = f64x2.mul(width, f64x2.add(r2, third));
    const middle2 = f64x2.mul(centre, f64x2.add(h2, l2));
    upper = tightened(upper, f64x2.add(middle2, reach2), c1);
    lower = raised(lower, f64x2.sub(middle2, reach2), c1);
    isUp = v128.bitselect(f64x2.ge(c2, lower), f64x2.gt(c2, upper), isUp);
    const reach3 = f64x2.mul(width, f64x2.add(r3, fourth));
    const middle3 = f64x2.mul(centre, f64x2.add(h3, l3));
    upper = tightened(upper, f64x2.add(middle3, reach3), c2);
    lower = raised(lower, f64x2.sub(middle3, reach3), c2);
    isUp = v128.bitselect(f64x2.ge(c3, lower), f64x2.gt(c3, upper), isUp);
    carry = fourth;
    before = r3;
    close = c3;
  }
  keepNext(stateA, stateB, i);
  keepStates(stateA, stateB, 1, carry);
  keepStates(stateA, stateB, 2, before);
  keepNext(bandsA, bandsB, i);
  keepStates(bandsA, bandsB, 1, upper);
  keepStates(bandsA, bandsB, 2, lower);
  keepStates(bandsA, bandsB, 3, v128.bitselect(f64x2.splat(1), f64x2.splat(-1), isUp));
}

function rangeOf(high: v128, low: v128, before: v128): v128 {
  return f64x2.sub(f64x2.pmax(high, before), f64x2.pmin(low, before));
}

/** A band only tightens, until the close before lies beyond it and lets it start again. */
function tightened(upper: v128, top: v128, before: v128): v128 {
  return v128.bitselect(top, f64x2.pmin(upper, top), f64x2.gt(before, upper));
}

function raised(lower: v128, bottom: v128, before: v128): v128 {
  return v128.bitselect(bottom, f64x2.pmax(lower, bottom), f64x2.lt(before, lower));
}
