import * as preset from '../../abi/defaults';
import { half, hundred, noMovement } from '../constants';
import { bothStates, candle, far, keepNext, keepStates, near } from './pairs';

// The recurrences of indicators/adx.ts and supertrend.ts (with its ATR) for two series at once, as in advanceCloses.ts.

/** Candles up to `to` in steps of two. Highs, lows and closes of series a and b. */
export function advanceAdx(
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
  const weight = 1.0 / <f64>preset.ADX_PERIOD;
  const keep = 1.0 - weight;
  const weights = f64x2.splat(weight);
  const once = f64x2.splat(keep);
  const twice = f64x2.splat(keep * keep);
  const percent = hundred();
  const still = noMovement();
  let i = <i32>load<f64>(stateA);
  let range = bothStates(stateA, stateB, 1);
  let up = bothStates(stateA, stateB, 2);
  let down = bothStates(stateA, stateB, 3);
  let mean = bothStates(stateA, stateB, 4);
  let close = candle(closeA, closeB, i - 1);
  let high = candle(highA, highB, i - 1);
  let low = candle(lowA, lowB, i - 1);
  for (; i + 2 <= to; i += 2) {
    const h0 = near(highA, highB, i);
    const h1 = far(highA, highB, i);
    const l0 = near(lowA, lowB, i);
    const l1 = far(lowA, lowB, i);
    const c0 = near(closeA, closeB, i);
    const r0 = f64x2.sub(f64x2.pmax(h0, close), f64x2.pmin(l0, close));
    const r1 = f64x2.sub(f64x2.pmax(h1, c0), f64x2.pmin(l1, c0));
    range = f64x2.add(f64x2.mul(twice, range), f64x2.add(r1, f64x2.mul(once, r0)));
    const rise0 = f64x2.sub(h0, high);
    const fall0 = f64x2.sub(low, l0);
    const rise1 = f64x2.sub(h1, h0);
    const fall1 = f64x2.sub(l0, l1);
    const u0 = outward(rise0, fall0);
    const d0 = outward(fall0, rise0);
    const up0 = f64x2.add(f64x2.mul(once, up), u0);
    const down0 = f64x2.add(f64x2.mul(once, down), d0);
    up = f64x2.add(f64x2.mul(twice, up), f64x2.add(outward(rise1, fall1), f64x2.mul(once, u0)));
    down = f64x2.add(f64x2.mul(twice, down), f64x2.add(outward(fall1, rise1), f64x2.mul(once, d0)));
    const x0 = f64x2.mul(weights, index(up0, down0, percent, still));
    const x1 = f64x2.mul(weights, index(up, down, percent, still));
    mean = f64x2.add(f64x2.mul(twice, mean), f64x2.add(x1, f64x2.mul(once, x0)));
    close = far(closeA, closeB, i);
    high = h1;
    low = l1;
  }
  keepNext(stateA, stateB, i);
  keepStates(stateA, stateB, 1, range);
  keepStates(stateA, stateB, 2, up);
  keepStates(stateA, stateB, 3, down);
  keepStates(stateA, stateB, 4, mean);
}

function outward(move: v128, other: v128): v128 {
  return v128.and(f64x2.gt(move, other), f64x2.pmax(f64x2.splat(0), move));
}

/** 100 * (|up - down| / (up + down)), 0 when nothing moves. */
function index(up: v128, down: v128, percent: v128, still: v128): v128 {
  const whole = f64x2.add(up, down);
  const part = f64x2.abs(f64x2.sub(up, down));
  return v128.and(f64x2.gt(whole, still), f64x2.mul(percent, f64x2.div(part, whole)));
}
