import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { DAY_MS, intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { symbolsOf } from '@sextant/workers/src/signals/openingRules.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import type { History } from '../../history/port.ts';
import { endedSymbol } from '../../history/withEndedContracts.ts';
import type { ExchangeId, FuturesSymbol, Market } from '../../market/port.ts';
import { chooseUniverse } from '../../market/universe.ts';
import { readUniverse } from '../../scan/findSignals.ts';
import type { Auto } from './autoOf.ts';
import type { PortfolioBody } from './contract.ts';
import type { LeftOutSymbol } from './loadPortfolio.ts';

export type UniverseHistory = Pick<History, 'readUniverse' | 'readListings' | 'readListing' | 'readDay'>;

export interface ChooseDeps {
  market: Market;
  /** Lists and daily candles of the past; absent in the sandbox. */
  history?: UniverseHistory;
  now?: () => number;
}

export interface Chosen {
  listings: FuturesSymbol[];
  leftOut: LeftOutSymbol[];
  /** Start of the UTC day whose stored list the symbols come from; null: named, or the list of today. */
  listedOnMs: number | null;
}

export interface ChooseFor {
  auto: Auto;
  interval: IntervalName;
  signal: AbortSignal;
}

/** An older list is not the universe of the day. */
const LIST_AGE_MAX_MS = 7 * DAY_MS;
/** Turnovers of fewer symbols rank nothing. */
const RANKED_SHARE_MIN = 0.9;

/** The named symbols; without names the universe of a scan at the start of the test, or of today while no list of that time is stored. */
export async function chooseSymbols(
  deps: ChooseDeps,
  { exchange, symbols: named, endTime, limit }: PortfolioBody,
  { auto: { settings }, interval, signal }: ChooseFor,
): Promise<Outcome<Chosen>> {
  if (named !== undefined) return chooseNamed(deps, exchange, named, signal);
  const { market, history, now = Date.now } = deps;
  const lists = { whitelist: symbolsOf(settings.whitelist), blacklist: symbolsOf(settings.blacklist) };
  const symbolsMax = Math.min(PORTFOLIO_SYMBOLS_MAX, settings.max_symbols);
  const startMs = (endTime ?? now()) - limit * intervalMs[interval];
  const past =
    history === undefined
      ? null
      : await readPast({ market, history }, { exchange, startMs, ...lists, symbolsMax, signal });
  if (past !== null && past.listings.length > 0) return ok(past);
  const filter = { exchange, symbols: null, ...lists, maxSymbols: symbolsMax };
  const universe = await readUniverse({ market, now }, filter, signal);
  if (!universe.ok) return universe;
  const { chosen: listings } = universe.value;
  return listings.length > 0
    ? ok({ listings, leftOut: [], listedOnMs: null })
    : reject('validation_failed', 'Your symbol filters leave no symbol. Name some, or change the filters.', {
        field: 'symbols',
      });
}

/** Listed symbols, and ended ones that a stored list had. */
async function chooseNamed(
  { market, history }: ChooseDeps,
  exchange: ExchangeId,
  named: readonly string[],
  signal: AbortSignal,
): Promise<Outcome<Chosen>> {
  const listed = await market.symbols({ exchange, signal });
  if (!listed.ok) return listed;
  const bySymbol = new Map(listed.value.value.map((each) => [each.symbol, each]));
  for (const name of named) {
    if (bySymbol.has(name) || history === undefined) continue;
    const stored = await history.readListing(exchange, name);
    const ended = stored.ok && stored.value !== null ? endedSymbol(stored.value) : null;
    if (ended !== null) bySymbol.set(name, ended);
  }
  const leftOut = named.filter((name) => !bySymbol.has(name)).map((symbol) => ({ symbol, reason: 'unknown' as const }));
  const listings = named.flatMap((name) => bySymbol.get(name) ?? []);
  const [first] = named;
  return listings.length > 0
    ? ok({ listings, leftOut, listedOnMs: null })
    : reject('symbol_unknown', `${first ?? ''} is not traded on this exchange.`, { field: 'symbols' });
}

interface PastFilter {
  exchange: ExchangeId;
  /** Epoch ms. */
  startMs: number;
  whitelist: readonly string[];
  blacklist: readonly string[];
  symbolsMax: number;
  signal: AbortSignal;
}

/**
 * The universe by what was known at the start of the test: the list and the turnover of the day before. Null without a stored list or
 * stored turnovers of that time, and once the request is cancelled.
 */
async function readPast(
  { market, history }: { market: Market; history: UniverseHistory },
  { exchange, startMs, whitelist, blacklist, symbolsMax, signal }: PastFilter,
): Promise<Chosen | null> {
  const isCancelled = (): boolean => signal.aborted;
  const dayBeforeMs = Math.floor(startMs / DAY_MS) * DAY_MS - DAY_MS;
  const list = await history.readUniverse(exchange, dayBeforeMs);
  if (isCancelled() || !list.ok || list.value === null || list.value.day < dayBeforeMs - LIST_AGE_MAX_MS) return null;
  const { day, symbols } = list.value;
  const [today, stored] = await Promise.all([market.symbols({ exchange, signal }), history.readListings(exchange)]);
  if (isCancelled() || !today.ok || !stored.ok) return null;
  const bySymbol = new Map(stored.value.flatMap((each) => endedSymbol(each) ?? []).map((each) => [each.symbol, each]));
  for (const each of today.value.value) bySymbol.set(each.symbol, each);
  const read = await history.readDay(exchange, symbols, dayBeforeMs);
  if (isCancelled() || !read.ok || read.value.size < RANKED_SHARE_MIN * symbols.length) return null;
  const turnoverUsdt = new Map(Array.from(read.value, ([symbol, { close, volume }]) => [symbol, close * volume]));
  // All of them traded on that day, whatever became of them.
  const known = symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []);
  const then = known.map((each) => ({ ...each, status: 'trading' as const }));
  const facts = { symbols: then, turnoverUsdt, spreadFraction: new Map<string, number>() };
  const { chosen } = chooseUniverse(facts, { whitelist, blacklist, symbolsMax, nowMs: startMs });
  // Gone today, and without stored rules: they cannot take part, and the run must not look as if nothing had been delisted.
  const [white, black] = [new Set(whitelist), new Set(blacklist)];
  const unknown = symbols.filter((symbol) => !bySymbol.has(symbol) && !black.has(symbol));
  const leftOut = unknown
    .filter((symbol) => white.size === 0 || white.has(symbol))
    .map((symbol) => ({ symbol, reason: 'unknown' as const }));
  return { listings: chosen, leftOut, listedOnMs: day };
}
