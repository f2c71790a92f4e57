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

/** Snapshot of the public record of one market. */
export interface RecordView {
  signals: ReadonlyMap<string, RecordedSignal>;
  /** Changes when anything is added. */
  version: number;
  /** The figures of the whole record at a moment; most of them are computed once per version. */
  engine: (nowMs: number) => RecordWire;
  /** Reliability before and after calibration, once per version. */
  compared: () => Omit<ConfidenceReportWire, 'bases'>;
}

export interface PublicRecord {
  read: () => Promise<RecordView>;
}

/**
 * The record in memory: about 300 bytes a signal. Rows are only ever added, so after the first call each call reads the rows since the
 * snapshot of the previous one (0040_signals.sql explains why none is missed). Concurrent calls share one read.
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
      // A read that started before this call may miss rows this caller just wrote; the next one includes them.
      await running?.catch(() => undefined);
      running ??= refresh().finally(() => (running = undefined));
      await running;
      return { signals, version, engine, compared };
    },
  };
}
