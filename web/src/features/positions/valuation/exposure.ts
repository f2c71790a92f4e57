import type { Marked } from './mark.ts';

export interface SymbolExposure {
  symbol: string;
  /** Notional at the last price, both >= 0, USDT. */
  long: number;
  short: number;
}

/** What is at stake, at last prices. Positions without one are left out; `mark.totalsOf` names them. */
export interface Exposure {
  long: number;
  short: number;
  gross: number;
  net: number;
  /** Largest gross first. */
  bySymbol: SymbolExposure[];
}

export function exposureOf(list: readonly Marked[]): Exposure {
  const bySymbol = new Map<string, SymbolExposure>();
  let long = 0;
  let short = 0;
  for (const { position, exposure } of list) {
    if (exposure === null) continue;
    const row = bySymbol.get(position.symbol) ?? { symbol: position.symbol, long: 0, short: 0 };
    bySymbol.set(position.symbol, row);
    row.long += Math.max(exposure, 0);
    row.short += Math.max(-exposure, 0);
    long += Math.max(exposure, 0);
    short += Math.max(-exposure, 0);
  }
  const grossOf = (row: SymbolExposure): number => row.long + row.short;
  return {
    long,
    short,
    gross: long + short,
    net: long - short,
    bySymbol: [...bySymbol.values()].sort((a, b) => grossOf(b) - grossOf(a)),
  };
}
