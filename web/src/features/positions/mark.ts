import { PAGE_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import type { FillQuote } from '@sextant/workers/src/positions/marketFill.ts';
import {
  type CloseFigures,
  closeFigures,
  type OpenFigures,
  openFigures,
} from '@sextant/workers/src/positions/openFigures.ts';
import type { WhyNoPrice } from '../../data/market.ts';
import { type PositionView, sideSign } from '../../api/positionView.ts';

type Figures = OpenFigures & CloseFigures;

/**
 * An open position now: gross at its last price, net as a market order would close it. Every figure is null without a fresh price: none is
 * guessed. Money in USDT.
 */
export type Marked = { [Name in keyof Figures]: Figures[Name] | null } & {
  position: PositionView;
  price: number | null;
  /** Why there is no price. */
  whyNoPrice: WhyNoPrice;
  /** Notional at the price, negative for a short. */
  exposure: number | null;
};

const unknown = {
  price: null,
  pnl: null,
  roiPct: null,
  worth: null,
  fill: null,
  isSpreadKnown: null,
  netIfClosed: null,
  returnOnMarginPct: null,
  exposure: null,
};

export function mark(position: PositionView, quote: FillQuote | null, whyNoPrice: WhyNoPrice = 'no_price'): Marked {
  if (quote === null) return { position, whyNoPrice, ...unknown };
  const { last: price } = quote;
  const terms = { ...position, realised: position.realisedPnl };
  const exposure = sideSign(position.side) * price * position.qty;
  return { position, price, whyNoPrice, ...openFigures(terms, price), ...closeFigures(terms, quote), exposure };
}

/** Prices of an exchange, and its last confirmation of them, epoch ms. */
interface PricesOn {
  confirmedAtMs: number;
  prices: readonly { symbol: string; price: number; bid: number | null; ask: number | null }[];
  missing: readonly { symbol: string; why: WhyNoPrice }[];
}

/** A position at the price of its own exchange; without figures where that price is too old. */
export function markBy(
  position: PositionView,
  pricesOn: Readonly<Partial<Record<PositionView['exchange'], PricesOn | undefined>>>,
  nowMs: number,
): Marked {
  const prices = pricesOn[position.exchange];
  if (prices === undefined || nowMs - prices.confirmedAtMs >= PAGE_PRICE_AGE_MS_MAX) return mark(position, null);
  const isOf = ({ symbol }: { symbol: string }): boolean => symbol === position.symbol;
  const row = prices.prices.find(isOf);
  const quote = row === undefined ? null : { last: row.price, bid: row.bid, ask: row.ask };
  return mark(position, quote, prices.missing.find(isOf)?.why);
}

/** Sums over the positions with a price; those without one are named. */
interface Totals {
  pnl: number;
  netIfClosed: number;
  worth: number;
  margin: number;
  /** Positions whose exchange sends no bid and ask: closed with slippage alone. */
  withoutSpread: number;
  /** Symbols without a fresh price, left out of every sum but the margin. */
  missing: string[];
}

export function totalsOf(list: readonly Marked[]): Totals {
  const totals: Totals = { pnl: 0, netIfClosed: 0, worth: 0, margin: 0, withoutSpread: 0, missing: [] };
  for (const { position, pnl, netIfClosed, worth, isSpreadKnown } of list) {
    totals.margin += position.margin;
    totals.pnl += pnl ?? 0;
    totals.netIfClosed += netIfClosed ?? 0;
    totals.worth += worth ?? 0;
    if (isSpreadKnown === false) totals.withoutSpread += 1;
    if (worth === null && !totals.missing.includes(position.symbol)) totals.missing.push(position.symbol);
  }
  return totals;
}

interface SymbolExposure {
  symbol: string;
  /** Notional at the last price, both >= 0, USDT. */
  long: number;
  short: number;
}

/** Exposure at last prices. Positions without a price are left out; `totalsOf` names them. */
interface Exposure {
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
