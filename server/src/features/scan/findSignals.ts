import type { EnginePool, TaskError } from '@sextant/workers/src/protocol.ts';
import type { SignalItem, SignalRow, SignalsResult } from '@sextant/workers/src/protocolSignals.ts';
import { signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import { type Outcome, ok, type Refusal, refuse } from '../../platform/errors.ts';
import { intervalMs } from '../market/intervals.ts';
import type { FuturesSymbol, Interval, Market, PriceQuote } from '../market/port.ts';
import { fastHash, hashesOf, loadSeries, type LoadedSeries } from '../signals/candles.ts';
import { rulesOf, sizingOf, timeframesOf } from '../signals/rules.ts';
import { signalToWire } from '../signals/wire.ts';
import type { Scored } from './candidates.ts';
import type { ScanParams } from './contract.ts';
import { chooseUniverse, type Universe } from './universe.ts';

export interface FindDeps {
  market: Market;
  engine: EnginePool;
  now?: () => number;
}

export interface Found {
  universe: Universe;
  scored: Scored[];
  /** `SYMBOL interval` of every series that could not be scored. */
  missing: { symbol: string; interval: Interval }[];
  oldestFetchMs: number;
  timing: { candles_ms: number; engine_ms: number };
}

export interface FindOptions {
  userId: string;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => Promise<void>;
}

/** Series that are read at once: enough to hide the network, few enough for the exchange's limits. */
const LOADS_AT_ONCE = 12;
/** Signals of one engine task: some 20 ms of a thread, so that other work gets its turn in between. */
const CHUNK = 60;

/** Everything of a scan that needs no credit and no database: universe, candles, engine. */
export async function findSignals(deps: FindDeps, params: ScanParams, options: FindOptions): Promise<Outcome<Found>> {
  const startedAt = performance.now();
  const universe = await readUniverse(deps, params, options.signal);
  if (!universe.ok) return universe;
  const series = await loadAll(deps.market, universe.value.chosen, params, options);
  if (series.refused !== undefined && series.found.length === 0) return { ok: false, refusal: series.refused };
  const candlesMs = performance.now() - startedAt;
  const scored = await scoreAll(deps, universe.value.chosen, series.found, params, options);
  if (!scored.ok) return scored;
  return ok({
    universe: universe.value,
    scored: scored.value.scored,
    missing: [...series.missing, ...scored.value.missing],
    oldestFetchMs: Math.min(...series.found.map(({ fetchedAtMs }) => fetchedAtMs)),
    timing: { candles_ms: candlesMs, engine_ms: performance.now() - startedAt - candlesMs },
  });
}

async function readUniverse(
  { market, now = Date.now }: FindDeps,
  params: ScanParams,
  signal: AbortSignal,
): Promise<Outcome<Universe>> {
  const { exchange } = params;
  const symbols = await market.symbols({ exchange, signal });
  if (!symbols.ok) return symbols;
  const trading = symbols.value.value.filter(({ status }) => status === 'trading').map(({ symbol }) => symbol);
  const [quotes, turnovers] = await Promise.all([
    market.prices({ exchange, symbols: trading, signal }),
    market.turnovers({ exchange, signal }),
  ]);
  const facts = {
    symbols: symbols.value.value,
    // What cannot be read is not held against a symbol.
    turnoverUsdt: new Map(
      turnovers.ok ? turnovers.value.value.map(({ symbol, turnoverUsdt }) => [symbol, turnoverUsdt]) : [],
    ),
    spreadFraction: new Map(quotes.ok ? quotes.value.value.flatMap(spreadOf) : []),
  };
  return ok(
    chooseUniverse(facts, {
      ...(params.symbols === null ? {} : { symbols: params.symbols }),
      whitelist: params.whitelist,
      blacklist: params.blacklist,
      symbolsMax: params.maxSymbols,
      nowMs: now(),
    }),
  );
}

const spreadOf = ({ symbol, bid, ask }: PriceQuote): [string, number][] =>
  bid === null || ask === null ? [] : [[symbol, (ask - bid) / bid]];

async function loadAll(
  market: Market,
  symbols: readonly FuturesSymbol[],
  { exchange, intervals, limit }: ScanParams,
  { userId, signal }: FindOptions,
) {
  const wanted = symbols.flatMap(({ symbol }) => intervals.map((interval) => ({ symbol, interval })));
  const found: LoadedSeries[] = [];
  const missing: { symbol: string; interval: Interval }[] = [];
  let refused: Refusal | undefined;
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let each = wanted[next++]; each !== undefined && !signal.aborted; each = wanted[next++]) {
      const loaded = await loadSeries(market, { ...each, exchange, limit, userId, purpose: 'scan', signal });
      if (loaded.ok) found.push(loaded.value);
      else {
        missing.push(each);
        // The user's own share of the exchange: the one reason they can do something about.
        if (loaded.refusal.code === 'rate_limited') refused ??= loaded.refusal;
      }
    }
  };
  await Promise.all(Array.from({ length: LOADS_AT_ONCE }, reader));
  return { found, missing, refused };
}

/** An item for each series that is there: itself as the base, the longer intervals of its symbol beside it. */
function itemsOf(series: readonly LoadedSeries[]): { symbol: string; series: LoadedSeries[] }[] {
  const bySymbol = Map.groupBy(series, ({ symbol }) => symbol);
  return [...bySymbol].flatMap(([symbol, own]) =>
    own.map((base) => ({
      symbol,
      series: own.filter(({ interval }) => intervalMs[interval] >= intervalMs[base.interval]),
    })),
  );
}

async function scoreAll(
  { engine, now = Date.now }: FindDeps,
  symbols: readonly FuturesSymbol[],
  series: readonly LoadedSeries[],
  params: ScanParams,
  { signal, onProgress }: FindOptions,
): Promise<Outcome<Pick<Found, 'scored' | 'missing'>>> {
  const items = itemsOf(series).map((item) => ({ ...item, timeframes: timeframesOf(item.series) }));
  const rules = rulesOf(params.tuning);
  const { balance: balanceUsdt, leverage, riskTolerance, isDynamicRisk, exchange } = params;
  const sizing = sizingOf({ balanceUsdt, leverage, riskTolerance, isDynamicRisk });
  const minNotionals = new Map(symbols.map(({ symbol, minNotional }) => [symbol, minNotional]));
  const hashCandles = hashesOf(series);
  const scored: Scored[] = [];
  const missing: Found['missing'] = [];
  let done = 0;

  const take = (chunk: typeof items, { rows, engineHash }: SignalsResult): void => {
    chunk.forEach(({ symbol, timeframes }, i) => {
      const interval = timeframes[0]?.interval as Interval;
      const row: SignalRow | undefined = rows[i];
      if (row === undefined || !row.signal.ok) return void missing.push({ symbol, interval });
      const hashes = { engine: engineHash, ...signalHashes(timeframes, rules, hashCandles, fastHash) };
      const facts = { symbol, interval, exchange, leverage, computedAtMs: now(), hashes };
      scored.push({ signal: signalToWire(row.signal.value, facts), minNotional: minNotionals.get(symbol) ?? null });
    });
  };
  const chunks = Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, i) =>
    items.slice(i * CHUNK, (i + 1) * CHUNK),
  );
  let failure: TaskError | undefined;
  await Promise.all(
    chunks.map(async (chunk) => {
      const asked: SignalItem[] = chunk.map(({ symbol, timeframes }) => ({ symbol, timeframes }));
      const result = await engine.run('signals', { items: asked, rules, sizing }, { signal });
      if (!result.ok) return void (failure ??= result.error);
      take(chunk, result.value);
      done += chunk.length;
      await onProgress(done, items.length);
    }),
  );
  if (failure !== undefined) return refuse('overloaded', `The engine did not score the scan: ${failure.message}`);
  if (scored.length === 0)
    return refuse('upstream_unavailable', 'No usable candles of any symbol came from the exchange.');
  return ok({ scored, missing });
}
