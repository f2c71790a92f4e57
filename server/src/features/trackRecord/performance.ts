import type { Reliability } from '@sextant/workers/src/protocol/replaySignals.ts';
import { calibrate } from '@sextant/workers/src/signals/reliability.ts';
import { clustersOf, effectiveCount } from '@sextant/workers/src/signals/clusters.ts';
import { blocksOf, gainedInterval } from '@sextant/workers/src/signals/meanOutcome.ts';
import type { ConfidenceReportWire, RecordWire } from './contract.ts';
import { deadlineOf } from '@sextant/workers/src/signals/outcome.ts';

export interface RecordedSignal {
  id: string;
  symbol: string;
  direction: string;
  /** Epoch ms. */
  closeAtMs: number;
  /** Epoch ms: its creation, never before its candle closed. */
  issuedAtMs: number;
  horizonMinutes: number;
  confidence: number;
  rawConfidence: number;
  /** `confidence` was a measured chance, not the raw value. */
  isCalibrated: boolean;
  /** Chance as stated, from replayed and live outcomes of then; null: none was. */
  chance: number | null;
  /** Null while it is open. */
  result: SignalResult | null;
}

export interface SignalResult {
  /** `SIGNAL`: exit by the opposite signal, for saved strategies only. */
  outcome: 'TP' | 'SL' | 'TIME' | 'SIGNAL' | 'DELISTED';
  netFraction: number;
  isAmbiguous: boolean;
  /** Epoch ms. */
  exitAtMs: number;
}

export type ResolvedSignal = Omit<RecordedSignal, 'result'> & SignalResult;

export const resolvedOf = (signals: readonly RecordedSignal[]): ResolvedSignal[] =>
  signals.flatMap(({ result, ...signal }) => (result === null ? [] : [{ ...signal, ...result }]));

/** Time after its deadline in which a signal may wait for its last candle and its turn. */
export const LATE_MS = 3_600_000;

/**
 * Counts the signals that should have been resolved at a moment, epoch ms. Signals that cannot be judged are reported, because they may
 * differ from the rest.
 */
export function overdueCounter(signals: readonly RecordedSignal[]): (nowMs: number) => number {
  const lateAtMs = signals.flatMap((signal) => (signal.result === null ? [deadlineOf(signal) + LATE_MS] : []));
  return (nowMs) => lateAtMs.filter((atMs) => atMs < nowMs).length;
}

/** The figures of a set of signals at a moment. */
export const recordOf = (signals: readonly RecordedSignal[], nowMs: number): RecordWire => ({
  ...summarise(signals),
  overdue: overdueCounter(signals)(nowMs),
});

/** The figures of a set of signals. A win is a gain after fees; open signals count neither way. */
export function summarise(signals: readonly RecordedSignal[]): Omit<RecordWire, 'overdue'> & { origin: 'live' } {
  const resolved = resolvedOf(signals);
  const count = (outcome: string): number => resolved.filter((each) => each.outcome === outcome).length;
  const won = resolved.filter(({ netFraction }) => netFraction > 0).length;
  const total = resolved.reduce((sum, { netFraction }) => sum + netFraction, 0);
  return {
    origin: 'live',
    signals: signals.length,
    open: signals.length - resolved.length,
    resolved: resolved.length,
    tp: count('TP'),
    sl: count('SL'),
    time: count('TIME'),
    delisted: count('DELISTED'),
    won,
    ambiguous: resolved.filter(({ isAmbiguous }) => isAmbiguous).length,
    hit_rate: resolved.length === 0 ? null : won / resolved.length,
    hit_rate_interval: gainedInterval(resolved),
    independent_count: effectiveCount(clustersOf(resolved)),
    mean_net_fraction: resolved.length === 0 ? null : total / resolved.length,
    total_net_fraction: resolved.length === 0 ? null : total,
    calibration: reliabilityOf(resolved, ({ confidence }) => confidence),
  };
}

/** Calibration of the confidences returned by `of` against the outcomes. */
function reliabilityOf(
  resolved: readonly ResolvedSignal[],
  of: (signal: ResolvedSignal) => number,
): RecordWire['calibration'] {
  const blockOf = blocksOf(resolved);
  return reliabilityToWire(
    calibrate(
      resolved.map((signal) => ({
        confidence: of(signal),
        isWon: signal.netFraction > 0,
        cluster: blockOf(signal),
      })),
    ),
  );
}

export function reliabilityToWire(reliability: Reliability): RecordWire['calibration'] {
  const { brierOfBaseRate, logLoss, logLossOfBaseRate, bins, ...figures } = reliability;
  return {
    ...figures,
    brier_of_base_rate: brierOfBaseRate,
    log_loss: logLoss,
    log_loss_of_base_rate: logLossOfBaseRate,
    bins: bins.map(({ wonCount, meanConfidence, winRate, ...bin }) => ({
      ...bin,
      won: wonCount,
      mean_confidence: meanConfidence,
      win_rate: winRate,
    })),
  };
}

/** The same signals by their raw confidence and by their calibrated one; and those with a chance by it, all by live outcomes. */
export function compareCalibration(signals: readonly RecordedSignal[]): Omit<ConfidenceReportWire, 'bases'> {
  const resolved = resolvedOf(signals.filter(({ isCalibrated }) => isCalibrated));
  const stated = resolvedOf(signals.filter(({ chance }) => chance !== null));
  return {
    origin: 'live',
    before: reliabilityOf(resolved, ({ rawConfidence }) => rawConfidence),
    after: reliabilityOf(resolved, ({ confidence }) => confidence),
    chance: reliabilityOf(stated, ({ chance }) => chance ?? Number.NaN),
  };
}
