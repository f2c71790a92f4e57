import { NEUTRAL_POINTS } from '../../abi/defaults';
import { at } from '../series';
import { voteColumns, voteNumbers } from './compare';

// Every rule writes one i8 column over [from, length); the caller clears what lies before. The rules in words are in
// abi/registry.ts, and a test compares both.

/** 1 when `isLong`, -1 when `isShort`; at most one of them holds. */
function putVote(votes: usize, i: i32, isLong: bool, isShort: bool): void {
  store<i8>(votes + <usize>i, <i32>isLong - <i32>isShort);
}

/** Long when `value` is above `reference` by more than the neutral band of the close, short when below. */
export function voteAbove(value: usize, reference: usize, close: usize, from: i32, length: i32, votes: usize): void {
  voteColumns(value, reference, reference, value, close, from, length, votes);
}

/** Long when `value` is above the band of zero, short when below. */
export function voteSign(value: usize, close: usize, from: i32, length: i32, votes: usize): void {
  voteNumbers(value, 0, 0, true, close, from, length, votes);
}

/** Long below `under`, short above `over`: an oscillator that is expected to turn back. */
export function voteReversal(value: usize, under: f64, over: f64, from: i32, length: i32, votes: usize): void {
  voteNumbers(value, under, over, false, 0, from, length, votes);
}

/** Long above `over`, short below `under`: an oscillator that is expected to go on. */
export function voteBreakout(value: usize, under: f64, over: f64, from: i32, length: i32, votes: usize): void {
  voteNumbers(value, under, over, true, 0, from, length, votes);
}

/** Long above `upper`, short below `lower`. */
export function voteChannel(close: usize, upper: usize, lower: usize, from: i32, length: i32, votes: usize): void {
  voteColumns(close, upper, lower, close, close, from, length, votes);
}

/** Long below `lower`, short above `upper`: beyond a band the close is expected to come back. */
export function voteReturn(close: usize, upper: usize, lower: usize, from: i32, length: i32, votes: usize): void {
  voteColumns(lower, close, close, upper, close, from, length, votes);
}

/** The strict order of two series without a band: exact sums need none. */
export function voteOrder(value: usize, reference: usize, from: i32, length: i32, votes: usize): void {
  voteColumns(value, reference, reference, value, 0, from, length, votes);
}

/** The directional indicators decide, once the ADX is above `trend`. */
export function voteAdx(adx: usize, plus: usize, minus: usize, trend: f64, from: i32, length: i32, votes: usize): void {
  for (let i = from; i < length; i++) {
    const isTrend = at(adx, i) > trend;
    putVote(votes, i, isTrend && at(plus, i) > at(minus, i), isTrend && at(plus, i) < at(minus, i));
  }
}

/** %K turning up through %D at the bottom of its range, or down at the top. */
export function voteStochRsi(
  k: usize,
  d: usize,
  oversold: f64,
  overbought: f64,
  from: i32,
  length: i32,
  votes: usize,
): void {
  for (let i = from; i < length; i++) {
    const lead = at(k, i) - at(d, i);
    const isLong = at(k, i) < oversold && lead > NEUTRAL_POINTS;
    putVote(votes, i, isLong, at(k, i) > overbought && lead < -NEUTRAL_POINTS);
  }
}

/** With the leg while the close is between the fractions `near` and `far` of the way back to the leg's start. */
export function voteFib(
  top: usize,
  bottom: usize,
  direction: usize,
  close: usize,
  near: f64,
  far: f64,
  from: i32,
  length: i32,
  votes: usize,
): void {
  for (let i = from; i < length; i++) {
    const isUp = at(direction, i) > 0;
    const back = isUp ? at(top, i) - at(close, i) : at(close, i) - at(bottom, i);
    const leg = at(top, i) - at(bottom, i);
    const isInZone = back >= near * leg && back <= far * leg;
    putVote(votes, i, isInZone && isUp, isInZone && !isUp);
  }
}

/** A candle without trades is no evidence of volume. */
export function silenceWithoutVolume(volume: usize, from: i32, length: i32, votes: usize): void {
  for (let i = from; i < length; i++) {
    if (at(volume, i) <= 0) store<i8>(votes + <usize>i, 0);
  }
}
