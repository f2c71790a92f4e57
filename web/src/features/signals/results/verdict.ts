import {
  isOpenable,
  isScanTooOld,
  type SignalVerdict,
  type VerdictFacts,
  verdictsOf,
} from '@sextant/workers/src/signals/signalVerdict.ts';
import { useGuards, useLastRun, useOpenPositions } from '../../../data/positions.ts';
import { usePreferences } from '../../../data/preferences.ts';
import { serverClock } from '../../../api/serverClock.ts';
import type { AutoRun, Guard, Preferences, Scan, ScanSignal } from '../../../api/types.ts';

interface Account {
  /** Last run of automatic opening, over any scan; null: none yet. */
  run: AutoRun | null;
  open: VerdictFacts['open'];
  guards: readonly Guard[];
  settings: VerdictFacts['settings'];
}

/** A guard that releases by itself does so without a request. */
const guardAt = (guard: Guard, nowMs: number): Guard => ({
  ...guard,
  is_tripped: guard.is_tripped && (guard.until === null || nowMs < Date.parse(guard.until)),
});

/** Everything that decides whether results of a scan may open; with the API's verdict after each check. */
export function factsOf(
  { scan_id, finished_at, params }: Scan,
  { run, open, guards, settings }: Account,
  nowMs: number,
): VerdictFacts {
  const isRun = run?.scan_id === scan_id;
  const finishedMs = finished_at === null ? null : Date.parse(finished_at);
  return {
    items: isRun ? run.items : [],
    isRunOver: isRun && run.finished_at !== null,
    isTooOld: isScanTooOld({ intervals: params.intervals, finishedMs }, nowMs),
    open,
    guards: guards.map((guard) => guardAt(guard, nowMs)),
    settings,
    strategy: params.strategy,
  };
}

type VerdictOf = (signal: ScanSignal) => SignalVerdict;

/** The outcomes of the signals of a scan by id. */
export function verdictsIn(all: readonly ScanSignal[], facts: VerdictFacts): VerdictOf {
  const verdicts = verdictsOf(all, facts);
  const byId = new Map(all.map(({ signal_id: id }, i) => [id, verdicts[i]]));
  return ({ signal_id: id, verdict }) => byId.get(id) ?? verdict;
}

/** The outcome of each signal of a scan, the same on every page; until the account has been fetched, that of the scan's response. */
export function useVerdicts(scan: Scan): VerdictOf {
  const run = useLastRun().data;
  const open = useOpenPositions().data;
  const guards = useGuards().data?.guards;
  const settings = usePreferences().data;
  if (run === undefined || open === undefined || guards === undefined || settings == null)
    return ({ verdict }) => verdict;
  return verdictsIn(scan.results?.all ?? [], factsOf(scan, { run, open, guards, settings }, serverClock.now()));
}

/** The first of the ranking that opened or may open; null when none may. */
export const bestEligible = (all: readonly ScanSignal[], verdict: VerdictOf): ScanSignal | null =>
  all.find((signal) => isOpenable(verdict(signal))) ?? null;

type Levels = Pick<ScanSignal, 'stopLoss' | 'takeProfit'>;
export type OwnLevels = Pick<Preferences, 'levels_mode' | 'stop_loss_pct' | 'take_profit_pct'>;

/** Whether positions of this scan get the levels of the settings; a saved strategy keeps its own. */
export const hasOwnLevels = (scan: Pick<Scan, 'params'>, settings: OwnLevels | null): settings is OwnLevels =>
  settings?.levels_mode === 'own' &&
  scan.params.strategy === undefined &&
  (settings.stop_loss_pct > 0 || settings.take_profit_pct > 0);

/** Stop and target of a position from the signal: by the settings where they define them. 0: none. */
export function usedLevels(signal: ScanSignal, scan: Pick<Scan, 'params'>, settings: OwnLevels | null): Levels {
  const { price, direction, stopLoss, takeProfit } = signal;
  if (direction === 'NEUTRAL' || !hasOwnLevels(scan, settings)) return { stopLoss, takeProfit };
  const side = direction === 'LONG' ? 1 : -1;
  const { stop_loss_pct: stop, take_profit_pct: target } = settings;
  return {
    stopLoss: stop > 0 ? price * (1 - (side * stop) / 100) : stopLoss,
    takeProfit: target > 0 ? price * (1 + (side * target) / 100) : takeProfit,
  };
}
