import type { SignalRecord } from '../../api/types.ts';

/** Below so many resolved signals a rate says more about luck than about the rule. */
export const RESOLVED_MIN = 10;

export interface ReliabilityPoint {
  /** 0 to 1. */
  confidence: number;
  winRate: number;
  low: number;
  high: number;
  count: number;
}

/** One point per bin that holds anything. */
export const pointsOf = (calibration: SignalRecord['calibration']): ReliabilityPoint[] =>
  calibration.bins.flatMap(({ count, mean_confidence: confidence, win_rate: winRate, interval }) =>
    count === 0 || confidence === null || winRate === null || interval === null
      ? []
      : [{ confidence, winRate, count, ...interval }],
  );

/** A share with its interval and its n, or that there is too little to say one. */
export function rateText(
  rate: number | null,
  interval: { low: number; high: number } | null,
  count: number,
): { value: string; note: string } {
  if (rate === null || interval === null || count < RESOLVED_MIN)
    return { value: 'Not enough data', note: `n = ${count}, needs ${RESOLVED_MIN}` };
  const pct = (value: number): string => (value * 100).toFixed(1);
  return { value: `${pct(rate)} %`, note: `95 %: ${pct(interval.low)} to ${pct(interval.high)}, n = ${count}` };
}
