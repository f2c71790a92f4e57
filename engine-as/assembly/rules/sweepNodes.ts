import * as abi from '../../abi/ruleProgram';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status';
import { arenaReserve } from '../memory';
import { Sweep, SweepNode } from '../records.gen';
import { fillUndefined } from '../series';
import { columnBits, compareBits, crossingBits, isOfBits, logicBits } from './bits';
import { execute } from './instruction';
import { countOf, fieldOf } from './program';

// What a sweep computes of an instruction, at most once for each set of the values it depends on while there is room. Computed from the
// outputs down, so an instruction whose result is known needs none of its operands.

/** An operand that does not exist. */
export const SWEEP_NONE = i32.MIN_VALUE;

export function nodeAt(sweep: Sweep, k: i32): SweepNode {
  return changetype<SweepNode>(sweep.nodes + <usize>k * offsetof<SweepNode>());
}

/** Room for a column with whole steps of sixteen candles. */
export function columnBytes(count: i32): usize {
  return (<usize>((count + 15) & ~15)) << 3;
}

/** The arena was full: the results of the set mean nothing. */
let isFull = false;

export function resetFull(): void {
  isFull = false;
}

export function wasFull(): bool {
  return isFull;
}

/** Place of the set's values in the tables of a node. */
function placeOf(sweep: Sweep, mask: i32): usize {
  let place = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ctz(left);
    const starts = sweep.gridStarts + ((<usize>p) << 2);
    const length = load<i32>(starts, 4) - load<i32>(starts);
    place = place * length + load<i32>(sweep.digits + ((<usize>p) << 2));
  }
  return (<usize>place) << 2;
}

/** Room that is retained; 0 beyond the sweep's bytes. */
function retain(sweep: Sweep, bytes: usize): usize {
  if (<usize>sweep.bytesUsed + bytes > <usize>sweep.bytesMax) return 0;
  const address = arenaReserve(bytes);
  if (address !== 0) sweep.bytesUsed += <i32>bytes;
  return address;
}

/** The column of an operand under the values of the set. */
export function columnFor(sweep: Sweep, frame: i32, operand: i32): usize {
  if (operand >= 0) return nodeColumn(sweep, operand);
  if (operand === SWEEP_NONE) return 0;
  return load<usize>(sweep.inputs + ((<usize>(frame * abi.RULE_INPUT_COUNT - 1 - operand)) << 2));
}

function nodeColumn(sweep: Sweep, k: i32): usize {
  const node = nodeAt(sweep, k);
  if (node.columnSet === sweep.serial) return node.column;
  const place = node.size > 0 ? node.columns + placeOf(sweep, node.mask) : 0;
  let column = place !== 0 ? load<usize>(place) : 0;
  if (column === 0) {
    const code = sweep.code;
    const frame = fieldOf(code, k, abi.RULE_FRAME);
    const count = countOf(sweep.frames, frame);
    const op = fieldOf(code, k, abi.RULE_OP);
    const extra = fieldOf(code, k, abi.RULE_EXTRA);
    const isExpand = op === abi.OP_EXPAND;
    const source = isExpand ? extra : frame;
    const a = columnFor(sweep, source, node.a);
    const b = columnFor(sweep, source, node.b);
    const c = columnFor(sweep, source, node.c);
    if (place !== 0) column = retain(sweep, columnBytes(count));
    const isRetained = column !== 0;
    if (!isRetained) column = ownColumn(node, count);
    if (column === 0) return a;
    const index = isExpand ? load<usize>(sweep.known + ((<usize>extra) << 2)) : 0;
    const status = execute(code, k, sweep.values, sweep.frames, a, b, c, index, column);
    if (status === STATUS_BAD_PARAMETER) fillUndefined(column, 0, count);
    else if (status !== STATUS_OK) isFull = true;
    if (isRetained) store<usize>(place, column);
  }
  node.column = column;
  node.columnSet = sweep.serial;
  return column;
}

function ownColumn(node: SweepNode, count: i32): usize {
  if (node.ownColumn === 0) node.ownColumn = arenaReserve(columnBytes(count));
  if (node.ownColumn === 0) isFull = true;
  return node.ownColumn;
}

/** True bits of an instruction of frame 0, its false bits after `words`. 0 without memory. */
function conditionOf(sweep: Sweep, operand: i32): usize {
  const node = nodeAt(sweep, operand);
  if (node.conditionSet === sweep.serial) return node.condition;
  const place = node.size > 0 ? node.conditions + placeOf(sweep, node.mask) : 0;
  let bits = place !== 0 ? load<usize>(place) : 0;
  if (bits === 0) {
    const bytes = (<usize>sweep.words) << 4;
    if (place !== 0) bits = retain(sweep, bytes);
    const isRetained = bits !== 0;
    if (!isRetained) {
      if (node.ownCondition === 0) node.ownCondition = arenaReserve(bytes);
      bits = node.ownCondition;
    }
    if (bits === 0) {
      isFull = true;
      return 0;
    }
    writeCondition(sweep, operand, node, bits);
    if (isRetained) store<usize>(place, bits);
  }
  node.condition = bits;
  node.conditionSet = sweep.serial;
  return bits;
}

function writeCondition(sweep: Sweep, k: i32, node: SweepNode, bits: usize): void {
  const op = fieldOf(sweep.code, k, abi.RULE_OP);
  const count = countOf(sweep.frames, 0);
  const words = sweep.words;
  const isFalse = bits + ((<usize>words) << 3);
  if (!isOfBits(op)) columnBits(nodeColumn(sweep, k), count, bits, isFalse);
  else if (op >= abi.OP_AND && op <= abi.OP_NOT) {
    const a = operandBits(sweep, node.a);
    const b = op === abi.OP_NOT ? a : operandBits(sweep, node.b);
    if (a !== 0 && b !== 0) logicBits(op, a, b, words, bits);
  } else {
    const a = columnFor(sweep, 0, node.a);
    const b = columnFor(sweep, 0, node.b);
    if (op === abi.OP_CROSSOVER) crossingBits(a, b, count, words, bits, isFalse);
    else if (op === abi.OP_CROSSUNDER) crossingBits(b, a, count, words, bits, isFalse);
    else compareBits(op, a, b, count, bits, isFalse);
  }
}

function operandBits(sweep: Sweep, operand: i32): usize {
  if (operand >= 0) return conditionOf(sweep, operand);
  const slot = sweep.inputConditions + ((<usize>(-1 - operand)) << 2);
  const found = load<usize>(slot);
  if (found !== 0) return found;
  const bits = arenaReserve((<usize>sweep.words) << 4);
  if (bits === 0) {
    isFull = true;
    return 0;
  }
  const count = countOf(sweep.frames, 0);
  columnBits(columnFor(sweep, 0, operand), count, bits, bits + ((<usize>sweep.words) << 3));
  store<usize>(slot, bits);
  return bits;
}

/** True bits of an output of the program, or 0 where there is none. */
export function outputBits(sweep: Sweep, output: i32): usize {
  const operand = load<i32>(sweep.outputs + ((<usize>output) << 2));
  return operand === SWEEP_NONE ? 0 : operandBits(sweep, operand);
}
