import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { ExchangeId } from '../../market/port.ts';
import { type CoinQuote, grossPctOf, netPctAtBest } from '../spreads.ts';
import { takerFeesOf } from '../takerFees.ts';
import type { Watched } from '../watchRepository.ts';
import { SAMPLE_SKEW_MS } from './limits.ts';
import type { CoinQuotes } from './universe.ts';

/** A pair must stay below its level this long before it can alert again, ms. */
const REARM_MS = 60_000;

/** A change of a watch to store; a crossing above the level is also notified. */
export type Crossing =
  | { watch: Watched; isAbove: true; buyPrice: number; sellPrice: number; netPct: number }
  | { watch: Watched; isAbove: false };

interface Level {
  watch: Watched;
  lastAboveMs: number;
}

/** Compares watched pairs with their levels. Reports a change until `set` delivers the stored watch with that change. */
export class WatchLevels {
  #levels = new Map<string, Level>();

  set(watches: readonly Watched[], nowMs: number): void {
    const before = this.#levels;
    this.#levels = new Map(
      watches.map((watch) => [watch.id, { watch, lastAboveMs: before.get(watch.id)?.lastAboveMs ?? nowMs }]),
    );
  }

  check(kernel: Engine, quotes: CoinQuotes, nowMs: number): Crossing[] {
    const crossings: Crossing[] = [];
    for (const level of this.#levels.values()) {
      const { watch } = level;
      const match = quotes.get(watch.symbol.replace(/USDT$/, ''));
      const [buy, sell] = [match?.[watch.buy], match?.[watch.sell]];
      if (buy === undefined || sell === undefined || Math.abs(buy.atMs - sell.atMs) > SAMPLE_SKEW_MS) continue;
      const netPct = netOf(kernel, watch, buy, sell, nowMs);
      if (netPct > watch.netPct) {
        level.lastAboveMs = nowMs;
        if (!watch.isAbove) crossings.push({ watch, isAbove: true, buyPrice: buy.ask, sellPrice: sell.bid, netPct });
      } else if (watch.isAbove && nowMs - level.lastAboveMs >= REARM_MS) {
        crossings.push({ watch, isAbove: false });
      }
    }
    return crossings;
  }
}

function netOf(
  kernel: Engine,
  { takerFees, holdHours, netPct, ...watch }: Watched,
  buy: CoinQuote,
  sell: CoinQuote,
  nowMs: number,
): number {
  const pair = { buy, sell, grossPct: grossPctOf(buy, sell) };
  // Net never exceeds gross.
  if (pair.grossPct <= netPct) return pair.grossPct;
  const given: Partial<Record<ExchangeId, number>> = { [watch.buy]: takerFees.buy, [watch.sell]: takerFees.sell };
  return netPctAtBest(kernel, pair, { takerFees: takerFeesOf(given), holdHours, nowMs });
}
