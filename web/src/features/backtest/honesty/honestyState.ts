import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { BacktestInput } from '@sextant/workers/src/protocol/backtest.ts';
import type { HonestyInput, HonestyResult, RulesRun } from '@sextant/workers/src/protocol/honesty.ts';
import { proxy, ref } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatMoney } from '../../../format/number.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { Run } from '../backtestState.ts';
import type { SearchRun } from '../search/searchState.ts';
import { setText } from '../search/setText.ts';
import { knownOf } from '../search/trials.ts';
import { earlierTrialsFor, markOf } from '../trialCounts.ts';

/** Dragging a slider makes many runs; only the last one is judged. */
const SETTLE_MS = 400;
const DEADLINE_MS = 120_000;

interface HonestyState {
  /** The run that was judged, and its figures. */
  judged: { run: Run; result: HonestyResult; earlierTrialCount: number } | null;
  error: string | null;
}

export const honestyState = proxy<HonestyState>({ judged: null, error: null });

const task = createLatestTask();
onUserReset(() => Object.assign(honestyState, { judged: null, error: null } satisfies HonestyState));

/** Whether the run on screen is the best set of this search. */
export const isBestOf = (run: Run, search: SearchRun | null): search is SearchRun =>
  search !== null &&
  // Not the result: a search without minutes leaves exits open that the run on screen has settled.
  (['engine', 'data', 'params'] as const).every(
    (name) => run.result.hashes[name] === search.result.best.scored.hashes[name],
  );

/** The best set of a search on the scored candles, as the run it would be. */
export function bestRunOf({ loaded, input, result, tookMs }: SearchRun): Run {
  const { params, strategy, scored } = result.best;
  const { costs, scoredCount, rules, markPrices } = input;
  const fineData = markPrices !== undefined;
  const run: Run = { loaded, params, costs, scoredCount, fineData, result: scored, tookMs };
  return strategy === undefined || rules === undefined ? run : { ...run, strategy, context: rules.context };
}

/** Whether the run on screen has the set, costs and window that the search started from. */
export function isStartOf(run: Run, { input }: SearchRun): boolean {
  const { costs, scoredCount } = run;
  const start = input.rules === undefined ? { params: input.params } : { params: input.params, ...input.rules };
  const isSameSet = scoredCount === input.scoredCount && setText(run) === setText(start);
  // Compared last, because fundings are long.
  return isSameSet && JSON.stringify(costs) === JSON.stringify(input.costs);
}

/** Text after the verdict: the result of the judged set, and of the set on screen when that is another one. */
export function verdictWords(judged: Run, onScreen: Run, search: SearchRun | null): string {
  const { netPnl } = judged.result.summary;
  if (judged === onScreen || search === null) return netPnl < 0 ? ' It lost money.' : '';
  const where = search.input.trainOn === 'scored' ? 'its own training candles' : 'unseen candles';
  const yours = onScreen.scoredCount === judged.scoredCount ? onScreen.result.summary.netPnl : null;
  const beside = yours === null ? '' : ` (yours: ${formatMoney(yours, true)})`;
  return ` The best set ${netPnl < 0 ? 'lost' : 'gained'} ${formatMoney(Math.abs(netPnl))} USDT on ${where}${beside}.`;
}

/** The mark prices and minute candles that a run was given. */
export function detailOf({ loaded, fineData, minutes }: Run): Pick<BacktestInput, 'markPrices' | 'fineCandles'> {
  return {
    ...(fineData && loaded.marks ? { markPrices: loaded.marks.prices } : {}),
    ...withoutUndefined({ fineCandles: minutes }),
  };
}

/** A run of rules in the format of the tasks, without mark prices and minute candles; undefined for a run of parameters. */
export function rulesRunOf({ strategy, context = [], loaded, costs, scoredCount }: Run): RulesRun['run'] | undefined {
  return strategy === undefined ? undefined : { candles: loaded.candles, context, strategy, costs, scoredCount };
}

/** Sets that the set of a run is the best of. */
const earlierTrialsOf = ({ loaded, result, strategy, params }: Run): number =>
  earlierTrialsFor(markOf(loaded, result.hashes.data), strategy ?? params);

/** Seed of random entries and resampled paths; fixed, so that a repeated run has the same figures. */
const SEED = 1;

/**
 * The best set of a search is judged as that search. Any other set, and any run of rules, is judged as one trial among all that the
 * user has made on the same data (trialCounts.ts): choosing by hand is a search too.
 */
export function honestyInputOf(run: Run, search: SearchRun | null): HonestyInput {
  if (isBestOf(run, search)) {
    const { input, trials, before } = search;
    const { trials: ofFamily = 0, looks: seenInFamily = 0 } = before.family ?? {};
    const counts = { earlierTrialCount: before.trials + ofFamily, earlierLookCount: before.looks + seenInFamily };
    return { kind: 'search', search: { ...input, known: knownOf(trials) }, ...counts };
  }
  const { params, costs, scoredCount, loaded } = run;
  const earlierTrialCount = earlierTrialsOf(run);
  // The run's own inputs, so that panel and strip show one result.
  const detail = detailOf(run);
  const rules = rulesRunOf(run);
  if (rules !== undefined) return { kind: 'rules', run: { ...rules, ...detail }, seed: SEED, earlierTrialCount };
  return {
    kind: 'search',
    earlierTrialCount,
    search: {
      candles: loaded.candles,
      params,
      costs,
      scoredCount,
      ...detail,
      samples: 1,
      seed: SEED,
      target: 'pnl',
      trainOn: 'scored',
      refine: false,
    },
  };
}

export const stopJudging = task.cancel;

/** Judges a run once the sliders rest. A newer run replaces it. */
export function judgeSoon(run: Run, search: SearchRun | null): void {
  void task.run({
    delayMs: SETTLE_MS,
    work: async (signal) => {
      honestyState.error = null;
      const input = honestyInputOf(run, search);
      const result = await runEngineTask('honesty', input, { signal, deadlineMs: DEADLINE_MS });
      return { run, result, earlierTrialCount: input.earlierTrialCount ?? 0 };
    },
    onDone: (judged) => {
      honestyState.judged = ref(judged);
    },
    onFailed: (failure) => {
      honestyState.error = messageOf(failure, 'The honesty check failed. Try again.');
    },
  });
}
