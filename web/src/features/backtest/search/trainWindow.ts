import { SCORED_DEFAULT, TRAIN_BARS_MIN } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { formatCount } from '../../../format/number.ts';
import { type Draft, plannedWindow, runState, WARMUP_COUNT, type WindowForm } from '../backtestState.ts';
import type { SearchDraft } from './searchState.ts';

/** Candles between warm-up and scored window. */
const earlierCount = (count: number, scored: number): number => Math.max(0, count - scored - WARMUP_COUNT);

/** Why a search cannot run on the candles before the scored window; null when it can, or while no file is loaded. */
export function whyNoEarlier(form: WindowForm, csvCount = runState.csv?.parsed.candles.time.length): string | null {
  const planned = plannedWindow(form, csvCount);
  if (planned === undefined) return null;
  const { loaded: count, scored } = planned;
  const left = earlierCount(count, scored);
  if (left >= TRAIN_BARS_MIN) return null;
  if (form.csvScored === 'all')
    return `All ${formatCount(count)} candles are scored. Score the last ${formatCount(SCORED_DEFAULT)} in Backtest Setup to search on earlier candles.`;
  return `${formatCount(left)} candles left for training; a search needs ${formatCount(TRAIN_BARS_MIN)}. Use a longer file.`;
}

/** Window of a search: the earlier candles as long as there are enough of them. */
export function trainOnOf(
  { trainOn }: Pick<SearchDraft, 'trainOn'>,
  form: WindowForm,
  csvCount = runState.csv?.parsed.candles.time.length,
): SearchDraft['trainOn'] {
  return trainOn === 'earlier' && whyNoEarlier(form, csvCount) !== null ? 'scored' : trainOn;
}

/**
 * For a search over Classic, which uses all votes. The warm-up of rules depends on their votes, so there the engine decides.
 * @throws WordedError when the market is younger than the setup requires, and too few candles are left for a search on the earlier ones
 */
export function checkEarlier(
  { trainOn, strategy }: Pick<SearchDraft, 'trainOn'> & Pick<Draft, 'strategy'>,
  { candles, label, interval }: Pick<LoadedCandles, 'candles' | 'label' | 'interval'>,
  scoredCount: number,
): void {
  const count = candles.time.length;
  const left = earlierCount(count, scoredCount);
  if (trainOn !== 'earlier' || strategy !== 'classic' || left >= TRAIN_BARS_MIN) return;
  throw new WordedError(
    `${label} has ${formatCount(count)} ${interval} candles, ${formatCount(left)} for training; a search needs ${formatCount(TRAIN_BARS_MIN)}. Choose Scored candles.`,
  );
}
