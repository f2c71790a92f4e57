import { calibrate, wilson } from './calibration.ts';
import type { RecordWire } from './contract.ts';

export interface RecordedSignal {
  confidence: number;
  /** Null while it is open. */
  outcome: 'TP' | 'SL' | 'TIME' | null;
  netFraction: number | null;
  isAmbiguous: boolean | null;
}

/** The figures of a set of signals. Won is a gain after fees; what is open counts neither way. */
export function summarise(signals: readonly RecordedSignal[]): RecordWire {
  const resolved = signals.flatMap(({ outcome, netFraction, ...rest }) =>
    outcome === null || netFraction === null ? [] : [{ ...rest, outcome, netFraction }],
  );
  const count = (outcome: string): number => resolved.filter((each) => each.outcome === outcome).length;
  const won = resolved.filter(({ netFraction }) => netFraction > 0).length;
  const total = resolved.reduce((sum, { netFraction }) => sum + netFraction, 0);
  const { brierOfBaseRate, bins, ...figures } = calibrate(
    resolved.map(({ confidence, netFraction }) => ({ confidence, isWon: netFraction > 0 })),
  );
  return {
    signals: signals.length,
    open: signals.length - resolved.length,
    resolved: resolved.length,
    tp: count('TP'),
    sl: count('SL'),
    time: count('TIME'),
    won,
    ambiguous: resolved.filter(({ isAmbiguous }) => isAmbiguous).length,
    hit_rate: resolved.length === 0 ? null : won / resolved.length,
    hit_rate_interval: wilson(won, resolved.length),
    mean_net_fraction: resolved.length === 0 ? null : total / resolved.length,
    total_net_fraction: resolved.length === 0 ? null : total,
    calibration: {
      ...figures,
      brier_of_base_rate: brierOfBaseRate,
      bins: bins.map(({ wonCount, meanConfidence, winRate, ...bin }) => ({
        ...{ ...bin, won: wonCount, mean_confidence: meanConfidence, win_rate: winRate },
      })),
    },
  };
}
