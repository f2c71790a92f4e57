import { calibrate } from '@sextant/workers/src/signals/reliability.ts';
import { STRATEGY_VERSION } from '../../signals/strategyVersion.ts';
import { endings, type SurvivorBias } from '@sextant/workers/src/protocol/replaySignals.ts';
import type { z } from 'zod';
import type { RecordWire, ReplayedResponse, ReplayWire, StrategyReplayWire } from '../contract.ts';
import { reliabilityToWire } from '../performance.ts';
import type { StoredReplay, StoredReport } from './replayRepository.ts';
import type { StrategyReplay } from './strategyReplays.ts';

const pctOf = (fraction: number | null | undefined): number | null => (fraction == null ? null : fraction * 100);

/** The figures of a replay in the form of the live record; those of no signal before the first replay. */
export function replayedRecord(stored: Pick<StoredReport, 'report'> | null): RecordWire {
  if (stored === null) return nothingReplayed;
  const { count, openCount, endings, wonCount, ambiguousCount, ...report } = stored.report;
  return {
    origin: 'replayed',
    signals: count + openCount,
    open: openCount,
    overdue: 0,
    resolved: count,
    tp: endings.TP,
    sl: endings.SL,
    time: endings.TIME,
    // Absent in reports of an earlier version.
    delisted: endings.DELISTED ?? 0,
    won: wonCount,
    ambiguous: ambiguousCount,
    hit_rate: count === 0 ? null : wonCount / count,
    hit_rate_interval: report.hitInterval,
    independent_count: report.independentCount,
    mean_net_fraction: count === 0 ? null : report.totalNetFraction / count,
    total_net_fraction: count === 0 ? null : report.totalNetFraction,
    calibration: reliabilityToWire(report.reliability),
  };
}

const nothingReplayed: RecordWire = {
  origin: 'replayed',
  signals: 0,
  open: 0,
  overdue: 0,
  resolved: 0,
  tp: 0,
  sl: 0,
  time: 0,
  delisted: 0,
  won: 0,
  ambiguous: 0,
  hit_rate: null,
  hit_rate_interval: null,
  independent_count: 0,
  mean_net_fraction: null,
  total_net_fraction: null,
  calibration: reliabilityToWire(calibrate([])),
};

export function replayToWire(stored: StoredReport | null): ReplayWire | null {
  if (stored === null) return null;
  const { asOf, engineHash, symbolCount, seriesCount, seriesWanted, report } = stored;
  return {
    origin: 'replayed',
    as_of: asOf.toISOString(),
    strategy_version: STRATEGY_VERSION,
    engine_hash: engineHash,
    symbols: symbolCount,
    series: seriesCount,
    series_wanted: seriesWanted,
    survivor_bias: survivorBiasToWire(report.survivorBias),
    groups: report.groups.map(({ by, key, count, independentCount, wonCount, hitInterval, mean, interval }) => ({
      by,
      key,
      count,
      independent_count: independentCount,
      hit_rate: count === 0 ? null : wonCount / count,
      hit_rate_interval: hitInterval,
      mean_net_pct: pctOf(mean),
      net_low_pct: pctOf(interval?.low),
      net_high_pct: pctOf(interval?.high),
    })),
  };
}

/** @param bias absent in reports of an earlier version */
function survivorBiasToWire(bias: SurvivorBias | undefined): ReplayWire['survivor_bias'] {
  const { endedCount = 0, meanNet = null } = bias ?? {};
  if (endedCount === 0) return { ended_symbols: 0, net_pct: null, reason: 'No delisted symbol is in this replay.' };
  const reason = meanNet === null ? 'Every replayed symbol has been delisted.' : null;
  return { ended_symbols: endedCount, net_pct: pctOf(meanNet), reason };
}

/** Live rules close by no signal. */
function liveEnding(ending: number): 'TP' | 'SL' | 'TIME' | 'DELISTED' {
  const name = endings[ending] ?? 'TIME';
  return name === 'SIGNAL' ? 'TIME' : name;
}

const notReplayed: StrategyReplayWire = {
  origin: 'replayed',
  state: 'none',
  version: null,
  requested_at: null,
  finished_at: null,
  symbols: null,
  symbols_done: 0,
  symbols_failed: 0,
  error: null,
  record: null,
  mean_net_pct: null,
  net_low_pct: null,
  net_high_pct: null,
};

/** @param replay null: none was requested */
export function strategyReplayToWire(replay: StrategyReplay | null): StrategyReplayWire {
  if (replay === null) return notReplayed;
  const { report } = replay;
  return {
    ...notReplayed,
    state: replay.state,
    version: replay.version,
    requested_at: replay.requestedAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
    symbols: replay.symbolsWanted,
    symbols_done: replay.symbolsDone,
    symbols_failed: replay.symbolsFailed,
    error: replay.error,
    ...(report === null ? {} : figuresOf(report)),
  };
}

function figuresOf(report: StoredReport['report']) {
  const net = report.chances[0]?.net;
  return {
    record: { ...replayedRecord({ report }), turned: report.endings.SIGNAL ?? 0 },
    mean_net_pct: pctOf(net?.mean),
    net_low_pct: pctOf(net?.interval?.low),
    net_high_pct: pctOf(net?.interval?.high),
  };
}

/** The newest signals of a series; none before it was replayed. */
export function listReplayed(
  { symbol, interval, limit }: { symbol: string; interval: string; limit: number },
  [stored]: readonly StoredReplay[],
): z.input<typeof ReplayedResponse> {
  const total = stored?.signals.closeAtMs.length ?? 0;
  const at = (name: keyof StoredReplay['signals'], i: number): number => stored?.signals[name][i] ?? 0;
  const isoAt = (name: 'closeAtMs' | 'exitAtMs', i: number): string => new Date(at(name, i)).toISOString();
  const newest = Array.from({ length: Math.min(limit, total) }, (_, k) => total - 1 - k);
  return {
    origin: 'replayed',
    symbol,
    interval,
    total,
    open: stored?.openCount ?? 0,
    signals: newest.map((i) => ({
      candle_close_at: isoAt('closeAtMs', i),
      direction: at('side', i) > 0 ? 'LONG' : 'SHORT',
      raw_confidence: at('rawConfidence', i),
      price: at('price', i),
      stop_loss: at('stopLoss', i),
      take_profit: at('takeProfit', i),
      horizon_min: at('horizonMinutes', i),
      outcome: liveEnding(at('ending', i)),
      exit_at: isoAt('exitAtMs', i),
      net_fraction: at('netFraction', i),
      is_ambiguous: at('isAmbiguous', i) === 1,
    })),
  };
}
