import { isOpenable, isScanTooOld, type SignalVerdict, verdictOf } from '@sextant/workers/src/signals/signalVerdict.ts';
import { useLastRun, useOpenPositions } from '../../../data/positions.ts';
import { usePreferences } from '../../../data/preferences.ts';
import { serverClock } from '../../../api/serverClock.ts';
import type { AutoRun, Preferences, Scan, ScanSignal } from '../../../api/types.ts';

interface Account {
  /** Of automatic opening, over any scan; null: none yet. */
  run: AutoRun | null;
  open: readonly { symbol: string; side: string }[];
  slots: number;
}

/** Everything that decides whether results of a scan may open; with the API's verdict after each check. */
export const factsOf = ({ scan_id, finished_at, params }: Scan, { run, open, slots }: Account, nowMs: number) => ({
  items: run?.scan_id === scan_id ? run.items : [],
  isTooOld: isScanTooOld(
    { intervals: params.intervals, finishedMs: finished_at === null ? null : Date.parse(finished_at) },
    nowMs,
  ),
  open,
  slots,
});

/** The outcome of each signal of a scan, the same on every page. */
export function useVerdicts(scan: Scan): (signal: ScanSignal) => SignalVerdict {
  const run = useLastRun().data ?? null;
  const open = useOpenPositions().data ?? [];
  const slots = usePreferences().data?.max_concurrent_positions ?? Infinity;
  const facts = factsOf(scan, { run, open, slots }, serverClock.now());
  return (signal) => verdictOf(signal, facts);
}

/** The first of the ranking that opened or may open; null when none may. */
export const bestEligible = (
  all: readonly ScanSignal[],
  verdict: (signal: ScanSignal) => SignalVerdict,
): ScanSignal | null => all.find((signal) => isOpenable(verdict(signal))) ?? null;

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
