import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PatternRecordResult } from '@sextant/workers/src/protocol/vision.ts';
import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Interval } from '../market/port.ts';
import { HORIZON_CANDLES } from './contract.ts';
import { warmSeries } from './groundPicture.ts';
import type { AnalyseDeps } from './analyse.ts';

/** Track records of patterns, from candles in memory: how often their direction followed. */
export interface PatternRecords {
  /** Track records for the interval; from the given candles when memory has none of it. Null when that fails. */
  read: (own: { interval: Interval; candles: Candles }) => Promise<(PatternRecordResult & { interval: string }) | null>;
}

const RECORD_MS = 3_600_000;
const RECORD_SYMBOLS = 60;

/** Counts on the streamed symbols' candles once per hour and interval. */
export function createPatternRecords({
  market,
  engine,
  now,
}: Omit<AnalyseDeps, 'confidences' | 'records'>): PatternRecords {
  const cache = new Map<Interval, { atMs: number; record: PatternRecordResult & { interval: string } }>();
  return {
    async read({ interval, candles: own }) {
      const before = cache.get(interval);
      if (before !== undefined && now() - before.atMs < RECORD_MS) return before.record;
      const turnovers = await market.turnovers();
      const symbols = turnovers.ok ? turnovers.value.value.slice(0, RECORD_SYMBOLS).map(({ symbol }) => symbol) : [];
      const warm = warmSeries(market, symbols, [interval]).map(({ candles }) => copied(candles));
      const series = warm.length > 0 ? warm : [own];
      const run = await engine.run('patternRecord', { series, horizonCount: HORIZON_CANDLES });
      if (!run.ok) return null;
      const record = { ...run.value, interval };
      if (warm.length > 0) cache.set(interval, { atMs: now(), record });
      return record;
    },
  };
}

/** Candles in memory are views of longer arrays, which would be transferred whole to a thread. */
const copied = (candles: Candles): Candles =>
  Object.fromEntries(candleFields.map((name) => [name, candles[name].slice()])) as unknown as Candles;
