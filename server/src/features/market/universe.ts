import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from '@sextant/workers/src/signals/signalRules.ts';
import type { FuturesSymbol } from './port.ts';

/** Selects the symbols of a scan, and the reasons for excluded ones. */

export type UniverseFilter =
  | 'unknown'
  | 'halted'
  | 'blacklist'
  | 'whitelist'
  | 'listing_age'
  | 'turnover'
  | 'spread'
  | 'universe_limit';

export interface UniverseFacts {
  symbols: readonly FuturesSymbol[];
  /** USDT traded in 24 hours, by symbol; the filter is skipped for a missing symbol. */
  turnoverUsdt: ReadonlyMap<string, number>;
  /** (ask - bid) / bid by symbol, likewise. */
  spreadFraction: ReadonlyMap<string, number>;
}

export interface UniverseRules {
  /** Named by the caller; all when absent. */
  symbols?: readonly string[];
  whitelist: readonly string[];
  blacklist: readonly string[];
  symbolsMax: number;
  nowMs: number;
}

export interface Universe {
  /** Largest turnover first. */
  chosen: FuturesSymbol[];
  /** Every other symbol with the first rule it failed. */
  left: { symbol: string; filteredBy: UniverseFilter }[];
}

/** The blacklist has priority. Named and whitelisted symbols are not filtered by age, turnover or spread. */
export function chooseUniverse(facts: UniverseFacts, rules: UniverseRules): Universe {
  const named = new Set([...(rules.symbols ?? []), ...(rules.symbols === undefined ? rules.whitelist : [])]);
  const blacklist = new Set(rules.blacklist);
  const known = new Set(facts.symbols.map(({ symbol }) => symbol));
  const unknown = [...named].filter((symbol) => !known.has(symbol));
  const left: Universe['left'] = unknown.map((symbol) => ({ symbol, filteredBy: 'unknown' }));
  const passed: FuturesSymbol[] = [];
  for (const each of facts.symbols) {
    const filteredBy = reasonAgainst(each, facts, { ...rules, named, blacklist });
    if (filteredBy === undefined) passed.push(each);
    else left.push({ symbol: each.symbol, filteredBy });
  }
  const turnover = ({ symbol }: FuturesSymbol): number => facts.turnoverUsdt.get(symbol) ?? 0;
  passed.sort((a, b) => turnover(b) - turnover(a) || (a.symbol < b.symbol ? -1 : 1));
  for (const { symbol } of passed.splice(rules.symbolsMax)) left.push({ symbol, filteredBy: 'universe_limit' });
  return { chosen: passed, left };
}

function reasonAgainst(
  { symbol, status, listedAtMs }: FuturesSymbol,
  { turnoverUsdt, spreadFraction }: UniverseFacts,
  { named, blacklist, nowMs }: { named: Set<string>; blacklist: Set<string>; nowMs: number },
): UniverseFilter | undefined {
  if (blacklist.has(symbol)) return 'blacklist';
  if (named.size > 0 && !named.has(symbol)) return 'whitelist';
  if (status !== 'trading') return 'halted';
  if (named.has(symbol)) return undefined;
  if (listedAtMs !== null && nowMs - listedAtMs < LISTING_DAYS_MIN * DAY_MS) return 'listing_age';
  if ((turnoverUsdt.get(symbol) ?? Infinity) < TURNOVER_USDT_MIN) return 'turnover';
  if ((spreadFraction.get(symbol) ?? 0) > SPREAD_FRACTION_MAX) return 'spread';
  return undefined;
}
