import { arenaReserve } from '../memory';
import { Bar, Market, Rules } from '../records.gen';
import { barAt } from '../rows';
import { at, put } from '../series';
import { impactOf } from '../simulate/impact';
import { roundAgainst } from '../simulate/rounding';
import { fixedQuantity } from '../simulate/size';

/**
 * Prices that the sets of a search have in common: neither threshold nor levels move the fill of a notional that the account covers.
 * @returns false without memory
 */
export function writeFills(market: Market): bool {
  const frame = market.frame;
  const rules = frame.rules;
  const count = market.count;
  market.fills = 0;
  if (frame.impact === 0) return true;
  const fills = arenaReserve((<usize>count) << 4);
  if (fills === 0) return false;
  market.fills = fills;
  for (let i = 0; i < count; i++) {
    const bar = barAt(market.bars, i);
    const isWhole = rules.notional <= at(frame.entryMax, i);
    put(fills, 2 * i, isWhole ? impactedFill(rules, bar, 1, Infinity, Infinity) : NaN);
    put(fills, 2 * i + 1, isWhole ? impactedFill(rules, bar, -1, Infinity, Infinity) : NaN);
  }
  return true;
}

/** The fill of an entry at the open of a bar: as in openPosition. */
export function impactedFill(rules: Rules, bar: Bar, side: f64, available: f64, entryMax: f64): f64 {
  const tick = rules.tickSize;
  const open = bar.open;
  const impact = bar.impact;
  const price = roundAgainst(open * (1 + side * rules.slippage), tick, side);
  if (!(impact > 0)) return price;
  const quantity = fixedQuantity(rules, price, available, 1, entryMax);
  if (!(quantity > 0)) return price;
  return roundAgainst(open * (1 + side * (rules.slippage + impactOf(impact, quantity * open))), tick, side);
}
