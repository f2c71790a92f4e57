import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { VoteParameters } from '../records.gen';
import { clearColumns } from './columns';
import { levelVotes } from './levelVotes';
import { oscillatorVotes } from './oscillatorVotes';
import { areSound, defaultParameters } from './parameters';
import { trendVotes } from './trendVotes';
import { volumeVotes } from './volumeVotes';

/** Scratch columns shared by all votes: the most any indicator puts out (fib). */
const PLANES = 8;

/** Every vote of every candle. Signature and layout: abi/voteExports.ts. */
export function votes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, parameters: usize): i32 {
  if (length < 0 || stride < length) return STATUS_BAD_PARAMETER;
  const values = parameters === 0 ? defaultParameters() : changetype<VoteParameters>(parameters);
  if (parameters !== 0 && !areSound(values)) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const planes = arenaReserve(<usize>length * PLANES * 8);
  if (planes === 0) return STATUS_OUT_OF_MEMORY;
  clearColumns(votes, stride, length);
  let status = trendVotes(columns, length, values, votes, stride, first, planes);
  if (status === STATUS_OK) status = oscillatorVotes(columns, length, values, votes, stride, first, planes);
  if (status === STATUS_OK) status = volumeVotes(columns, length, values, votes, stride, first, planes);
  if (status === STATUS_OK) status = levelVotes(columns, length, values, votes, stride, first, planes);
  arenaRelease(mark);
  return status;
}
