import type { Preferences, ScanBody } from '../../../api/types.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';

/** The symbols are the universe of the settings. With every toggle off the primary interval is left. */
export function scanBodyOf(preferences: Preferences): ScanBody {
  const chosen = signalIntervals.filter((interval) => preferences.interval_opts[interval]);
  return {
    intervals: chosen.length > 0 ? chosen : [preferences.scan_interval],
    limit: 500,
    balance: preferences.balance_usdt,
    leverage: preferences.leverage,
    riskTolerance: preferences.risk_tolerance,
  };
}
