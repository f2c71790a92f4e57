import type { StrategyParams } from '@sextant/workers/src/protocol.ts';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';

const KEY = 'trials';
/** Data sets remembered; the one that was used longest ago is forgotten first. */
const DATA_MAX = 200;

/**
 * How many parameter sets this person has looked at on each data set, by the hash of its candles. The honesty panel counts all
 * of them: a result that was found in the tenth search is the best of ten searches.
 */
let counts = readCounts();
/** Sets already counted in this visit, so that going back to one is no new trial. */
const seen = new Set<string>();

onUserReset(() => {
  counts = new Map();
  seen.clear();
  save(KEY, null);
});

function readCounts(): Map<string, number> {
  try {
    const saved = JSON.parse(readSaved(KEY) ?? '[]') as unknown;
    const entries = (Array.isArray(saved) ? saved : []) as [unknown, unknown][];
    return new Map(
      entries.filter(
        (entry): entry is [string, number] =>
          typeof entry[0] === 'string' && Number.isSafeInteger(entry[1]) && Number(entry[1]) > 0,
      ),
    );
  } catch {
    return new Map();
  }
}

export const trialsOn = (dataHash: string): number => counts.get(dataHash) ?? 0;

/** @returns how many trials had been made on the data before these */
export function countTrials(dataHash: string, count: number): number {
  const before = trialsOn(dataHash);
  counts.delete(dataHash);
  counts.set(dataHash, before + count);
  const kept = [...counts].slice(-DATA_MAX);
  counts = new Map(kept);
  save(KEY, JSON.stringify(kept));
  return before;
}

/** The same for the same parameters, whatever order their fields were written in. */
function nameOf(dataHash: string, { weights, trailing, ...rest }: StrategyParams): string {
  const flat = { ...rest, ...weights, ...trailing };
  return `${dataHash} ${JSON.stringify(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/** A set that a search has tried already, and counted. */
export function noteTried(dataHash: string, params: StrategyParams): void {
  seen.add(nameOf(dataHash, params));
}

/** One set of one run: counted the first time it is looked at. */
export function countRun(dataHash: string, params: StrategyParams): void {
  const name = nameOf(dataHash, params);
  if (seen.has(name)) return;
  seen.add(name);
  countTrials(dataHash, 1);
}
