import { PAGE_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { type OpenFigures, openFigures } from '@sextant/workers/src/positions/openFigures.ts';
import type { WhyNoPrice } from '../../data/market.ts';
import { type PositionView, sideSign } from '../../api/positionView.ts';

/** An open position at its last price. Every figure is null without a fresh price: none is guessed. Money in USDT. */
export type Marked = { [Name in keyof OpenFigures]: OpenFigures[Name] | null } & {
  position: PositionView;
  price: number | null;
  /** Why there is no price. */
  whyNoPrice: WhyNoPrice;
  /** Notional at the price, negative for a short. */
  exposure: number | null;
};

const unknown = { pnl: null, roiPct: null, netIfClosed: null, returnOnMarginPct: null, worth: null, exposure: null };

export function mark(position: PositionView, price: number | null, whyNoPrice: WhyNoPrice = 'no_price'): Marked {
  if (price === null) return { position, price, whyNoPrice, ...unknown };
  const exposure = sideSign(position.side) * price * position.qty;
  return { position, price, whyNoPrice, ...openFigures(position, price), exposure };
}

/** Prices of an exchange, and its last confirmation of them, epoch ms. */
interface PricesOn {
  confirmedAtMs: number;
  prices: readonly { symbol: string; price: number }[];
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
  return mark(position, prices.prices.find(isOf)?.price ?? null, prices.missing.find(isOf)?.why);
}

/** Sums over the positions with a price; those without one are named. */
interface Totals {
  pnl: number;
  netIfClosed: number;
  worth: number;
  margin: number;
  /** Symbols without a fresh price, left out of every sum but the margin. */
  missing: string[];
}

export function totalsOf(list: readonly Marked[]): Totals {
  const totals: Totals = { pnl: 0, netIfClosed: 0, worth: 0, margin: 0, missing: [] };
  for (const { position, pnl, netIfClosed, worth } of list) {
    totals.margin += position.margin;
    totals.pnl += pnl ?? 0;
    totals.netIfClosed += netIfClosed ?? 0;
    totals.worth += worth ?? 0;
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
