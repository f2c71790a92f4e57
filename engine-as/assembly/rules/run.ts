import * as abi from '../../abi/ruleProgram';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { asOf } from '../ensemble/asOf';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { fillUndefined } from '../series';
import { bytesOf, execute } from './instruction';
import { areOperands, countOf, fieldOf, frameAt, isValid, operandCountOf } from './program';
import { writeExits, writeSignal } from './signals';

// A program from its first instruction to its last over whole columns. Every result goes to the frame's spare column, which then changes
// places with the register: an operand may be its own result.

/** Addresses of the columns, by frame: inputs, registers, and the spare one. */
const SLOTS = abi.RULE_INPUT_COUNT + abi.RULE_REGISTERS_MAX + 1;
const SPARE = SLOTS - 1;
const table = memory.data((abi.RULE_FRAMES_MAX * SLOTS) << 2, 16);
/** Address of i32[count of the base] by frame: the candle that is known; 0: not computed. */
const known = memory.data(abi.RULE_FRAMES_MAX << 2, 16);

function slotOf(frame: i32, operand: i32): usize {
  return table + ((<usize>(frame * SLOTS + operand)) << 2);
}

export function columnOf(frame: i32, operand: i32): usize {
  return operand < 0 ? 0 : load<usize>(slotOf(frame, operand));
}

/** Signal and exits of a program. Contract: abi/ruleExports.ts. */
export function ruleSignals(
  code: usize,
  instructions: i32,
  values: usize,
  valueCount: i32,
  frames: usize,
  frameCount: i32,
  outputs: usize,
  signal: usize,
  exits: usize,
): i32 {
  if (!isValid(code, instructions, values, valueCount, frames, frameCount)) return STATUS_BAD_PARAMETER;
  if (!areOperands(outputs, abi.RULE_OUTPUT_COUNT)) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const status = run(code, instructions, values, frames, frameCount);
  if (status === STATUS_OK) {
    const count = countOf(frames, 0);
    writeSignal(outputColumn(outputs, abi.RULE_LONG), outputColumn(outputs, abi.RULE_SHORT), count, signal);
    writeExits(outputColumn(outputs, abi.RULE_EXIT_LONG), outputColumn(outputs, abi.RULE_EXIT_SHORT), count, exits);
  }
  arenaRelease(mark);
  return status;
}

function outputColumn(outputs: usize, output: i32): usize {
  return columnOf(0, load<i32>(outputs + ((<usize>output) << 2)));
}

/** Columns of a program. Contract: abi/ruleExports.ts. */
export function ruleColumns(
  code: usize,
  instructions: i32,
  values: usize,
  valueCount: i32,
  frames: usize,
  frameCount: i32,
  operands: usize,
  operandCount: i32,
  out: usize,
): i32 {
  if (!isValid(code, instructions, values, valueCount, frames, frameCount)) return STATUS_BAD_PARAMETER;
  if (operandCount < 0 || !areOperands(operands, operandCount)) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const status = run(code, instructions, values, frames, frameCount);
  if (status === STATUS_OK) {
    const count = countOf(frames, 0);
    const bytes = (<usize>count) << 3;
    for (let k = 0; k < operandCount; k++) {
      const column = columnOf(0, load<i32>(operands + ((<usize>k) << 2)));
      const target = out + <usize>k * bytes;
      if (column === 0) fillUndefined(target, 0, count);
      else memory.copy(target, column, bytes);
    }
  }
  arenaRelease(mark);
  return status;
}

/** All instructions; the columns are in the table then. */
function run(code: usize, instructions: i32, values: usize, frames: usize, frameCount: i32): i32 {
  if (!openFrames(code, instructions, frames, frameCount)) return STATUS_OUT_OF_MEMORY;
  for (let k = 0; k < instructions; k++) {
    const op = fieldOf(code, k, abi.RULE_OP);
    const frame = fieldOf(code, k, abi.RULE_FRAME);
    const extra = fieldOf(code, k, abi.RULE_EXTRA);
    const isExpand = op === abi.OP_EXPAND;
    const index = isExpand ? knownCandles(frames, extra) : 0;
    if (isExpand && index === 0) return STATUS_OUT_OF_MEMORY;
    const operands = op === abi.OP_INDICATOR ? 1 : operandCountOf(op);
    const source = isExpand ? extra : frame;
    const a = operands > 0 ? columnOf(source, fieldOf(code, k, abi.RULE_A)) : 0;
    const b = operands > 1 ? columnOf(source, fieldOf(code, k, abi.RULE_B)) : 0;
    const c = operands > 2 ? columnOf(source, fieldOf(code, k, abi.RULE_C)) : 0;
    const spare = slotOf(frame, SPARE);
    const out = load<usize>(spare);
    const status = execute(code, k, values, frames, a, b, c, index, out);
    if (status !== STATUS_OK) return status;
    const dest = slotOf(frame, abi.RULE_INPUT_COUNT + fieldOf(code, k, abi.RULE_DEST));
    store<usize>(spare, load<usize>(dest));
    store<usize>(dest, out);
  }
  return STATUS_OK;
}

/** Columns of the inputs and room for the registers of every frame. */
function openFrames(code: usize, instructions: i32, frames: usize, frameCount: i32): bool {
  memory.fill(known, 0, abi.RULE_FRAMES_MAX << 2);
  for (let frame = 0; frame < frameCount; frame++) {
    const row = frameAt(frames, frame);
    const bytes = bytesOf(countOf(frames, frame));
    for (let input = 0; input < abi.RULE_INPUT_COUNT; input++) {
      let column = load<usize>(row + ((<usize>(abi.RULE_FRAME_INPUTS + input)) << 2));
      if (column === 0 && isRead(code, instructions, frame, input)) {
        column = arenaReserve(bytes);
        if (column === 0) return false;
        fillUndefined(column, 0, countOf(frames, frame));
      }
      store<usize>(slotOf(frame, input), column);
    }
    const registers = registersOf(code, instructions, frame);
    for (let register = 0; register < registers; register++) {
      const column = arenaReserve(bytes);
      if (column === 0) return false;
      store<usize>(slotOf(frame, abi.RULE_INPUT_COUNT + register), column);
    }
    const spare = arenaReserve(bytes);
    if (spare === 0) return false;
    store<usize>(slotOf(frame, SPARE), spare);
  }
  return true;
}

/** One more than the highest register that the program writes in the frame. */
function registersOf(code: usize, instructions: i32, frame: i32): i32 {
  let registers = 0;
  for (let k = 0; k < instructions; k++) {
    if (fieldOf(code, k, abi.RULE_FRAME) === frame) registers = max(registers, fieldOf(code, k, abi.RULE_DEST) + 1);
  }
  return registers;
}

/** An instruction has the input among its operands; one that only stands in an unused field does no harm. */
function isRead(code: usize, instructions: i32, frame: i32, input: i32): bool {
  for (let k = 0; k < instructions; k++) {
    const source = fieldOf(code, k, fieldOf(code, k, abi.RULE_OP) === abi.OP_EXPAND ? abi.RULE_EXTRA : abi.RULE_FRAME);
    if (source !== frame) continue;
    if (fieldOf(code, k, abi.RULE_A) === input || fieldOf(code, k, abi.RULE_B) === input) return true;
    if (fieldOf(code, k, abi.RULE_C) === input) return true;
  }
  return false;
}

function knownCandles(frames: usize, frame: i32): usize {
  const slot = known + ((<usize>frame) << 2);
  const found = load<usize>(slot);
  if (found !== 0) return found;
  const count = countOf(frames, 0);
  const index = arenaReserve((<usize>max(count, 1)) << 2);
  if (index === 0) return 0;
  writeKnown(frames, frame, index);
  store<usize>(slot, index);
  return index;
}

/** The candle of `frame` that is known at each candle of the base. */
export function writeKnown(frames: usize, frame: i32, index: usize): void {
  const base = frameAt(frames, 0);
  const other = frameAt(frames, frame);
  asOf(
    load<usize>(base, abi.RULE_FRAME_TIME * 4),
    countOf(frames, 0),
    <f64>load<i32>(base, abi.RULE_FRAME_STEP_MS * 4),
    load<usize>(other, abi.RULE_FRAME_TIME * 4),
    countOf(frames, frame),
    <f64>load<i32>(other, abi.RULE_FRAME_STEP_MS * 4),
    index,
  );
}
