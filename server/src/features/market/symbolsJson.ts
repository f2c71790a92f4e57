import { symbolRow } from './answers.ts';
import { SymbolsAnswer } from './contract.ts';
import type { ExchangeId, FuturesSymbol, Sourced } from './port.ts';

/** The list of symbols as JSON text, checked and written once for each time it was fetched. */
export function createSymbolsJson(): (found: Sourced<FuturesSymbol[]>) => string {
  const kept = new Map<ExchangeId, { fetchedAtMs: number; count: number; text: string }>();
  return ({ exchange, fetchedAtMs, value }) => {
    const before = kept.get(exchange);
    if (before?.fetchedAtMs === fetchedAtMs && before.count === value.length) return before.text;
    const text = JSON.stringify(SymbolsAnswer.shape.symbols.parse(value.map(symbolRow)));
    kept.set(exchange, { fetchedAtMs, count: value.length, text });
    return text;
  };
}
