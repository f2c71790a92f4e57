import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { AiCheckDeps } from '../aicheck/runAiCheck.ts';
import type { SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import {
  liveSignalCandles,
  rulesOf,
  signalSizing,
  type SizingParams,
  type TuningWeights,
} from '@sextant/workers/src/signals/signalRules.ts';
import { itemHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { rejectTask } from '../market/rejectTask.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';
import { newsSayOf, type NewsVotes } from '../news/newsVotes.ts';
import type { ConfidenceBases } from './confidenceBasis.ts';
import { fastHash, hashesOf, loadSeries, type LoadedSeries, readMark, type WarmMark } from './candles.ts';
import type { SignalWire } from './contract.ts';
import { timeframesOf, tuningIds } from './rules.ts';
import { marketRules } from './marketRules.ts';
import { signalToWire } from './wire.ts';

export interface SignalDeps {
  market: Market;
  engine: EnginePool;
  aiCheck: Omit<AiCheckDeps, 'db'>;
  newsVotes: Pick<NewsVotes, 'read' | 'mark'>;
  confidences: ConfidenceBases;
  now?: () => number;
}

export interface SignalRequest {
  exchange: ExchangeId;
  symbol: string;
  /** The shortest is the base. */
  intervals: Interval[];
  /** Candles of each interval; more are loaded when the votes need them. */
  limit: number;
  /** End of the candles that are read, epoch ms; now when absent. */
  endTimeMs?: number;
  sizing: Omit<SizingParams, 'sizing'>;
  tuning: TuningWeights;
  userId?: string;
}

export interface ComputedSignal {
  wire: SignalWire;
  fetchedAtMs: number;
  /** Durations of the parts, ms; 0 for a part read from memory. */
  timing: { candles: number; engine: number };
}

interface CachedSignal {
  signal: SignalWire;
}

interface Entry {
  running: Promise<Outcome<CachedSignal>>;
  /** Set once it is computed. */
  cached?: CachedSignal;
}

const cachedMax = 5000;

export interface Signals {
  /**
   * The signal when its candles are in memory and it was already computed from them; undefined otherwise. Synchronous: no thread, no
   * database, no network.
   */
  recall: (request: SignalRequest) => ComputedSignal | undefined;
  compute: (request: SignalRequest) => Promise<Outcome<ComputedSignal>>;
  /** Signals of one sizing and tuning, in one run of the engine. Outcomes are in the order of the requests. */
  computeBatch: (requests: readonly SignalRequest[]) => Promise<Outcome<ComputedSignal>[]>;
}

/** A request with its candles. */
interface RequestedSignal {
  request: SignalRequest;
  series: LoadedSeries[];
}

/**
 * Signals of one symbol. They are deterministic for equal candles, rules and sizing, so each is computed once per candle and cached; a
 * repeated request uses neither a thread nor the database.
 */
export function createSignals(deps: SignalDeps): Signals {
  const { market, newsVotes, confidences } = deps;
  const entries = new Map<string, Entry>();
  const keyed = (request: SignalRequest, marks: readonly WarmMark[]): string =>
    keyOf(request, marks, `${newsVotes.mark(request.symbol)} ${versionsOf(confidences, request)}`);

  /** Loads missing candles and computes them in one run; finished and running computations are shared. */
  async function computeBatch(requests: readonly SignalRequest[]): Promise<Outcome<ComputedSignal>[]> {
    const startedAt = performance.now();
    await confidences.refresh();
    const loaded = await Promise.all(requests.map((request) => loadAll(market, request)));
    const candlesMs = performance.now() - startedAt;
    const batch = Promise.withResolvers<Outcome<CachedSignal>[]>();
    const missing: RequestedSignal[] = [];
    const outcomes = requests.map(async (request, i): Promise<Outcome<ComputedSignal>> => {
      const series = loaded[i];
      if (series === undefined) throw new Error('one outcome per request');
      if (!series.ok) return series;
      const done = await once(entries, keyed(request, series.value), async () => {
        const at = missing.push({ request, series: series.value }) - 1;
        const stored = (await batch.promise)[at];
        if (stored === undefined) throw new Error('one row per item');
        return stored;
      });
      if (!done.ok) return done;
      const timing = { candles: candlesMs, engine: performance.now() - startedAt - candlesMs };
      return ok({ wire: done.value.signal, fetchedAtMs: oldestOf(series.value), timing });
    });
    runRequested(deps, missing).then(batch.resolve, batch.reject);
    return Promise.all(outcomes);
  }

  return {
    recall(request) {
      const startedAt = performance.now();
      // For later responses: this one uses the maps in memory. A failure leaves them unchanged.
      confidences.refresh()?.catch(() => undefined);
      const marks = readMarks(market, request);
      const cached = marks === undefined ? undefined : entries.get(keyed(request, marks))?.cached;
      if (marks === undefined || cached === undefined) return undefined;
      const timing = { candles: performance.now() - startedAt, engine: 0 };
      return { wire: cached.signal, fetchedAtMs: oldestOf(marks), timing };
    },
    async compute(request) {
      const [outcome] = await computeBatch([request]);
      if (outcome === undefined) throw new Error('one outcome per request');
      return outcome;
    },
    computeBatch,
  };
}

/** Scores requests of one sizing and tuning (those of the first) in one run of the engine. */
async function runRequested(
  { market, engine, aiCheck, newsVotes, confidences, now = Date.now }: SignalDeps,
  requested: readonly RequestedSignal[],
): Promise<Outcome<CachedSignal>[]> {
  const [first] = requested;
  if (first === undefined) return [];
  const { sizing, tuning } = first.request;
  const rules = rulesOf(tuning);
  const judged = await Promise.all(
    requested.map(async ({ request: { symbol, exchange }, series }) => {
      const timeframes = timeframesOf(series);
      const news = newsSayOf(newsVotes, symbol, timeframes);
      return { symbol, exchange, timeframes, market: await readRules(market, exchange, symbol), news };
    }),
  );
  const items = judged.map((each) => ({ ...each, news: each.news.vote }));
  // Without a caller's signal: other callers may wait for the same result.
  const result = await engine.run('signals', { items, rules, sizing: signalSizing(sizing) });
  if (!result.ok) return requested.map(() => rejectTask(result.error));
  const { rows, engineHash } = result.value;
  const hashItem = itemHashes(rules, hashesOf(requested.flatMap(({ series }) => series)), fastHash);
  return requested.map(({ request, series }, i) => {
    const { symbol, exchange } = request;
    const [row, item, said] = [rows[i]?.signal, items[i], judged[i]];
    if (row === undefined || item === undefined || said === undefined) throw new Error('one row per item');
    if (!row.ok) return row.error.code === 'too_short' ? rejectYoung(request, series) : rejectTask(row.error);
    const interval = item.timeframes[0]?.interval as Interval;
    const hashes = { engine: engineHash, ...hashItem(item) };
    const facts = { symbol, interval, exchange, leverage: sizing.leverage, limits: item.market, hashes };
    const basis = { news: said.news, basis: confidences.of(interval), hasModel: aiCheck.model !== undefined };
    return ok({ signal: signalToWire(row.value, { ...facts, ...basis, computedAtMs: now() }) });
  });
}

const liveCandles = new Map(intervals.map((interval) => [interval, liveSignalCandles(intervalMs[interval])]));

/** The requested number of candles, or as many as the votes need. */
const candlesOf = ({ limit }: Pick<SignalRequest, 'limit'>, interval: Interval): number =>
  Math.max(limit, liveCandles.get(interval) ?? 0);

/** The candles of each interval, or the first error. */
async function loadAll(market: Market, request: SignalRequest): Promise<Outcome<LoadedSeries[]>> {
  const loaded = await Promise.all(
    request.intervals.map((interval) =>
      loadSeries(market, { ...request, interval, limit: candlesOf(request, interval) }),
    ),
  );
  const series: LoadedSeries[] = [];
  for (const outcome of loaded) {
    if (!outcome.ok) return outcome;
    series.push(outcome.value);
  }
  return ok(series);
}

/** Shares one computation between equal concurrent requests. A failure is not cached. */
function once(
  entries: Map<string, Entry>,
  key: string,
  work: () => Promise<Outcome<CachedSignal>>,
): Promise<Outcome<CachedSignal>> {
  const before = entries.get(key);
  if (before !== undefined) return before.running;
  const entry: Entry = { running: work() };
  entries.set(key, entry);
  const forget = (): void => void entries.delete(key);
  entry.running.then((outcome) => (outcome.ok ? void (entry.cached = outcome.value) : forget()), forget);
  const [oldest] = entries.keys();
  if (entries.size > cachedMax && oldest !== undefined) entries.delete(oldest);
  return entry.running;
}

/** The exchange has fewer candles than the votes need, and all were read. */
function rejectYoung(request: SignalRequest, series: readonly LoadedSeries[]): Outcome<never> {
  const { symbol } = request;
  const short = series.find(({ interval, candles }) => candles.time.length < candlesOf(request, interval)) ?? series[0];
  const [interval, count] = [short?.interval ?? '', short?.candles.time.length ?? 0];
  return reject(
    'too_few_candles',
    `${symbol} has ${count} closed ${interval} candles; its votes need up to ${short === undefined ? 0 : candlesOf(request, short.interval)}.`,
  );
}

/** Rules are unknown when the exchange does not respond. */
async function readRules(market: Market, exchange: ExchangeId, symbol: string): Promise<SizingMarket> {
  const symbols = await market.symbols({ exchange });
  return marketRules(symbols.ok ? symbols.value.value.find((each) => each.symbol === symbol) : undefined);
}

const oldestOf = (marks: readonly WarmMark[]): number => Math.min(...marks.map(({ fetchedAtMs }) => fetchedAtMs));

/** Memory state of each interval; undefined when one is missing. */
function readMarks(market: Market, request: SignalRequest): WarmMark[] | undefined {
  const marks: WarmMark[] = [];
  const { exchange, symbol } = request;
  if (request.endTimeMs !== undefined) return undefined;
  for (const interval of request.intervals) {
    const mark = readMark(market, { exchange, symbol, interval, limit: candlesOf(request, interval) });
    if (mark === null) return undefined;
    marks.push(mark);
  }
  return marks;
}

/** Versions of the maps that may determine its confidence. */
const versionsOf = (confidences: ConfidenceBases, { intervals }: SignalRequest): string =>
  intervals
    .map((interval) => confidences.of(interval))
    .map(({ version, replayed }) => `${version} ${replayed?.as_of}`)
    .join();

/** Everything the response depends on. @param said versions of the news and of the calibration */
function keyOf(
  { exchange, symbol, intervals, limit, sizing, tuning }: SignalRequest,
  marks: readonly WarmMark[],
  said: string,
): string {
  const { balance, leverage, riskTolerance, isDynamicRisk } = sizing;
  const size = `${balance} ${leverage} ${riskTolerance} ${isDynamicRisk}`;
  const candles = marks.map(({ mark }) => mark()).join();
  return `${exchange} ${symbol} ${intervals.join()} ${limit} ${size} ${tuningText(tuning)} ${candles} ${said}`;
}

const tuningTexts = new WeakMap<TuningWeights, string>();

/** A user's saved weights are one object across requests (tuningCache.ts). */
function tuningText(tuning: TuningWeights): string {
  const known = tuningTexts.get(tuning);
  if (known !== undefined) return known;
  const text = tuningIds.map((id) => tuning[id]).join();
  tuningTexts.set(tuning, text);
  return text;
}
