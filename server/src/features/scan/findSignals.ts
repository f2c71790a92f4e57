import type { TaskError } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { EnsembleTimeframe, RuleInputs } from '@sextant/workers/src/protocol/ensemble.ts';
import type { SignalRow, SignalsResult } from '@sextant/workers/src/protocol/signals.ts';
import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { readsOf } from '@sextant/workers/src/rules/liveInputs.ts';
import { scanRulesOf, signalSizing } from '@sextant/workers/src/signals/signalRules.ts';
import { itemHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { AiCheckDeps } from '../aicheck/runAiCheck.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { type ApiErrorCode, type Outcome, type Rejection, reject } from '../../platform/errors.ts';
import type { FuturesSymbol, Interval, Market, PriceQuote } from '../market/port.ts';
import { newsSayOf, type NewsVotes } from '../news/newsVotes.ts';
import { type ConfidenceBases, type ConfidenceBasis, unmeasured } from '../signals/confidenceBasis.ts';
import { fastHash, hashesOf, loadSeries, type LoadedSeries } from '../signals/candles.ts';
import { marketRules } from '../signals/marketRules.ts';
import { loadRuleInputs } from '../signals/ruleInputs.ts';
import { checkStoredRules } from '../signals/storedRules.ts';
import { timeframesOf } from '../signals/rules.ts';
import { signalToWire } from '../signals/wire.ts';
import type { Scored } from './candidates.ts';
import type { ScanParams } from './contract.ts';
import { createLimitWait, type Pause } from './waitForLimit.ts';
import { chooseUniverse, type Universe, type UniverseFilter } from '../market/universe.ts';

export interface FindDeps {
  market: Market;
  engine: EnginePool;
  aiCheck: Omit<AiCheckDeps, 'db'>;
  newsVotes: Pick<NewsVotes, 'read'>;
  confidences: ConfidenceBases;
  now?: () => number;
  /** Waits for our own request limit; a timer when absent. */
  pause?: Pause;
}

export interface ScanFindings {
  universe: Universe;
  scored: Scored[];
  /** `SYMBOL interval` of every series that could not be scored. */
  missing: { symbol: string; interval: Interval }[];
  oldestFetchMs: number;
  /** Basis of confidence, for each interval. */
  confidence: ConfidenceBasis[];
  timing: { candles_ms: number; engine_ms: number };
}

export interface FindOptions {
  userId: string;
  signal: AbortSignal;
  /** Called after each loaded series, and between parts of the scoring; rejects when the scan must end. */
  onProgress: (done: number, total: number) => Promise<void>;
  /** Maps from past outcomes of the saved strategy that decides. */
  ownBases?: readonly ConfidenceBasis[];
}

/** Series loaded at once: enough to hide network latency, few enough for the exchange's limits. */
const LOADS_AT_ONCE = 12;
/** Symbols of one engine task: with three intervals about 20 ms of a thread, so that other tasks run in between. */
const CHUNK_SYMBOLS = 20;

/** The part of a scan without credit and database: universe, candles, engine. */
export async function findSignals(
  deps: FindDeps,
  params: ScanParams,
  options: FindOptions,
): Promise<Outcome<ScanFindings>> {
  const startedAt = performance.now();
  // A scan queued before an update may hold a text that this version no longer compiles.
  const isRunnable = params.strategy === undefined ? ok(null) : checkStoredRules(params.strategy);
  if (!isRunnable.ok) return isRunnable;
  const universe = await readUniverse(deps, params, options.signal);
  if (!universe.ok) return universe;
  if (universe.value.chosen.length === 0) return reject('no_result', nothingLeftMessage(universe.value));
  const series = await loadAll(deps, universe.value.chosen, params, options);
  const busy = series.busy === undefined ? undefined : busyRejection(series.busy, params);
  if (busy !== undefined && series.found.length === 0) return failWith(busy);
  const candlesMs = performance.now() - startedAt;
  const inputs = await loadInputs(deps.market, series.found, params, options);
  const scored = await scoreAll(deps, universe.value.chosen, series.found, params, { ...options, inputs });
  if (!scored.ok) return busy !== undefined && scored.error.code === 'upstream_unavailable' ? failWith(busy) : scored;
  return ok({
    universe: universe.value,
    scored: scored.value.scored,
    missing: [...series.missing, ...scored.value.missing],
    confidence: scored.value.confidence,
    oldestFetchMs: Math.min(...series.found.map(({ fetchedAtMs }) => fetchedAtMs)),
    timing: { candles_ms: candlesMs, engine_ms: performance.now() - startedAt - candlesMs },
  });
}

const filterWords: Record<UniverseFilter, string> = {
  unknown: 'not known to the exchange',
  halted: 'not trading now',
  blacklist: 'on your blacklist',
  whitelist: 'not on your whitelist or not named',
  listing_age: 'listed too recently',
  turnover: 'below the turnover minimum',
  spread: 'above the spread maximum',
  universe_limit: 'beyond your universe size limit',
};

/** `The filters left no symbol to scan: 1 on your blacklist, 340 not on your whitelist or not named.` */
function nothingLeftMessage({ left }: Universe): string {
  const counts = Map.groupBy(left, ({ filteredBy }) => filteredBy);
  const parts = [...counts].map(([filter, symbols]) => `${symbols.length} ${filterWords[filter]}`);
  return `The filters left no symbol to scan: ${parts.length === 0 ? 'the exchange lists none' : parts.join(', ')}.`;
}

/** Symbols that a scan with these filters reads. */
export async function readUniverse(
  { market, now = Date.now }: Pick<FindDeps, 'market' | 'now'>,
  params: Pick<ScanParams, 'exchange' | 'symbols' | 'whitelist' | 'blacklist' | 'maxSymbols'>,
  signal: AbortSignal,
): Promise<Outcome<Universe>> {
  const { exchange } = params;
  const symbols = await market.symbols({ exchange, signal });
  if (!symbols.ok) return symbols;
  const trading = symbols.value.value.filter(({ status }) => status === 'trading').map(({ symbol }) => symbol);
  // Named symbols are not filtered by spread, and most of those lists would have to be fetched.
  const isNamed = params.symbols !== null || params.whitelist.length > 0;
  const [quotes, turnovers] = await Promise.all([
    isNamed ? undefined : market.prices({ exchange, symbols: trading, signal }),
    market.turnovers({ exchange, signal }),
  ]);
  const facts = {
    symbols: symbols.value.value,
    // Symbols with unavailable data are not excluded for it.
    turnoverUsdt: new Map(
      turnovers.ok ? turnovers.value.value.map(({ symbol, turnoverUsdt }) => [symbol, turnoverUsdt]) : [],
    ),
    spreadFraction: new Map(quotes?.ok === true ? quotes.value.value.flatMap(spreadOf) : []),
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

/** The share of the user, or of this server, of the exchange's limit is used up: a later scan loads what this one could not. */
const busyCodes: ReadonlySet<string> = new Set<ApiErrorCode>(['rate_limited', 'upstream_rate_limited']);
const waitOf = (rejection: Rejection | undefined): number =>
  rejection === undefined ? -1 : (rejection.retryAfterS ?? 0);

/** The message about the user's own requests is about a scan, too; the other one is about one request of many. */
function busyRejection(rejection: Rejection, { exchange }: Pick<ScanParams, 'exchange'>): Rejection {
  const { code, retryAfterS } = rejection;
  if (code === 'rate_limited') return rejection;
  const wait = retryAfterS === undefined ? 'a minute' : `${retryAfterS} s`;
  const name = exchangeNames[exchange];
  const reason = rejection.isOwnLimit === true ? `Our request limit for ${name} is used up` : `${name} was busy`;
  return { ...rejection, message: `${reason}. Scan again in ${wait}.` };
}

async function loadAll(
  { market, pause }: Pick<FindDeps, 'market' | 'pause'>,
  symbols: readonly FuturesSymbol[],
  { exchange, intervals, limit }: ScanParams,
  { userId, signal, onProgress }: FindOptions,
) {
  const wanted = symbols.flatMap(({ symbol }) => intervals.map((interval) => ({ symbol, interval })));
  const matches: LoadedSeries[] = [];
  const missing: { symbol: string; interval: Interval }[] = [];
  const whenFree = createLimitWait(signal, pause);
  let busy: Rejection | undefined;
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let each = wanted[next++]; each !== undefined && !signal.aborted; each = wanted[next++]) {
      const request = { ...each, exchange, limit, userId, purpose: 'scan', signal } as const;
      const loaded = await whenFree(() => loadSeries(market, request));
      if (loaded.ok) matches.push(loaded.value);
      else {
        missing.push(each);
        if (busyCodes.has(loaded.error.code) && waitOf(loaded.error) > waitOf(busy)) busy = loaded.error;
      }
      await onProgress(matches.length + missing.length, wanted.length);
    }
  };
  const stopOthers = (): void => void (next = wanted.length);
  await Promise.all(Array.from({ length: LOADS_AT_ONCE }, () => reader().finally(stopOthers)));
  return { found: matches, missing, busy };
}

const NOT_PUBLISHED =
  'The exchange has not published the fundings or mark prices of this candle. Scan again in a minute.';

/** By symbol: what own rules read beside the candles; null where it is unavailable. Undefined when they read candles alone. */
type InputsBySymbol = Map<string, RuleInputs | null> | undefined;

async function loadInputs(
  market: Market,
  series: readonly LoadedSeries[],
  { exchange, strategy }: ScanParams,
  { userId, signal }: FindOptions,
): Promise<InputsBySymbol> {
  if (strategy === undefined || !Object.values(readsOf(strategy.value)).some(Boolean)) return undefined;
  const [first] = strategy.value.intervals;
  const bases = series.filter(({ interval }) => interval === first?.interval);
  const inputs: InputsBySymbol = new Map();
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let each = bases[next++]; each !== undefined && !signal.aborted; each = bases[next++]) {
      const { symbol, interval, candles } = each;
      const request = { exchange, symbol, userId, purpose: 'scan', signal, interval, candles } as const;
      inputs.set(symbol, (await loadRuleInputs(market, strategy.value, request)) ?? null);
    }
  };
  await Promise.all(Array.from({ length: LOADS_AT_ONCE }, reader));
  return inputs;
}

interface Item {
  symbol: string;
  timeframes: EnsembleTimeframe[];
}

/**
 * One item per available series: the series as base, with the longer intervals of its symbol. A saved strategy has one base, and reads all
 * of its intervals: with a part of them the score would be that of other rules. Split into parts, one engine task each; items of one symbol
 * stay together, as they share its candles.
 * @returns `incomplete`: bases of the symbols that lack another interval of the strategy
 */
function partsOf(
  series: readonly LoadedSeries[],
  strategy: Strategy | undefined,
): { parts: Item[][]; incomplete: ScanFindings['missing'] } {
  const bySymbol = [...Map.groupBy(series, ({ symbol }) => symbol)];
  const isComplete = (own: readonly LoadedSeries[]): boolean =>
    strategy === undefined ||
    strategy.intervals.every(({ interval }) => own.some((each) => each.interval === interval));
  // A missing base is reported where it could not be loaded.
  const incomplete = bySymbol.flatMap(([, own]) =>
    isComplete(own) ? [] : own.filter(({ interval }) => interval === strategy?.intervals[0]?.interval),
  );
  const complete = bySymbol.filter(([, own]) => isComplete(own));
  const symbols = complete.map(([symbol, own]) =>
    own
      .filter((each) => strategy === undefined || each.interval === strategy.intervals[0]?.interval)
      .map((base) => {
        const longer = own.filter(({ interval }) => intervalMs[interval] >= intervalMs[base.interval]);
        return { symbol, timeframes: timeframesOf(longer, strategy) };
      }),
  );
  const partCount = Math.ceil(symbols.length / CHUNK_SYMBOLS);
  const parts = Array.from({ length: partCount }, (_, i) =>
    symbols.slice(i * CHUNK_SYMBOLS, (i + 1) * CHUNK_SYMBOLS).flat(),
  );
  return { parts, incomplete: incomplete.map(({ symbol, interval }) => ({ symbol, interval })) };
}

/** Outcomes of other rules do not apply to a saved strategy: its confidence is the score until it has enough outcomes. */
function basisOf(
  confidences: ConfidenceBases,
  interval: Interval,
  { strategy }: ScanParams,
  { ownBases = [] }: FindOptions,
): ConfidenceBasis {
  if (strategy === undefined) return confidences.of(interval);
  return ownBases.find((each) => each.interval === interval) ?? unmeasured(interval, strategy.version);
}

async function scoreAll(
  { engine, aiCheck, newsVotes, confidences, now = Date.now }: FindDeps,
  symbols: readonly FuturesSymbol[],
  series: readonly LoadedSeries[],
  params: ScanParams,
  options: FindOptions & { inputs: InputsBySymbol },
): Promise<Outcome<Pick<ScanFindings, 'scored' | 'missing' | 'confidence'>>> {
  const { signal, onProgress, inputs } = options;
  const rules = scanRulesOf(params);
  const { leverage, exchange } = params;
  const bySymbol = new Map(symbols.map((each) => [each.symbol, each]));
  const hasModel = aiCheck.model !== undefined;
  const hashItem = itemHashes(rules, hashesOf(series), fastHash);
  await confidences.refresh();
  // One set of maps for the whole scan: newer ones may arrive while it runs.
  const bases = new Map(
    params.intervals.map((each) => [each as Interval, basisOf(confidences, each, params, options)]),
  );
  const scored: Scored[] = [];
  const missing: ScanFindings['missing'] = [];
  const withNews = ({ symbol, timeframes }: Item) => {
    const news = newsSayOf(newsVotes, symbol, timeframes);
    return { item: { symbol, timeframes, news: news.vote, ruleInputs: inputs?.get(symbol) ?? undefined }, news };
  };
  const isReady = ({ symbol, timeframes }: Item): boolean => {
    if (inputs === undefined || inputs.get(symbol) != null) return true;
    missing.push({ symbol, interval: timeframes[0]?.interval as Interval });
    return false;
  };

  const take = (part: readonly ReturnType<typeof withNews>[], { rows, engineHash }: SignalsResult): void => {
    part.forEach(({ item, news }, i) => {
      const { symbol, timeframes } = item;
      const interval = timeframes[0]?.interval as Interval;
      const row: SignalRow | undefined = rows[i];
      if (row === undefined || !row.signal.ok) return void missing.push({ symbol, interval });
      const hashes = { engine: engineHash, ...hashItem(item) };
      const limits = marketRules(bySymbol.get(symbol));
      const basis = bases.get(interval) ?? basisOf(confidences, interval, params, options);
      const said = { news, basis, hashes, hasModel };
      const facts = { symbol, interval, exchange, leverage, limits, computedAtMs: now(), ...said };
      const isStopNearer = row.signal.value.position?.isStopNearer ?? true;
      scored.push({ signal: signalToWire(row.signal.value, facts), isStopNearer });
    });
  };
  const { parts, incomplete } = partsOf(series, params.strategy?.value);
  missing.push(...incomplete);
  let failure: TaskError | undefined;
  await Promise.all(
    parts.map(async (part) => {
      const judged = part.filter(isReady).map(withNews);
      const items = judged.map(({ item }) => ({ ...item, exchange, market: marketRules(bySymbol.get(item.symbol)) }));
      const result = await engine.run('signals', { items, rules, sizing: signalSizing(params) }, { signal });
      if (!result.ok) return void (failure ??= result.error);
      take(judged, result.value);
      await onProgress(series.length, series.length);
    }),
  );
  if (failure !== undefined) return reject('overloaded', `The engine did not score the scan: ${failure.message}`);
  if (scored.length === 0) return rejectUnscored(inputs);
  return ok({ scored, missing, confidence: [...bases.values()] });
}

function rejectUnscored(inputs: InputsBySymbol): Outcome<never> {
  const isWaiting = inputs !== undefined && [...inputs.values()].every((each) => each === null);
  return reject(
    'upstream_unavailable',
    isWaiting ? NOT_PUBLISHED : 'The exchange sent no valid candles for any symbol.',
  );
}
