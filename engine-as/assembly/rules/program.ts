import * as abi from '../../abi/ruleProgram';
import { KIND_BOLL, KIND_FIB, KIND_SMA, KIND_STOCHRSI } from '../../abi/indicatorKinds';
import { at } from '../series';

// Fields of a program, and what makes one valid. Layout: abi/ruleProgram.ts.

/** Parameters and outputs of each indicator kind; a test compares them with the registry. */
const parameterCounts = memory.data<u8>([1, 1, 1, 3, 2, 1, 1, 2, 1, 1, 0, 1, 1, 4, 4, 0, 1]);
const outputCounts = memory.data<u8>([1, 1, 1, 3, 3, 1, 3, 2, 1, 1, 1, 1, 2, 4, 2, 7, 8]);
/** Operands of each operation. */
const operandCounts = memory.data<u8>([
  0, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 3, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,
  0, 1,
]);

export function fieldOf(code: usize, k: i32, field: i32): i32 {
  return load<i32>(code + ((<usize>(k * abi.RULE_INSTRUCTION_LENGTH + field)) << 2));
}

export function frameAt(frames: usize, frame: i32): usize {
  return frames + ((<usize>(frame * abi.RULE_FRAME_LENGTH)) << 2);
}

export function countOf(frames: usize, frame: i32): i32 {
  return load<i32>(frameAt(frames, frame), abi.RULE_FRAME_COUNT * 4);
}

export function kindOf(extra: i32): i32 {
  return extra & (abi.RULE_OUTPUT_UNIT - 1);
}

export function outputOf(extra: i32): i32 {
  return extra / abi.RULE_OUTPUT_UNIT;
}

export function outputCountOf(kind: i32): i32 {
  return <i32>load<u8>(outputCounts + <usize>kind);
}

export function parameterCountOf(kind: i32): i32 {
  return <i32>load<u8>(parameterCounts + <usize>kind);
}

/** The indicator reads closes alone, so another series may take their place. */
export function takesSource(kind: i32): bool {
  return kind >= KIND_SMA && kind <= KIND_BOLL ? true : kind === KIND_STOCHRSI;
}

/** How many values the instruction reads from its `value` on. */
export function valuesRead(op: i32, extra: i32): i32 {
  if (op === abi.OP_INDICATOR) return parameterCountOf(kindOf(extra));
  return op === abi.OP_CONST || isWithPeriod(op) ? 1 : 0;
}

export function operandCountOf(op: i32): i32 {
  return <i32>load<u8>(operandCounts + <usize>op);
}

/** The operation reads a number of candles from the values. */
export function isWithPeriod(op: i32): bool {
  return op === abi.OP_SHIFT || (op >= abi.OP_RISING && op <= abi.OP_PERCENTRANK);
}

/** A valid number of candles for `op`. */
export function isPeriodOf(op: i32, value: f64): bool {
  const least: f64 = op === abi.OP_SHIFT ? 0 : 1;
  return value >= least && value <= <f64>abi.RULE_PERIOD_MAX && value === Math.floor(value);
}

/** Registers of each frame that have been written so far, a bit each. */
const written = memory.data(abi.RULE_FRAMES_MAX << 3, 16);

/** True when every instruction stays within the bounds and reads only what exists. Periods of indicators are checked by their kernels. */
export function isValid(
  code: usize,
  instructions: i32,
  values: usize,
  valueCount: i32,
  frames: usize,
  frameCount: i32,
): bool {
  if (instructions < 0 || instructions > abi.RULE_INSTRUCTIONS_MAX) return false;
  if (valueCount < 0 || valueCount > abi.RULE_VALUES_MAX) return false;
  if (frameCount < 1 || frameCount > abi.RULE_FRAMES_MAX) return false;
  for (let frame = 0; frame < frameCount; frame++) if (!isFrame(frames, frame)) return false;
  memory.fill(written, 0, abi.RULE_FRAMES_MAX << 3);
  for (let k = 0; k < instructions; k++) {
    if (!isInstruction(code, k, values, valueCount, frameCount)) return false;
  }
  return true;
}

/** Every operand exists after the program, which `isValid` has read. */
export function areOperands(operands: usize, count: i32): bool {
  for (let k = 0; k < count; k++) {
    const operand = load<i32>(operands + ((<usize>k) << 2));
    if (operand !== abi.RULE_NONE && !isOperand(0, operand)) return false;
  }
  return true;
}

/** The candles themselves must be there; other inputs may be absent. */
function isFrame(frames: usize, frame: i32): bool {
  const row = frameAt(frames, frame);
  if (countOf(frames, frame) < 0 || load<i32>(row, abi.RULE_FRAME_STEP_MS * 4) < 1) return false;
  for (let field = abi.RULE_FRAME_TIME; field <= abi.RULE_FRAME_INPUTS + abi.RULE_VOLUME; field++) {
    if (load<usize>(row + ((<usize>field) << 2)) === 0) return false;
  }
  return true;
}

function isInstruction(code: usize, k: i32, values: usize, valueCount: i32, frameCount: i32): bool {
  const op = fieldOf(code, k, abi.RULE_OP);
  const frame = fieldOf(code, k, abi.RULE_FRAME);
  const dest = fieldOf(code, k, abi.RULE_DEST);
  const value = fieldOf(code, k, abi.RULE_VALUE);
  const extra = fieldOf(code, k, abi.RULE_EXTRA);
  if (op < 0 || op >= abi.RULE_OP_COUNT || frame < 0 || frame >= frameCount) return false;
  if (dest < 0 || dest >= abi.RULE_REGISTERS_MAX) return false;
  if (!isExtra(op, frame, extra, frameCount)) return false;
  const reads = valuesRead(op, extra);
  if (reads > 0 && (value < 0 || value > valueCount - reads)) return false;
  if (isWithPeriod(op) && !isPeriodOf(op, at(values, value))) return false;
  if (!hasOperands(code, k, op, op === abi.OP_EXPAND ? extra : frame, extra)) return false;
  const bits = written + ((<usize>frame) << 3);
  store<u64>(bits, load<u64>(bits) | ((<u64>1) << (<u64>dest)));
  return true;
}

function isExtra(op: i32, frame: i32, extra: i32, frameCount: i32): bool {
  if (op === abi.OP_EXPAND) return frame === 0 && extra >= 1 && extra < frameCount;
  if (op === abi.OP_VALUEWHEN) return extra >= 0 && extra <= abi.RULE_OCCURRENCE_MAX;
  if (op !== abi.OP_INDICATOR) return true;
  return extra >= 0 && kindOf(extra) <= KIND_FIB && outputOf(extra) < outputCountOf(kindOf(extra));
}

function hasOperands(code: usize, k: i32, op: i32, frame: i32, extra: i32): bool {
  const a = fieldOf(code, k, abi.RULE_A);
  if (op === abi.OP_INDICATOR) return a === abi.RULE_NONE || (takesSource(kindOf(extra)) && isOperand(frame, a));
  const operands = operandCountOf(op);
  if (operands > 0 && !isOperand(frame, a)) return false;
  if (operands > 1 && !isOperand(frame, fieldOf(code, k, abi.RULE_B))) return false;
  return operands < 3 || isOperand(frame, fieldOf(code, k, abi.RULE_C));
}

/** An input, or a register that has been written. */
function isOperand(frame: i32, operand: i32): bool {
  if (operand < 0) return false;
  const register = operand - abi.RULE_INPUT_COUNT;
  if (register < 0) return true;
  if (register >= abi.RULE_REGISTERS_MAX) return false;
  return ((load<u64>(written + ((<usize>frame) << 3)) >> <u64>register) & 1) === 1;
}
