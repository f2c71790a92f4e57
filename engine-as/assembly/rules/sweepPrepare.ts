import * as abi from '../../abi/ruleProgram';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { liquidityByBar } from '../backtest/liquidity';
import { reserveScratch } from '../backtest/run';
import { arenaReserve } from '../memory';
import { Bar, Sweep, SweepNode } from '../records.gen';
import { barAt } from '../rows';
import { fillUndefined } from '../series';
import { areOperands, countOf, fieldOf, frameAt, isValid, operandCountOf, valuesRead } from './program';
import { writeKnown } from './run';
import { columnBytes, nodeAt, SWEEP_NONE } from './sweepNodes';

/** Places of a table of one instruction. */
const TABLE_MAX = 65536;

/** Instruction that wrote each register last, by frame. */
const writers = memory.data((abi.RULE_FRAMES_MAX * abi.RULE_REGISTERS_MAX) << 2, 16);

function take(bytes: usize): usize {
  const address = arenaReserve(bytes);
  if (address !== 0) memory.fill(address, 0, bytes);
  return address;
}

/** Prepares a program for many sets of values. Contract: abi/ruleExports.ts. */
export function sweepPrepare(sweep: Sweep): i32 {
  const frames = sweep.frames;
  const instructions = sweep.instructions;
  if (!isValid(sweep.code, instructions, sweep.values, sweep.valueCount, frames, sweep.frameCount)) {
    return STATUS_BAD_PARAMETER;
  }
  if (!areOperands(sweep.outputs, abi.RULE_OUTPUT_COUNT) || !areParameters(sweep)) return STATUS_BAD_PARAMETER;
  const count = countOf(frames, 0);
  const words = (count + 64) >> 6;
  sweep.words = words;
  sweep.serial = 0;
  sweep.bytesUsed = 0;
  sweep.nodes = take(<usize>instructions * offsetof<SweepNode>());
  sweep.inputConditions = take(abi.RULE_INPUT_COUNT << 2);
  sweep.digits = take(abi.RULE_PARAMETERS_MAX << 2);
  sweep.bits = take(<usize>words * 48);
  if (sweep.nodes === 0 || sweep.inputConditions === 0 || sweep.digits === 0 || sweep.bits === 0) {
    return STATUS_OUT_OF_MEMORY;
  }
  if (!writeInputs(sweep) || !writeKnownOf(sweep) || !writeTradable(sweep, count)) return STATUS_OUT_OF_MEMORY;
  if (!writeNodes(sweep)) return STATUS_OUT_OF_MEMORY;
  const plain = sweep.plain;
  return reserveScratch(plain) && liquidityByBar(plain) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

function areParameters(sweep: Sweep): bool {
  const parameters = sweep.parameterCount;
  if (parameters < 0 || parameters > abi.RULE_PARAMETERS_MAX) return false;
  for (let v = 0; v < sweep.valueCount; v++) {
    const parameter = parameterOf(sweep, v);
    if (parameter < -1 || parameter >= parameters) return false;
  }
  return true;
}

function parameterOf(sweep: Sweep, value: i32): i32 {
  return load<i32>(sweep.valueParameters + ((<usize>value) << 2));
}

/** Inputs with room for whole steps of sixteen candles. */
function writeInputs(sweep: Sweep): bool {
  const inputs = take((<usize>(sweep.frameCount * abi.RULE_INPUT_COUNT)) << 2);
  sweep.inputs = inputs;
  if (inputs === 0) return false;
  for (let frame = 0; frame < sweep.frameCount; frame++) {
    const row = frameAt(sweep.frames, frame);
    const count = countOf(sweep.frames, frame);
    for (let input = 0; input < abi.RULE_INPUT_COUNT; input++) {
      const column = arenaReserve(columnBytes(count));
      if (column === 0) return false;
      const given = load<usize>(row + ((<usize>(abi.RULE_FRAME_INPUTS + input)) << 2));
      if (given === 0) fillUndefined(column, 0, count);
      else memory.copy(column, given, (<usize>count) << 3);
      store<usize>(inputs + ((<usize>(frame * abi.RULE_INPUT_COUNT + input)) << 2), column);
    }
  }
  return true;
}

function writeKnownOf(sweep: Sweep): bool {
  const known = take(abi.RULE_FRAMES_MAX << 2);
  sweep.known = known;
  if (known === 0) return false;
  for (let frame = 1; frame < sweep.frameCount; frame++) {
    const index = take((<usize>max(countOf(sweep.frames, 0), 1)) << 2);
    if (index === 0) return false;
    writeKnown(sweep.frames, frame, index);
    store<usize>(known + ((<usize>frame) << 2), index);
  }
  return true;
}

/** The first bar from each on that trades. */
function writeTradable(sweep: Sweep, count: i32): bool {
  const tradable = take((<usize>(count + 1)) << 2);
  sweep.tradable = tradable;
  if (tradable === 0) return false;
  let next = count;
  store<i32>(tradable + ((<usize>count) << 2), count);
  for (let i = count - 1; i >= 0; i--) {
    const bar: Bar = barAt(sweep.market.bars, i);
    if (bar.volume > 0) next = i;
    store<i32>(tradable + ((<usize>i) << 2), next);
  }
  return true;
}

/** Sources, dependence and tables of every instruction; the outputs become operands of nodes. */
function writeNodes(sweep: Sweep): bool {
  const code = sweep.code;
  for (let k = 0; k < sweep.instructions; k++) {
    const node = nodeAt(sweep, k);
    const op = fieldOf(code, k, abi.RULE_OP);
    const frame = fieldOf(code, k, abi.RULE_FRAME);
    const extra = fieldOf(code, k, abi.RULE_EXTRA);
    const source = op === abi.OP_EXPAND ? extra : frame;
    const operands = op === abi.OP_INDICATOR ? 1 : operandCountOf(op);
    node.a = operands > 0 ? sourceOf(source, fieldOf(code, k, abi.RULE_A)) : SWEEP_NONE;
    node.b = operands > 1 ? sourceOf(source, fieldOf(code, k, abi.RULE_B)) : SWEEP_NONE;
    node.c = operands > 2 ? sourceOf(source, fieldOf(code, k, abi.RULE_C)) : SWEEP_NONE;
    node.columnSet = -1;
    node.conditionSet = -1;
    let mask = maskOf(sweep, node.a) | maskOf(sweep, node.b) | maskOf(sweep, node.c);
    const first = fieldOf(code, k, abi.RULE_VALUE);
    for (let v = 0; v < valuesRead(op, extra); v++) {
      const parameter = parameterOf(sweep, first + v);
      if (parameter >= 0) mask |= 1 << parameter;
    }
    node.mask = mask;
    if (!writeTables(sweep, node)) return false;
    store<i32>(writers + ((<usize>(frame * abi.RULE_REGISTERS_MAX + fieldOf(code, k, abi.RULE_DEST))) << 2), k);
  }
  const outputs = take(abi.RULE_OUTPUT_COUNT << 2);
  if (outputs === 0) return false;
  for (let output = 0; output < abi.RULE_OUTPUT_COUNT; output++) {
    const at = (<usize>output) << 2;
    store<i32>(outputs + at, sourceOf(0, load<i32>(sweep.outputs + at)));
  }
  sweep.outputs = outputs;
  return true;
}

/** An operand of a program as one of a node. */
function sourceOf(frame: i32, operand: i32): i32 {
  if (operand === abi.RULE_NONE) return SWEEP_NONE;
  if (operand < abi.RULE_INPUT_COUNT) return -1 - operand;
  return load<i32>(writers + ((<usize>(frame * abi.RULE_REGISTERS_MAX + operand - abi.RULE_INPUT_COUNT)) << 2));
}

function maskOf(sweep: Sweep, operand: i32): i32 {
  return operand < 0 ? 0 : nodeAt(sweep, operand).mask;
}

/** Columns that depend on every parameter are used by one set only, so they are not cached. */
function writeTables(sweep: Sweep, node: SweepNode): bool {
  const parameters = sweep.parameterCount;
  node.size = 0;
  if (parameters > 0 && node.mask === (1 << parameters) - 1) return true;
  let size: f64 = 1;
  for (let p = 0; p < parameters; p++) {
    const starts = sweep.gridStarts + ((<usize>p) << 2);
    if ((node.mask >> p) & 1) size *= <f64>(load<i32>(starts, 4) - load<i32>(starts));
  }
  if (size > <f64>TABLE_MAX) return true;
  node.size = <i32>size;
  node.columns = take((<usize>node.size) << 2);
  node.conditions = take((<usize>node.size) << 2);
  return node.columns !== 0 && node.conditions !== 0;
}
