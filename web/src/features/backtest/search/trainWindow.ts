import { TRAIN_BARS_MIN } from '@sextant/workers/src/wire/defaults.ts';
import { formatCount } from '../../../format/number.ts';
import { type Draft, runState, SCORED_COUNT, scoredCountOf, WARMUP_COUNT } from '../backtestState.ts';
import type { SearchDraft } from './searchState.ts';

type Form = Pick<Draft, 'source' | 'csvScored' | 'historyCount'>;

/** Candles that the setup gives: those of the file, or those that are asked of the exchange. */
const countOf = ({ source, historyCount }: Form, csvCount: number | undefined): number =>
  source === 'csv' ? (csvCount ?? Infinity) : historyCount;

/** Why a search cannot run on the candles before the scored window; null when it can. A file that is not there yet says nothing. */
export function whyNoEarlier(form: Form, csvCount = runState.csv?.parsed.candles.time.length): string | null {
  const count = countOf(form, csvCount);
  if (count === Infinity) return null;
  const left = Math.max(0, count - scoredCountOf(form, count) - WARMUP_COUNT);
  if (left >= TRAIN_BARS_MIN) return null;
  if (form.csvScored === 'all')
    return `All ${formatCount(count)} candles are scored: none is left before them. Score the last ${formatCount(SCORED_COUNT)} in Backtest Setup for a search that does not see what it is judged on.`;
  return `The file has ${formatCount(left)} candles between warm-up and scored window, a search needs ${formatCount(TRAIN_BARS_MIN)}. A longer file has them.`;
}

/** Where a search runs: on the earlier candles as long as there are enough of them. */
export function trainOnOf(
  { trainOn }: Pick<SearchDraft, 'trainOn'>,
  form: Form,
  csvCount = runState.csv?.parsed.candles.time.length,
): SearchDraft['trainOn'] {
  return trainOn === 'earlier' && whyNoEarlier(form, csvCount) !== null ? 'scored' : trainOn;
}
