import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { HISTORY_CANDLES_MAX, HISTORY_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { BacktestResult, Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import { LAB_LOADED, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { useDeferredValue } from 'react';
import { proxy, ref, useSnapshot } from 'valtio';
import type { LoadedCandles } from '../../api/candles.ts';
import { serverClock } from '../../api/serverClock.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type EditableCosts, startCosts } from './costs.ts';
import type { FileCandles } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { type LiveSettings, type OpenedRules, readLive } from './live/liveSettings.ts';
import { type OwnRules, readOwn } from './own/ownRules.ts';
import { defaultParams } from './params.ts';
import { nextPhase, type RunEvent, type RunPhase } from './run/phase.ts';
import { type DateRange, type RangeReading, readRange } from './setup/dateRange.ts';
import { loadedOf, scoredOf } from './setup/scored.ts';

/** The standard history and those beyond it. */
export const historyCounts = [LAB_LOADED, 5000, 20_000, 50_000, HISTORY_CANDLES_MAX] as const;

/** Converts a saved number of candles; the standard one for anything invalid. */
export const countOf = (saved: unknown): number =>
  Number.isInteger(saved) && Number(saved) >= HISTORY_CANDLES_MIN && Number(saved) <= HISTORY_CANDLES_MAX
    ? Number(saved)
    : LAB_LOADED;

/** Candles until every vote of the standard weights is defined (docs/warmup.md). */
export const WARMUP_COUNT = 76;
/** The same of all price votes of rules at most: the pivots need the UTC day before. */
export const warmupOf = (strategy: StrategyChoice, barMs: number): number =>
  strategy !== 'classic' ? Math.max(WARMUP_COUNT, Math.ceil(intervalMs['1d'] / barMs)) : WARMUP_COUNT;

/** A file has the standard window unless all of it is scored; an exchange's history the standard share. */
export function scoredCountOf({ source, csvScored }: Pick<Draft, 'source' | 'csvScored'>, loaded: number): number {
  if (source === 'exchange') return scoredOf(loaded);
  return csvScored === 'all' ? loaded : Math.min(SCORED_DEFAULT, loaded);
}

/** Candles before the scored ones of a range: those of the standard window, or as large a share for a long range. */
const loadedForRange = (scored: number): number =>
  Math.max(scored + LAB_LOADED - SCORED_DEFAULT, Math.ceil((scored * LAB_LOADED) / SCORED_DEFAULT));

export type WindowForm = Pick<Draft, 'source' | 'csvScored' | 'historyCount' | 'window' | 'range' | 'interval'>;

/** The dates of the setup as they are read now; undefined when the window is a number of candles or a file. */
export function rangeOf({ source, window, range, interval }: Omit<WindowForm, 'csvScored' | 'historyCount'>) {
  return source === 'exchange' && window === 'range'
    ? readRange(range, interval, Math.floor(serverClock.now()))
    : undefined;
}

/** Number of candles the setup loads and scores; undefined without a file or for an invalid range. */
export function plannedWindow(form: WindowForm, csvCount?: number): { loaded: number; scored: number } | undefined {
  const range: RangeReading | undefined = rangeOf(form);
  if (range !== undefined) {
    if (!range.ok) return undefined;
    const { scored } = range.value;
    return { loaded: loadedOf({ count: loadedForRange(scored), scored }, form.interval), scored };
  }
  const count = form.source === 'csv' ? csvCount : form.historyCount;
  if (count === undefined) return undefined;
  const scored = scoredCountOf(form, count);
  return { loaded: form.source === 'csv' ? count : loadedOf({ count, scored }, form.interval), scored };
}

export type SetupInterval = IntervalName;

export const windowKinds = ['count', 'range'] as const;
export type WindowKind = (typeof windowKinds)[number];

export const strategyChoices = ['classic', 'live', 'own'] as const;
export type StrategyChoice = (typeof strategyChoices)[number];

export interface Draft {
  source: 'exchange' | 'csv';
  symbol: string;
  interval: SetupInterval;
  /** For an exchange: the newest candles, or a range of days. */
  window: WindowKind;
  /** Candles loaded from an exchange. */
  historyCount: number;
  /** The days that are scored. */
  range: DateRange;
  /** Whether a file is scored in its standard window or in every row. An exchange always has the standard window. */
  csvScored: 'window' | 'all';
  /** `classic`: the parameters below. `live`: the rules of the scanner with the settings below. `own`: the text below. */
  strategy: StrategyChoice;
  params: StrategyParams;
  live: LiveSettings;
  rules: OwnRules;
  /** Exchange of the default fees. */
  feeVenue: VenueId;
  costs: EditableCosts;
  /** Mark prices decide liquidations, and minutes settle exits, where the exchange has them. */
  fineData: boolean;
}

/** A finished run with everything that went into it, so that it can be checked and shown without the draft. */
export interface Run {
  loaded: LoadedCandles;
  /** The rules, when a strategy was run; the parameters are then unused. */
  strategy?: Strategy;
  /** Candles of the longer intervals of those rules, in the order of the strategy. */
  context?: Candles[];
  /** The origin of the rules, when they are not the scanner's. */
  opened?: OpenedRules;
  params: StrategyParams;
  costs: Costs;
  scoredCount: number;
  /** Run with mark prices and minutes, as far as available. */
  fineData: boolean;
  /** The minutes it used. */
  minutes?: Candles;
  /** Why minutes that could have settled exits are missing, for the screen. */
  minutesProblem?: string;
  result: BacktestResult;
  /** Time from the call to the result, this browser. */
  tookMs: number;
}

interface RunState {
  phase: RunPhase;
  /** Columns are large: a ref is not proxied. */
  loaded: LoadedCandles | null;
  csv: { fileName: string; parsed: FileCandles } | null;
  /** Rules that the orders of a file are put under. */
  fileContract: Contract | null;
  run: Run | null;
  /** Candles whose minutes are loading, to settle exits of the run on screen. */
  settling: number;
  selectedTrade: number | null;
  /** Missing parts of a restored run, as text; null when it is complete. */
  partial: string | null;
  /** The tab was opened and its first result is on the way; false after Clear. */
  isOpening: boolean;
}

const startDraft = (): Draft => ({
  source: 'exchange',
  symbol: 'BTCUSDT',
  interval: '1h',
  window: 'count',
  historyCount: LAB_LOADED,
  range: { from: '', to: '' },
  csvScored: 'window',
  strategy: 'classic',
  params: defaultParams(),
  live: readLive(),
  rules: readOwn(),
  feeVenue: 'binance',
  costs: startCosts(),
  fineData: true,
});

const startRun = (): RunState => ({
  phase: { name: 'idle' },
  loaded: null,
  csv: null,
  fileContract: null,
  run: null,
  settling: 0,
  selectedTrade: null,
  partial: null,
  isOpening: false,
});

export const draft = proxy<Draft>(startDraft());
export const runState = proxy<RunState>({ ...startRun(), isOpening: true });

/** Runs made because the tab was opened, not by the user: not saved, so that the next visit runs on newer candles. */
const automaticRuns = new WeakSet<Run>();
export const noteAutomatic = (run: Run): void => void automaticRuns.add(run);
export const isAutomatic = (run: Run | null): boolean => run !== null && automaticRuns.has(run);

/** Least score of the run that is a signal. */
export const thresholdOf = ({ strategy, params }: Pick<Run, 'strategy' | 'params'>): number =>
  (strategy ?? params).entryThreshold;

export function sendRunEvent(event: RunEvent): void {
  const next = nextPhase(runState.phase, event);
  if (next !== runState.phase) runState.phase = next;
}

export function keepRun(run: Run): void {
  const isOtherData = runState.run?.loaded !== run.loaded;
  if (isOtherData) runState.partial = null;
  runState.run = ref(run);
  sendRunEvent({ kind: 'done' });
  const isStillThere = (runState.selectedTrade ?? 0) < run.result.trades.length;
  if (isOtherData || !isStillThere) runState.selectedTrade = null;
}

export function forgetRun(): void {
  Object.assign(runState, startRun());
}

onUserReset(() => {
  Object.assign(draft, startDraft());
  forgetRun();
  runState.isOpening = true;
});

/** Candles whose minutes are loading for the run on screen. Deferred like the rendered run: at 0 that run has them. */
export const useSettling = (): number => useDeferredValue(useSnapshot(runState).settling);
