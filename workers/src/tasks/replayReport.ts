import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import {
  endings,
  type Reliability,
  type ReplayedChances,
  type ReplayedSeries,
  type ReplayGroup,
  type ReplayReport,
  type ReplayReportInput,
  type SurvivorBias,
} from '../protocol/replaySignals.ts';
import { calibrated, fitCalibration, type PastBet } from '../signals/calibration.ts';
import { type Bet, clustersOf, effectiveCount, firstOfEach } from '../signals/clusters.ts';
import { blocksOf, gainedInterval, meanOf } from '../signals/meanOutcome.ts';
import { deadlineOf } from '../signals/outcome.ts';
import { calibrate } from '../signals/reliability.ts';

/** Share of the time span whose outcomes make the chances that the rest is judged by. */
export const REPLAY_FIT_SHARE = 0.6;

interface Replayed extends Bet {
  interval: string;
  rawConfidence: number;
  netFraction: number;
  /** Distance of the stop, fraction of the price. */
  stopFraction: number;
  ending: number;
  isAmbiguous: boolean;
}

/** Record, reliability and chances of replayed signals. The same rules as for live ones: docs/signals.md#replay. */
export function replayReport({ series, openCount, endedSymbols }: ReplayReportInput): ReplayReport {
  const all = series.flatMap(replayedOf);
  const byInterval = Map.groupBy(all, ({ interval }) => interval);
  const counts = countsOf(all);
  return {
    ...counts,
    openCount,
    endings: Object.fromEntries(
      endings.map((name, k) => [name, all.filter(({ ending }) => ending === k).length]),
    ) as ReplayReport['endings'],
    ambiguousCount: all.filter(({ isAmbiguous }) => isAmbiguous).length,
    totalNetFraction: sum(all.map(({ netFraction }) => netFraction)),
    reliability: reliabilityOf([...byInterval.values()]),
    chances: [...byInterval].map(([interval, signals]) => chancesOf(interval, signals)),
    groups: [
      ...groupsBy('interval', all, ({ interval }) => interval),
      ...groupsBy('direction', all, ({ direction }) => direction),
      ...groupsBy('hour', all, ({ closeAtMs }) => String(Math.floor((closeAtMs % DAY_MS) / HOUR_MS)).padStart(2, '0')),
    ],
    survivorBias: survivorBiasOf(all, new Set(endedSymbols)),
  };
}

function replayedOf({ symbol, interval, signals }: ReplayedSeries): Replayed[] {
  const { closeAtMs, side, rawConfidence, price, stopLoss, horizonMinutes, ending, exitAtMs, netFraction } = signals;
  const at = (column: Float64Array, i: number): number => column[i] ?? Number.NaN;
  return Array.from(closeAtMs, (close, i) => ({
    id: `${interval} ${close}`,
    symbol,
    interval,
    direction: at(side, i) > 0 ? 'LONG' : 'SHORT',
    closeAtMs: close,
    exitAtMs: at(exitAtMs, i),
    horizonMinutes: at(horizonMinutes, i),
    rawConfidence: at(rawConfidence, i),
    netFraction: at(netFraction, i),
    stopFraction: Math.abs(at(price, i) - at(stopLoss, i)) / at(price, i),
    ending: at(ending, i),
    isAmbiguous: at(signals.isAmbiguous, i) === 1,
  }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function countsOf(signals: readonly Replayed[]) {
  return {
    count: signals.length,
    independentCount: effectiveCount(clustersOf(signals)),
    wonCount: signals.filter(({ netFraction }) => netFraction > 0).length,
    hitInterval: gainedInterval(signals),
  };
}

function groupsBy(
  by: ReplayGroup['by'],
  signals: readonly Replayed[],
  keyOf: (signal: Replayed) => string,
): ReplayGroup[] {
  const groups = [...Map.groupBy(signals, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, inside]) => ({ by, key, ...countsOf(inside), ...meanOf(firstOfEach(inside)) }));
}

const knownAtMs = (signal: Replayed): number =>
  Math.max(deadlineOf({ issuedAtMs: signal.closeAtMs, horizonMinutes: signal.horizonMinutes }), signal.exitAtMs);

/** One bet of each group of near-identical signals. */
const betsOf = (signals: readonly Replayed[]): PastBet[] =>
  firstOfEach(signals).map((signal) => ({
    rawConfidence: signal.rawConfidence,
    isWon: signal.netFraction > 0,
    netStops: signal.netFraction / signal.stopFraction,
    knownAtMs: knownAtMs(signal),
  }));

function chancesOf(interval: string, signals: readonly Replayed[]): ReplayedChances {
  const times = signals.map(({ closeAtMs }) => closeAtMs);
  const extreme = (pick: (a: number, b: number) => number): number | null =>
    times.length === 0 ? null : times.reduce((a, b) => pick(a, b));
  const fit = fitCalibration(betsOf(signals), Infinity);
  return { interval, ...fit, fromMs: extreme(Math.min), toMs: extreme(Math.max), net: meanOf(firstOfEach(signals)) };
}

/** The mean of independent signals without the ended symbols, minus that of all. */
function survivorBiasOf(signals: readonly Replayed[], ended: ReadonlySet<string>): SurvivorBias {
  const independent = firstOfEach(signals);
  const surviving = independent.filter(({ symbol }) => !ended.has(symbol));
  const { mean: all } = meanOf(independent);
  const { mean: survivors } = meanOf(surviving);
  return {
    endedCount: [...ended].filter((symbol) => independent.some((each) => each.symbol === symbol)).length,
    meanNet: all === null || survivors === null ? null : survivors - all,
  };
}

/** Chances of an interval's older outcomes, judged on its newer signals. */
function reliabilityOf(intervals: readonly Replayed[][]): Reliability {
  const judged = intervals.flatMap((signals) => {
    const times = signals.map(({ closeAtMs }) => closeAtMs).sort((a, b) => a - b);
    const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
    const splitMs = from + REPLAY_FIT_SHARE * (to - from);
    const known = signals.filter((signal) => knownAtMs(signal) <= splitMs);
    const { points } = fitCalibration(betsOf(known), splitMs);
    if (points.length === 0) return [];
    return signals
      .filter(({ closeAtMs }) => closeAtMs > splitMs)
      .map((signal) => ({ ...signal, confidence: calibrated(signal.rawConfidence, points) }));
  });
  const blockOf = blocksOf(judged);
  return calibrate(
    judged.map((signal) => ({
      confidence: signal.confidence,
      isWon: signal.netFraction > 0,
      cluster: blockOf(signal),
    })),
  );
}
