import { createHash } from 'node:crypto';
import type { Candles, EnginePool } from '@sextant/workers/src/protocol.ts';
import type { SignalSizing } from '@sextant/workers/src/protocolSignals.ts';
import { candlesHash, signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import { ok, type Outcome } from '../../platform/errors.ts';
import { refuseTask } from '../backtest/loadRun.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';
import { loadSeries, type LoadedSeries } from './candles.ts';
import type { SignalWire } from './contract.ts';
import { rulesOf, sizingOf, timeframesOf, type TuningWeights } from './rules.ts';
import { signalToWire } from './wire.ts';

export interface SignalDeps {
  market: Market;
  engine: EnginePool;
  now?: () => number;
}

export interface SignalRequest {
  exchange: ExchangeId;
  symbol: string;
  /** The shortest is the base. */
  intervals: Interval[];
  limit: number;
  sizing: Pick<SignalSizing, 'balanceUsdt' | 'leverage' | 'riskTolerance' | 'isDynamicRisk'>;
  tuning: TuningWeights;
  userId?: string;
}

export interface ComputedSignal {
  wire: SignalWire;
  fetchedAtMs: number;
  /** What the parts took, ms; 0 for a part that memory answered. */
  timing: { candles: number; engine: number };
}

/** SHA-256 of Node itself: some five times as fast as the portable one. */
export const fastHash = (): ((candles: Candles) => string) =>
  candlesHash(() => {
    const hash = createHash('sha256');
    return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
  });

interface Kept {
  signal: SignalWire;
}

const keptMax = 5000;

/**
 * Signals of one symbol. The same candles, rules and sizing give the same signal, so it is computed once per candle and kept; a
 * repetition costs neither a thread nor a database.
 */
export function createSignals({ market, engine, now = Date.now }: SignalDeps) {
  const kept = new Map<string, Promise<Outcome<Kept>>>();

  async function compute(request: SignalRequest, series: readonly LoadedSeries[]): Promise<Outcome<Kept>> {
    const { symbol, exchange, sizing, tuning } = request;
    const timeframes = timeframesOf(series);
    const rules = rulesOf(tuning);
    const input = { items: [{ symbol, timeframes }], rules, sizing: sizingOf(sizing) };
    // Without a caller's signal: others may wait for the same answer.
    const result = await engine.run('signals', input);
    if (!result.ok) return refuseTask(result.error);
    const row = result.value.rows[0]?.signal;
    if (row === undefined) throw new Error('one row per item');
    if (!row.ok) return refuseTask(row.error);
    const hashes = { engine: result.value.engineHash, ...signalHashes(timeframes, rules, fastHash()) };
    const interval = timeframes[0]?.interval as Interval;
    const facts = { symbol, interval, exchange, leverage: sizing.leverage, computedAtMs: now(), hashes };
    return ok({ signal: signalToWire(row.value, facts) });
  }

  /** Of the same moment and the same question: one computation for all who wait. A failure is not kept. */
  function once(key: string, work: () => Promise<Outcome<Kept>>): Promise<Outcome<Kept>> {
    const before = kept.get(key);
    if (before !== undefined) return before;
    const running = work();
    kept.set(key, running);
    const forget = (): void => void kept.delete(key);
    running.then((outcome) => (outcome.ok ? undefined : forget()), forget);
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return running;
  }

  return async (request: SignalRequest): Promise<Outcome<ComputedSignal>> => {
    const startedAt = performance.now();
    const loaded = await Promise.all(request.intervals.map((interval) => loadSeries(market, { ...request, interval })));
    const series: LoadedSeries[] = [];
    for (const outcome of loaded) {
      if (!outcome.ok) return outcome;
      series.push(outcome.value);
    }
    const candlesMs = performance.now() - startedAt;
    const done = await once(keyOf(request, series), () => compute(request, series));
    if (!done.ok) return done;
    return ok({
      wire: done.value.signal,
      fetchedAtMs: Math.min(...series.map(({ fetchedAtMs }) => fetchedAtMs)),
      timing: { candles: candlesMs, engine: performance.now() - startedAt - candlesMs },
    });
  };
}

/** Everything the answer depends on. Closed candles do not change, so the last one stands for all of them. */
function keyOf({ exchange, symbol, limit, sizing, tuning }: SignalRequest, series: readonly LoadedSeries[]): string {
  const marks = series.map(({ interval, candles }) => [
    interval,
    candles.time.length,
    candles.time.at(-1),
    candles.close.at(-1),
  ]);
  return JSON.stringify([exchange, symbol, limit, sizing, Object.values(tuning), marks]);
}
