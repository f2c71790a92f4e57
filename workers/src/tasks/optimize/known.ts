import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { KnownValues, OptimizeInput } from '../../protocol/optimize.ts';
import { candidateOf, leadersOf, refine, runSets, sampleSets, type Search, type Trials } from './search.ts';
import { ok } from '../../core/result.ts';

/**
 * The trials of a search that was run elsewhere, from the value of each: every set is drawn again and only the best ones are run. Rejects
 * values of another search: the best set does not reproduce its value then.
 */
export function knownTrials(search: Search, input: OptimizeInput, known: KnownValues): TaskResult<Trials> {
  const { samples, refined: refinedValues } = known;
  if (samples.length !== input.samples) return bad(`known.samples holds ${samples.length} values`, input.samples);
  const columns = tableOf(samples);
  const leaders = leadersOf(columns).map((index) => {
    const set = sampleSets(search, [index]);
    return { ...candidateOf(set, runSets(search, set).columns, 0, 'sample', index), set };
  });
  const wrong = leaders.find(({ row, origin }) => !Object.is(row[abi.RESULT_VALUE], samples[origin.index]));
  if (wrong !== undefined) return notThis(wrong.origin.index);
  const refined =
    input.refine === false
      ? { sets: new Float64Array(), columns: new Float64Array() }
      : refine(search, leaders, input.samples, (sets, from) =>
          tableOf(refinedValues.slice(from, from + sets.length / search.setLength)),
        );
  const count = refined.sets.length / search.setLength;
  if (refinedValues.length !== count) return bad(`known.refined holds ${refinedValues.length} values`, count);
  const [best] = leadersOf(refined.columns, 1);
  if (best !== undefined && !fillRow(search, refined, best)) return notThis(best);
  return ok({ from: 0, columns, refined, leaders });
}

/** A table of results in which only the value of each is known. */
function tableOf(values: Float64Array): Float64Array {
  const table = new Float64Array(abi.RESULT_LENGTH * values.length).fill(Number.NaN);
  table.set(values, abi.RESULT_VALUE * values.length);
  return table;
}

/** Runs one set for its other results. False when it does not have the value that was given. */
function fillRow(search: Search, { sets, columns }: Trials['refined'], at: number): boolean {
  const count = columns.length / abi.RESULT_LENGTH;
  const { setLength } = search;
  const { columns: row } = runSets(search, sets.slice(at * setLength, (at + 1) * setLength));
  if (!Object.is(row[abi.RESULT_VALUE], columns[abi.RESULT_VALUE * count + at])) return false;
  row.forEach((value, field) => (columns[field * count + at] = value));
  return true;
}

const bad = (result: string, wanted: number): TaskResult<never> =>
  fail('bad_input', `${result}, this search has ${wanted}`, 'known');
const notThis = (trial: number): TaskResult<never> =>
  fail('bad_input', `known is of another search: trial ${trial} does not have the value given`, 'known');
