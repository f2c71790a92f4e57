import type { AutoRun, Preferences, Scan, ScanSignal } from '../../../api/types.ts';
import { checkText, isPassed, isUnchecked, reasonCode, reasonText } from './words.ts';

/** The one outcome of a signal that a page states. */
export interface SignalVerdict {
  /** It opened, or may open. */
  isOpenable: boolean;
  /** That it may open, that it opened, or the first reason why not. */
  text: string;
  /** What held it back, where the server has tried to open it. */
  detail: AutoRun['items'][number]['detail'];
}

/**
 * What the last of scan, check and opening said: the later one has seen more.
 * @param run of automatic opening, of any scan; null: none yet
 */
export function verdictOf(signal: ScanSignal, scanId: string, run: AutoRun | null): SignalVerdict {
  const item =
    run?.scan_id === scanId
      ? run.items.find(({ symbol, interval }) => symbol === signal.symbol && interval === signal.interval)
      : undefined;
  if (item !== undefined)
    return item.outcome === 'OPENED'
      ? { isOpenable: true, text: 'Position opened', detail: null }
      : { isOpenable: false, text: item.message, detail: item.detail };
  const no = (text: string): SignalVerdict => ({ isOpenable: false, text, detail: null });
  if (signal.outcome !== 'ELIGIBLE') return no(reasonText(reasonCode(signal.outcome, signal.filtered_by)));
  if (isUnchecked(signal)) return { isOpenable: true, text: 'May open once its check has passed', detail: null };
  if (!isPassed(signal)) return no(checkText(signal) ?? 'Not checked');
  return { isOpenable: true, text: 'May open', detail: null };
}

/** The first of the ranking that opened or may open; null when none may. */
export const bestEligible = (all: readonly ScanSignal[], scanId: string, run: AutoRun | null): ScanSignal | null =>
  all.find((signal) => verdictOf(signal, scanId, run).isOpenable) ?? null;

type Levels = Pick<ScanSignal, 'stopLoss' | 'takeProfit'>;
export type OwnLevels = Pick<Preferences, 'levels_mode' | 'stop_loss_pct' | 'take_profit_pct'>;

/** Whether positions of this scan get the levels of the settings; a saved strategy keeps its own. */
export const hasOwnLevels = (scan: Pick<Scan, 'params'>, settings: OwnLevels | null): settings is OwnLevels =>
  settings?.levels_mode === 'own' &&
  scan.params.strategy === undefined &&
  (settings.stop_loss_pct > 0 || settings.take_profit_pct > 0);

/** Stop and target a position of the signal would get: by the settings where they say so. 0 there is none. */
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
