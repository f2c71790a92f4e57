import { hash, toUniform } from './hash.ts';
import type { Market } from './seededMarket.ts';
import type { Listing } from './venues.ts';

/** One level: whole ticks, and whole quantity steps of the listing (hundredths of a contract on OKX). */
export interface BookLevel {
  ticks: number;
  lots: number;
}

export interface Book {
  /** Best first. */
  bids: BookLevel[];
  asks: BookLevel[];
}

/** Part of a day's turnover that rests on the best level; deeper levels hold more. */
const BEST_SHARE = 1.5e-6;
/** An order of less is not worth a level, quote currency. */
const LEAST_NOTIONAL = 120;
/** Books change once a second, like the quotes. */
const CHANGES_MS = 1000;

/** Around the quote of this moment, thicker away from it. The same moment gives the same book. */
export function bookOf(market: Market, listing: Listing, nowMs: number, levels: number): Book {
  const { bid, ask } = market.quote(listing, nowMs);
  const second = Math.floor(nowMs / CHANGES_MS);
  const seed = listing.instrument.seed ^ hash(listing.id.length, listing.priceDecimals);
  const unit = listing.venue === 'okx' ? listing.contractValue / 100 : 10 ** -listing.quantityDecimals;
  const best = Math.max(LEAST_NOTIONAL, listing.instrument.dailyTurnover * listing.turnoverShare * BEST_SHARE);
  const side = (from: number, sign: 1 | -1): BookLevel[] => {
    const out: BookLevel[] = [];
    let ticks = from;
    for (let level = 0; level < levels && ticks > 0; level++) {
      const u = toUniform(hash(seed, second, level * 2 + (sign > 0 ? 1 : 0)));
      const notional = best * (0.4 + 1.2 * u) * (1 + level * 0.35);
      const price = ticks / 10 ** listing.priceDecimals;
      out.push({ ticks, lots: Math.max(1, Math.round(notional / price / unit)) });
      ticks += sign * (1 + Math.floor(3 * toUniform(hash(seed, second >> 3, level * 2 + (sign > 0 ? 1 : 0) + 999))));
    }
    return out;
  };
  return { bids: side(bid, -1), asks: side(ask, 1) };
}
