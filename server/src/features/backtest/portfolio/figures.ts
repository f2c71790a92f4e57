import type { PortfolioResult, PortfolioSymbol, PortfolioTrade } from '@sextant/workers/src/protocol/portfolio.ts';
import { countLargestOrders } from '@sextant/workers/src/protocol/cutSizes.ts';
import { columnToWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { CAPACITY_SHARE, EQUITY_POINTS_MAX, type PortfolioResponse, TRADES_SHOWN_MAX } from './contract.ts';
import type { LoadedSymbol } from './loadPortfolio.ts';

/** What a response shows of a portfolio run. */

/** Evenly spaced indices of `count` values, the first and the last among them. */
export function spacedIndices(count: number, most = EQUITY_POINTS_MAX): number[] {
  const shown = Math.min(count, most);
  return Array.from({ length: shown }, (_, i) => (shown === 1 ? 0 : Math.round((i * (count - 1)) / (shown - 1))));
}

export function curveOf(result: PortfolioResult): PortfolioResponse['curve'] {
  const indices = spacedIndices(result.time.length);
  const at = (column: Float64Array): number[] => indices.map((i) => column[i] ?? 0);
  const { time, equity, drawdown, longNotional, shortNotional, margin, openCount } = result;
  return {
    time: at(time),
    equity: at(equity),
    drawdown: at(drawdown),
    longNotional: at(longNotional),
    shortNotional: at(shortNotional),
    margin: at(margin),
    openCount: at(openCount),
  };
}

/**
 * Largest equal order that takes at most CAPACITY_SHARE of the turnover of its candle, over the candles of every entry and exit; null
 * without trades. Turnover is volume times close.
 */
export function capacityOf(
  trades: readonly Pick<PortfolioTrade, 'symbol' | 'entryIndex' | 'exitIndex'>[],
  symbols: readonly Pick<PortfolioSymbol, 'symbol' | 'candles'>[],
): PortfolioResponse['capacity'] {
  const candlesOf = new Map(symbols.map(({ symbol, candles }) => [symbol, candles]));
  let least: NonNullable<PortfolioResponse['capacity']> | null = null;
  for (const { symbol, entryIndex, exitIndex } of trades) {
    const candles = candlesOf.get(symbol);
    if (candles === undefined) throw new Error('a trade of a symbol that did not run');
    for (const i of [entryIndex, exitIndex]) {
      const notional = CAPACITY_SHARE * (candles.volume[i] ?? 0) * (candles.close[i] ?? 0);
      if (least === null || notional < least.notional) least = { notional, symbol };
    }
  }
  return least;
}

/** The newest trades, oldest first; they are in the order of their closes. */
export const shownTrades = (trades: readonly PortfolioTrade[]): PortfolioTrade[] => trades.slice(-TRADES_SHOWN_MAX);

export function correlationOf({ correlation }: PortfolioResult): PortfolioResponse['correlation'] {
  const { symbols, values, mean } = correlation;
  const { length } = symbols;
  return { symbols, values: symbols.map((_, k) => columnToWire(values.subarray(k * length, (k + 1) * length))), mean };
}

/** Shown beside the result. @param listedOnMs day whose stored list the symbols come from; null: what could be chosen is known only today */
export const survivorsText = (endedCount: number, listedOnMs: number | null): string =>
  listedOnMs === null
    ? todayText(endedCount)
    : `Symbols as listed on ${new Date(listedOnMs).toISOString().slice(0, 10)}. Delisted since: ${endedCount}.`;

const todayText = (endedCount: number): string =>
  endedCount === 0
    ? 'Every symbol of this run is listed today. Delisted ones are missing, so the past looks better than it was.'
    : `${endedCount} of the symbols ${endedCount === 1 ? 'has' : 'have'} been delisted since. Others may still be missing.`;

export const noBiasReason = 'The exchange lists no delisted symbol with candles here, so the bias cannot be measured.';

export const missingReason = (count: number): string =>
  `No candles of ${count} delisted ${count === 1 ? 'symbol' : 'symbols'} in this span: the bias cannot be measured.`;

export const unknownReason = (count: number): string =>
  `No stored rules of ${count} delisted ${count === 1 ? 'symbol' : 'symbols'}: the bias cannot be measured.`;

/** Symbols whose trades have the largest market order of the exchange, for the reader; empty: none. */
export function largestOrderNotes(trades: PortfolioResult['trades'], symbols: readonly LoadedSymbol[]): string[] {
  const costsOf = new Map(symbols.map(({ symbol, costs }) => [symbol, costs]));
  const bySymbol = Map.groupBy(trades, ({ symbol }) => symbol);
  const counts = [...bySymbol].map(([symbol, own]) => ({
    symbol,
    count: countLargestOrders(own, costsOf.get(symbol) ?? {}),
  }));
  const limited = counts.filter(({ count }) => count > 0);
  if (limited.length === 0) return [];
  const total = limited.reduce((sum, { count }) => sum + count, 0);
  const names = limited.map(({ symbol }) => symbol).join(', ');
  return [`${total} of ${trades.length} trades have the largest market order of the exchange: ${names}.`];
}
