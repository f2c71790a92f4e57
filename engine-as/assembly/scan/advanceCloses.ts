import * as preset from '../../abi/defaults';
import { bothStates, candle, far, keepNext, keepStates, near } from './pairs';

// The recurrences of indicators/rsi.ts, macd.ts and obv.ts for two series at once: each lane does the operations of those
// kernels in their order, so the states are the same bits. Nothing is put out: the kernels go on from the states.

/** Candles up to `to` in steps of two. `one` and `two` are the closes of both series. */
export function advanceRsi(one: usize, two: usize, to: i32, stateOne: usize, stateTwo: usize): void {
  const weight = 1.0 / <f64>preset.RSI_PERIOD;
  const keep = 1.0 - weight;
  const weights = f64x2.splat(weight);
  const once = f64x2.splat(keep);
  const twice = f64x2.splat(keep * keep);
  const zero = f64x2.splat(0);
  let i = <i32>load<f64>(stateOne);
  let gain = bothStates(stateOne, stateTwo, 1);
  let loss = bothStates(stateOne, stateTwo, 2);
  let before = candle(one, two, i - 1);
  for (; i + 2 <= to; i += 2) {
    const a = near(one, two, i);
    const b = far(one, two, i);
    const change = f64x2.mul(weights, f64x2.sub(a, before));
    const next = f64x2.mul(weights, f64x2.sub(b, a));
    const rise = f64x2.pmax(zero, change);
    const nextRise = f64x2.pmax(zero, next);
    gain = f64x2.add(f64x2.mul(twice, gain), f64x2.add(nextRise, f64x2.mul(once, rise)));
    const fall = f64x2.add(f64x2.sub(nextRise, next), f64x2.mul(once, f64x2.sub(rise, change)));
    loss = f64x2.add(f64x2.mul(twice, loss), fall);
    before = b;
  }
  keepNext(stateOne, stateTwo, i);
  keepStates(stateOne, stateTwo, 1, gain);
  keepStates(stateOne, stateTwo, 2, loss);
}

/** Candles up to `to` in steps of four. The step after the seed begins on the same candle for lines and signal. */
export function advanceMacd(one: usize, two: usize, to: i32, stateOne: usize, stateTwo: usize): void {
  const a = 1.0 - 2.0 / <f64>(preset.MACD_FAST + 1);
  const b = 1.0 - 2.0 / <f64>(preset.MACD_SLOW + 1);
  const s = 1.0 - 2.0 / <f64>(preset.MACD_SIGNAL + 1);
  const quickGain = f64x2.splat(-a);
  const steadyGain = f64x2.splat(-b);
  const signalGain = f64x2.splat(-s);
  const a1 = f64x2.splat(a);
  const a2 = f64x2.splat(a * a);
  const a3 = f64x2.splat(a * a * a);
  const a4 = f64x2.splat(a * a * a * a);
  const b1 = f64x2.splat(b);
  const b2 = f64x2.splat(b * b);
  const b3 = f64x2.splat(b * b * b);
  const b4 = f64x2.splat(b * b * b * b);
  const s1 = f64x2.splat(s);
  const s2 = f64x2.splat(s * s);
  const s4 = f64x2.splat(s * s * s * s);
  const signalOne = stateOne + 24;
  const signalTwo = stateTwo + 24;
  let i = <i32>load<f64>(stateOne);
  let quick = bothStates(stateOne, stateTwo, 1);
  let steady = bothStates(stateOne, stateTwo, 2);
  let carry = bothStates(signalOne, signalTwo, 1);
  let line = bothStates(signalOne, signalTwo, 2);
  let before = candle(one, two, i - 1);
  for (; i + 4 <= to; i += 4) {
    const c0 = near(one, two, i);
    const c1 = far(one, two, i);
    const c2 = near(one, two, i + 2);
    const c3 = far(one, two, i + 2);
    const m0 = f64x2.sub(c0, before);
    const m1 = f64x2.sub(c1, c0);
    const m2 = f64x2.sub(c2, c1);
    const m3 = f64x2.sub(c3, c2);
    before = c3;
    const u0 = f64x2.mul(quickGain, m0);
    const u1 = f64x2.add(f64x2.mul(quickGain, m1), f64x2.mul(a1, u0));
    const u2 = f64x2.mul(quickGain, m2);
    const u3 = f64x2.add(f64x2.mul(quickGain, m3), f64x2.mul(a1, u2));
    const v0 = f64x2.mul(steadyGain, m0);
    const v1 = f64x2.add(f64x2.mul(steadyGain, m1), f64x2.mul(b1, v0));
    const v2 = f64x2.mul(steadyGain, m2);
    const v3 = f64x2.add(f64x2.mul(steadyGain, m3), f64x2.mul(b1, v2));
    const l0 = f64x2.sub(f64x2.add(f64x2.mul(a1, quick), u0), f64x2.add(f64x2.mul(b1, steady), v0));
    const l1 = f64x2.sub(f64x2.add(f64x2.mul(a2, quick), u1), f64x2.add(f64x2.mul(b2, steady), v1));
    const q2 = f64x2.add(f64x2.mul(a3, quick), f64x2.add(u2, f64x2.mul(a1, u1)));
    const t2 = f64x2.add(f64x2.mul(b3, steady), f64x2.add(v2, f64x2.mul(b1, v1)));
    const l2 = f64x2.sub(q2, t2);
    quick = f64x2.add(f64x2.mul(a4, quick), f64x2.add(u3, f64x2.mul(a2, u1)));
    steady = f64x2.add(f64x2.mul(b4, steady), f64x2.add(v3, f64x2.mul(b2, v1)));
    const l3 = f64x2.sub(quick, steady);
    const w0 = f64x2.mul(signalGain, f64x2.sub(l0, line));
    const w1 = f64x2.add(f64x2.mul(signalGain, f64x2.sub(l1, l0)), f64x2.mul(s1, w0));
    const w2 = f64x2.mul(signalGain, f64x2.sub(l2, l1));
    const w3 = f64x2.add(f64x2.mul(signalGain, f64x2.sub(l3, l2)), f64x2.mul(s1, w2));
    carry = f64x2.add(f64x2.mul(s4, carry), f64x2.add(w3, f64x2.mul(s2, w1)));
    line = l3;
  }
  keepNext(stateOne, stateTwo, i);
  keepNext(signalOne, signalTwo, i);
  keepStates(stateOne, stateTwo, 1, quick);
  keepStates(stateOne, stateTwo, 2, steady);
  keepStates(signalOne, signalTwo, 1, carry);
  keepStates(signalOne, signalTwo, 2, line);
}

/** Candles up to `to` in steps of four; closes and volumes of both series. */
export function advanceObv(
  one: usize,
  two: usize,
  volumeOne: usize,
  volumeTwo: usize,
  to: i32,
  stateOne: usize,
  stateTwo: usize,
): void {
  let i = <i32>load<f64>(stateOne);
  let sum = bothStates(stateOne, stateTwo, 1);
  let before = candle(one, two, i - 1);
  for (; i + 4 <= to; i += 4) {
    const c0 = near(one, two, i);
    const c1 = far(one, two, i);
    const c2 = near(one, two, i + 2);
    const c3 = far(one, two, i + 2);
    const left = f64x2.add(
      signed(c1, c0, far(volumeOne, volumeTwo, i)),
      signed(c0, before, near(volumeOne, volumeTwo, i)),
    );
    const right = f64x2.add(
      signed(c3, c2, far(volumeOne, volumeTwo, i + 2)),
      signed(c2, c1, near(volumeOne, volumeTwo, i + 2)),
    );
    sum = f64x2.add(sum, f64x2.add(right, left));
    before = c3;
  }
  keepNext(stateOne, stateTwo, i);
  keepStates(stateOne, stateTwo, 1, sum);
}

function signed(price: v128, before: v128, traded: v128): v128 {
  const up = v128.and(f64x2.gt(price, before), traded);
  return f64x2.sub(up, v128.and(f64x2.lt(price, before), traded));
}
