import * as abi from '../../abi/ruleProgram';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_UNKNOWN_KIND } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at } from '../series';
import { constant, elementwise } from './elements';
import { barsSince, change, crossings, shift, valueWhen } from './events';
import { indicatorColumn } from './indicatorOp';
import { countOf, fieldOf, frameAt, isWithPeriod, kindOf, outputOf } from './program';
import { percentRanks, rollingOp, runs } from './rolling';

/** Room of a column of `count` values, a multiple of 16. */
export function bytesOf(count: i32): usize {
  return (<usize>((count + 1) & ~1)) << 3;
}

/**
 * One instruction of a valid program.
 * @param a, b, c its operands' columns; 0 where it has none
 * @param index   i32[count of the base], EXPAND only: the candle of the other frame that is known
 * @param out     its column, none of the operands
 * @returns       STATUS_OK, STATUS_BAD_PARAMETER (a value no indicator takes) or STATUS_OUT_OF_MEMORY
 */
export function execute(
  code: usize,
  k: i32,
  values: usize,
  frames: usize,
  a: usize,
  b: usize,
  c: usize,
  index: usize,
  out: usize,
): i32 {
  const op = fieldOf(code, k, abi.RULE_OP);
  const frame = fieldOf(code, k, abi.RULE_FRAME);
  const value = fieldOf(code, k, abi.RULE_VALUE);
  const extra = fieldOf(code, k, abi.RULE_EXTRA);
  const length = countOf(frames, frame);
  const bytes = bytesOf(length);
  if (op === abi.OP_CONST) constant(at(values, value), out, bytes);
  else if (op === abi.OP_INDICATOR) {
    const params = addressOf(values, value);
    const row = frameAt(frames, frame);
    const status = indicatorColumn(kindOf(extra), outputOf(extra), row, length, a, params, out);
    return status === STATUS_UNKNOWN_KIND ? STATUS_BAD_PARAMETER : status;
  } else if (op === abi.OP_EXPAND) expand(a, index, length, out);
  else if (isWithPeriod(op)) return overPeriod(op, a, length, <i32>at(values, value), out);
  else if (op === abi.OP_CROSSOVER || op === abi.OP_CROSSUNDER) crossings(op, a, b, out, bytes);
  else if (op === abi.OP_BARSSINCE) barsSince(a, length, out);
  else if (op === abi.OP_VALUEWHEN) valueWhen(a, b, length, extra, out);
  else elementwise(op, a, b, c, out, bytes);
  return STATUS_OK;
}

function overPeriod(op: i32, a: usize, length: i32, period: i32, out: usize): i32 {
  if (op === abi.OP_SHIFT) shift(a, length, period, out);
  else if (op === abi.OP_CHANGE) change(a, length, period, out);
  else if (op === abi.OP_PERCENTRANK) percentRanks(a, length, period, out);
  else {
    const mark = arenaMark();
    const scratch = arenaReserve((<usize>(2 * period + 2)) << 3);
    const extremes = arenaReserve(bytesOf(length));
    if (scratch === 0 || extremes === 0) {
      arenaRelease(mark);
      return STATUS_OUT_OF_MEMORY;
    }
    if (op === abi.OP_RISING || op === abi.OP_FALLING) runs(op, a, length, period, out, extremes, scratch);
    else rollingOp(op, a, length, period, out, scratch);
    arenaRelease(mark);
  }
  return STATUS_OK;
}

function expand(x: usize, index: usize, length: i32, out: usize): void {
  for (let i = 0; i < length; i++) {
    const candle = load<i32>(index + ((<usize>i) << 2));
    store<f64>(addressOf(out, i), candle < 0 ? NaN : at(x, candle));
  }
}
