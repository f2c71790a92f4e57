import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import { SymbolsResponse } from './contract.ts';
import type { ExchangeId, FuturesSymbol, Market, Sourced } from './port.ts';
import { symbolRow } from './responses.ts';

/** The list of symbols as JSON text, validated and encoded once per fetch. */
export function createSymbolsJson(): (result: Sourced<FuturesSymbol[]>) => string {
  const cache = new Map<ExchangeId, { fetchedAtMs: number; count: number; text: string }>();
  return ({ exchange, fetchedAtMs, value }) => {
    const before = cache.get(exchange);
    if (before?.fetchedAtMs === fetchedAtMs && before.count === value.length) return before.text;
    const text = JSON.stringify(SymbolsResponse.shape.symbols.parse(value.map(symbolRow)));
    cache.set(exchange, { fetchedAtMs, count: value.length, text });
    return text;
  };
}

/** The symbols by the turnover of 24 hours, largest first; those without one last. */
export async function byTurnover(
  market: Market,
  list: Sourced<FuturesSymbol[]>,
): Promise<Outcome<Sourced<FuturesSymbol[]>>> {
  const turnovers = await market.turnovers({ exchange: list.exchange });
  if (!turnovers.ok) return turnovers;
  const rankOf = new Map(turnovers.value.value.map(({ symbol }, rank) => [symbol, rank]));
  const at = ({ symbol }: FuturesSymbol): number => rankOf.get(symbol) ?? rankOf.size;
  // Either list may be newer: the text is another one then.
  const fetchedAtMs = list.fetchedAtMs + turnovers.value.fetchedAtMs;
  return ok({ ...list, fetchedAtMs, value: list.value.toSorted((a, b) => at(a) - at(b)) });
}
