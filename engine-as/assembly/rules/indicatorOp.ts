import { RULE_FRAME_INPUTS, RULE_FRAME_TIME, RULE_CLOSE } from '../../abi/ruleProgram';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { indicator } from '../indicators/indicator';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined } from '../series';
import { outputCountOf } from './program';

const CANDLE_COLUMNS = 6;
const columns = memory.data(CANDLE_COLUMNS << 2, 16);

/**
 * One output of an indicator over a frame.
 * @param row    of the frame
 * @param source its column instead of the close; 0: the close
 * @param params f64[], in the order of the registry
 * @param out    f64[length]
 * @returns      a status of abi/status.ts
 */
export function indicatorColumn(
  kind: i32,
  output: i32,
  row: usize,
  length: i32,
  source: usize,
  params: usize,
  out: usize,
): i32 {
  memory.copy(columns, row + ((<usize>RULE_FRAME_TIME) << 2), CANDLE_COLUMNS << 2);
  if (source === 0) return runInto(kind, output, length, params, out);
  let from = 0;
  while (from < length && !isFinite(at(source, from))) from++;
  let to = from;
  while (to < length && isFinite(at(source, to))) to++;
  store<usize>(columns + ((<usize>(RULE_FRAME_INPUTS - RULE_FRAME_TIME + RULE_CLOSE)) << 2), addressOf(source, from));
  const status = runInto(kind, output, to - from, params, addressOf(out, from));
  fillUndefined(out, 0, from);
  fillUndefined(out, to, length);
  return status;
}

/** All outputs go to scratch, of which one is copied; a single one is written in place. */
function runInto(kind: i32, output: i32, length: i32, params: usize, out: usize): i32 {
  const outputs = outputCountOf(kind);
  if (outputs === 1) return indicator(kind, columns, length, params, out, length, 0);
  const mark = arenaMark();
  const scratch = arenaReserve((<usize>(outputs * length)) << 3);
  if (scratch === 0) return STATUS_OUT_OF_MEMORY;
  const status = indicator(kind, columns, length, params, scratch, length, 0);
  if (status === STATUS_OK) memory.copy(out, addressOf(scratch, output * length), (<usize>length) << 3);
  arenaRelease(mark);
  return status;
}
