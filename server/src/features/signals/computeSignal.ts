import { ok } from '@sextant/workers/src/result.ts';
import type { AiCheckDeps } from '../aicheck/runAiCheck.ts';
import type { SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { EnginePool } from '@sextant/workers/src/protocol.ts';
import { signalSizing, type SizingParams } from '@sextant/workers/src/signalRules.ts';
import { signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import type { Outcome } from '../../platform/errors.ts';
import { refuseTask } from '../backtest/loadRun.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';
import { fastHash, hashesOf, loadSeries, type LoadedSeries, readMark, type WarmMark } from './candles.ts';
import type { SignalWire } from './contract.ts';
import { rulesOf, timeframesOf, tuningIds, type TuningWeights } from './rules.ts';
import { marketRules } from './marketRules.ts';
import { signalToWire } from './wire.ts';

export interface SignalDeps {
  market: Market;
  engine: EnginePool;
  aiCheck: Omit<AiCheckDeps, 'db'>;
  now?: () => number;
}

export interface SignalRequest {
  exchange: ExchangeId;
  symbol: string;
  /** The shortest is the base. */
  intervals: Interval[];
  limit: number;
  sizing: Omit<SizingParams, 'sizing'>;
  tuning: TuningWeights;
  userId?: string;
}

export interface ComputedSignal {
  wire: SignalWire;
  fetchedAtMs: number;
  /** What the parts took, ms; 0 for a part that memory answered. */
  timing: { candles: number; engine: number };
}

interface Kept {
  signal: SignalWire;
}

interface Entry {
  running: Promise<Outcome<Kept>>;
  /** Once it is computed. */
  kept?: Kept;
}

const keptMax = 5000;

export interface Signals {
  /**
   * The signal when memory holds its candles and it was computed from them before; undefined otherwise. At once: no thread, no
   * database, no network.
   */
  recall: (request: SignalRequest) => ComputedSignal | undefined;
  compute: (request: SignalRequest) => Promise<Outcome<ComputedSignal>>;
}

/**
 * Signals of one symbol. The same candles, rules and sizing give the same signal, so it is computed once per candle and kept; a
 * repetition costs neither a thread nor a database.
 */
export function createSignals({ market, engine, aiCheck, now = Date.now }: SignalDeps): Signals {
  const entries = new Map<string, Entry>();

  async function run(request: SignalRequest, series: readonly LoadedSeries[]): Promise<Outcome<Kept>> {
    const { symbol, exchange, sizing, tuning } = request;
    const timeframes = timeframesOf(series);
    const rules = rulesOf(tuning);
    const limits = await readRules(market, exchange, symbol);
    const input = { items: [{ symbol, timeframes, market: limits }], rules, sizing: signalSizing(sizing) };
    // Without a caller's signal: others may wait for the same answer.
    const result = await engine.run('signals', input);
    if (!result.ok) return refuseTask(result.error);
    const row = result.value.rows[0]?.signal;
    if (row === undefined) throw new Error('one row per item');
    if (!row.ok) return refuseTask(row.error);
    const hashes = { engine: result.value.engineHash, ...signalHashes(timeframes, rules, hashesOf(series), fastHash) };
    const interval = timeframes[0]?.interval as Interval;
    const facts = { symbol, interval, exchange, leverage: sizing.leverage, limits, computedAtMs: now(), hashes };
    return ok({ signal: signalToWire(row.value, { ...facts, hasModel: aiCheck.model !== undefined }) });
  }

  /** Of the same moment and the same question: one computation for all who wait. A failure is not kept. */
  function once(key: string, work: () => Promise<Outcome<Kept>>): Promise<Outcome<Kept>> {
    const before = entries.get(key);
    if (before !== undefined) return before.running;
    const entry: Entry = { running: work() };
    entries.set(key, entry);
    const forget = (): void => void entries.delete(key);
    entry.running.then((outcome) => (outcome.ok ? void (entry.kept = outcome.value) : forget()), forget);
    const [oldest] = entries.keys();
    if (entries.size > keptMax && oldest !== undefined) entries.delete(oldest);
    return entry.running;
  }

  return {
    recall(request) {
      const startedAt = performance.now();
      const marks: WarmMark[] = [];
      for (const interval of request.intervals) {
        const mark = readMark(market, { ...request, interval });
        if (mark === null) return undefined;
        marks.push(mark);
      }
      const kept = entries.get(keyOf(request, marks))?.kept;
      if (kept === undefined) return undefined;
      const timing = { candles: performance.now() - startedAt, engine: 0 };
      return { wire: kept.signal, fetchedAtMs: oldestOf(marks), timing };
    },
    async compute(request) {
      const startedAt = performance.now();
      const { intervals } = request;
      const loaded = await Promise.all(intervals.map((interval) => loadSeries(market, { ...request, interval })));
      const series: LoadedSeries[] = [];
      for (const outcome of loaded) {
        if (!outcome.ok) return outcome;
        series.push(outcome.value);
      }
      const candlesMs = performance.now() - startedAt;
      const done = await once(keyOf(request, series), () => run(request, series));
      if (!done.ok) return done;
      const timing = { candles: candlesMs, engine: performance.now() - startedAt - candlesMs };
      return ok({ wire: done.value.signal, fetchedAtMs: oldestOf(series), timing });
    },
  };
}

/** Without an answer of the exchange no rule is known. */
async function readRules(market: Market, exchange: ExchangeId, symbol: string): Promise<SizingMarket> {
  const symbols = await market.symbols({ exchange });
  return marketRules(symbols.ok ? symbols.value.value.find((each) => each.symbol === symbol) : undefined);
}

const oldestOf = (marks: readonly WarmMark[]): number => Math.min(...marks.map(({ fetchedAtMs }) => fetchedAtMs));

/** Everything the answer depends on. */
function keyOf(
  { exchange, symbol, intervals, limit, sizing, tuning }: SignalRequest,
  marks: readonly WarmMark[],
): string {
  const { balance, leverage, riskTolerance, isDynamicRisk } = sizing;
  const size = `${balance} ${leverage} ${riskTolerance} ${isDynamicRisk}`;
  const candles = marks.map(({ mark }) => mark()).join();
  return `${exchange} ${symbol} ${intervals.join()} ${limit} ${size} ${tuningText(tuning)} ${candles}`;
}

const tuningTexts = new WeakMap<TuningWeights, string>();

/** A user's saved weights are one object from one request to the next (tuningCache.ts). */
function tuningText(tuning: TuningWeights): string {
  const known = tuningTexts.get(tuning);
  if (known !== undefined) return known;
  const text = tuningIds.map((id) => tuning[id]).join();
  tuningTexts.set(tuning, text);
  return text;
}
