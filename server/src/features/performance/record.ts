import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { ConfidenceReportWire, RecordWire } from './contract.ts';
import {
  compareCalibration,
  overdueCounter,
  type RecordedSignal,
  type SignalResult,
  summarise,
} from './performance.ts';
import { readNews } from './recordRepository.ts';

/** The public record of one market as it was at some moment. */
export interface RecordView {
  signals: ReadonlyMap<string, RecordedSignal>;
  /** Another number when anything was added. */
  version: number;
  /** The figures of all of it at a moment; most of them are reckoned once per version. */
  engine: (nowMs: number) => RecordWire;
  /** Reliability before and after calibration, once per version. */
  compared: () => Omit<ConfidenceReportWire, 'bases'>;
}

export interface PublicRecord {
  read: () => Promise<RecordView>;
}

/**
 * The record in memory: some 300 bytes a signal. Rows are only ever added, so after the first time a call reads what was written since
 * the snapshot of the one before (0105_signal_votes.sql says why none is missed). Calls of the same moment share one reading.
 */
export function createRecord(db: Db, market: MarketMode): PublicRecord {
  const signals = new Map<string, RecordedSignal>();
  let since = '0';
  let version = 0;
  let summary:
    | { version: number; figures: ReturnType<typeof summarise>; overdueAt: (nowMs: number) => number }
    | undefined;
  let comparison: { version: number; figures: ReturnType<typeof compareCalibration> } | undefined;
  let running: Promise<void> | undefined;

  function take(id: string, result: SignalResult): boolean {
    const signal = signals.get(id);
    if (signal === undefined || signal.result !== null) return false;
    signals.set(id, { ...signal, result });
    return true;
  }

  async function refresh(): Promise<void> {
    const news = await withSystem(db, (tx) => readNews(tx, market, since));
    let isNew = false;
    for (const signal of news.signals) {
      if (signals.has(signal.id)) continue;
      signals.set(signal.id, signal);
      isNew = true;
    }
    for (const { id, ...result } of news.results) isNew = take(id, result) || isNew;
    since = news.next;
    if (isNew) version += 1;
  }

  function engine(nowMs: number): RecordWire {
    if (summary?.version !== version) {
      const all = [...signals.values()];
      summary = { version, figures: summarise(all), overdueAt: overdueCounter(all) };
    }
    return { ...summary.figures, overdue: summary.overdueAt(nowMs) };
  }

  function compared(): ReturnType<typeof compareCalibration> {
    if (comparison?.version !== version) comparison = { version, figures: compareCalibration([...signals.values()]) };
    return comparison.figures;
  }

  return {
    async read() {
      // One that began before this call may have missed what this caller just wrote; the next one has not.
      await running?.catch(() => undefined);
      running ??= refresh().finally(() => (running = undefined));
      await running;
      return { signals, version, engine, compared };
    },
  };
}
