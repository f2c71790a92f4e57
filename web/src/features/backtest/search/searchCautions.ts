import { TRADES_MIN, WIN_RATE_TRADES_MIN } from '@sextant/engine-as/abi/optimize.ts';
import { formatCount, formatMany, formatMoney } from '../../../format/number.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { searchText } from './setText.ts';
import type { SearchRun } from './searchState.ts';

/** A finished search, without its inputs. */
export interface Finished {
  /** The same for searches that differ in their number of samples only. */
  text: string;
  dataHash: string;
  samples: number;
  value: number;
  unseenPnl: number | null;
}

let finished: Finished[] = [];
const FINISHED_MAX = 50;
onUserReset(() => (finished = []));

function finishedOf({ input, result }: SearchRun): Finished {
  const { best } = result;
  return {
    text: searchText({ ...input, samples: 0 }),
    dataHash: best.scored.hashes.data,
    samples: input.samples,
    value: best.value ?? -Infinity,
    unseenPnl: input.trainOn === 'scored' ? null : best.scored.summary.netPnl,
  };
}

/** Stores a finished search, so that a larger one can say why it found less. */
export function noteFinished(run: SearchRun): void {
  finished = [...finished, finishedOf(run)].slice(-FINISHED_MAX);
}

/** The finished searches, to be stored with the newest one: a reload must not lose what a caution is about. */
export const finishedSearches = (): readonly Finished[] => finished;

/** Restores them beside those that have finished since the reload. @param stored absent in records of older versions */
export function restoreFinished(stored: readonly Finished[] | undefined, run: SearchRun): void {
  finished = [...(stored ?? [finishedOf(run)]), ...finished].slice(-FINISHED_MAX);
}

/** The smaller search with the same seed and a better result, as text. */
function smallerWords(run: SearchRun): string | null {
  const own = finishedOf(run);
  const smaller = finished.filter(
    (each) => each.text === own.text && each.dataHash === own.dataHash && each.samples < own.samples,
  );
  const [better] = smaller.filter(({ value }) => value > own.value).sort((a, b) => b.value - a.value);
  if (better !== undefined)
    return `Your ${formatCount(better.samples)}-set search with this seed found a better set. Refinement here started from other leaders.`;
  const [luckier] = smaller
    .filter(({ unseenPnl }) => unseenPnl !== null && own.unseenPnl !== null && unseenPnl > own.unseenPnl)
    .sort((a, b) => (b.unseenPnl ?? 0) - (a.unseenPnl ?? 0));
  if (luckier === undefined) return null;
  return `Your ${formatCount(luckier.samples)}-set search with this seed earned more on unseen candles: ${formatMoney(luckier.unseenPnl, true)} against ${formatMoney(own.unseenPnl, true)} USDT. More samples can overfit more.`;
}

/** Few trades look good by luck, and more sets find more of these. */
function tradesWords({ input, result: { best } }: SearchRun): string | null {
  if (best.value === null) return null;
  const least = input.target === 'winRate' ? WIN_RATE_TRADES_MIN : TRADES_MIN;
  const trained = best.train.tradeCount;
  const unseen = input.trainOn === 'scored' ? null : best.scored.summary.tradeCount;
  const isFew = trained < 2 * least;
  const isShort = unseen !== null && unseen < TRADES_MIN;
  if (!isFew && !isShort) return null;
  const first = `The best set has ${formatMany(trained, 'training trade')} (minimum ${least})`;
  const short = isShort ? ` and ${formatCount(unseen)} on unseen candles (a verdict needs ${TRADES_MIN})` : '';
  return `${first}${short}. Few trades often look good by luck.`;
}

/** With a sizing rule, the rows of the sets are not results of the strategy. */
function sizeWords({ input: { rules } }: SearchRun): string | null {
  const sizing = rules?.strategy.sizing;
  if (sizing === undefined || (sizing.mode === 'fixed' && !sizing.isCompounding)) return null;
  return 'Sets are ranked at full size. The best one runs with your sizing.';
}

/** Why the best set of a search may be worth less than it looks, and less than that of a smaller search. */
export const searchCautions = (run: SearchRun): string[] =>
  [smallerWords(run), tradesWords(run), sizeWords(run)].filter((words) => words !== null);
