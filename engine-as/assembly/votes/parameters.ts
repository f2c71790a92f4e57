import { VOTE_PARAMETER_COUNT, VoteParameters, voteParameterTable } from '../records.gen';
import { at, put } from '../series';

/** Values of a row of voteParameterTable. */
const ROW: i32 = 4;

const defaults = memory.data(VOTE_PARAMETER_COUNT << 3, 16);

/** The registry's defaults. */
export function defaultParameters(): VoteParameters {
  for (let k = 0; k < VOTE_PARAMETER_COUNT; k++) put(defaults, k, at(voteParameterTable, ROW * k));
  return changetype<VoteParameters>(defaults);
}

/** Every value within the registry's bounds: a kernel would read beyond its columns otherwise. */
export function areSound(parameters: VoteParameters): bool {
  const values = changetype<usize>(parameters);
  for (let k = 0; k < VOTE_PARAMETER_COUNT; k++) {
    const value = at(values, k);
    const isInside = value >= at(voteParameterTable, ROW * k + 1) && value <= at(voteParameterTable, ROW * k + 2);
    if (!isInside || (at(voteParameterTable, ROW * k + 3) !== 0 && value !== floor(value))) return false;
  }
  return (
    parameters.macdFast < parameters.macdSlow &&
    parameters.emaCrossFast < parameters.emaCrossSlow &&
    parameters.smaCrossFast < parameters.smaCrossSlow
  );
}
