import type { Observation, Sample } from './alertBook.ts';
import { type AlertCondition, levelRuleOf } from './conditions.ts';
import { decide, decideBar, type Side } from './decide.ts';

/** What a receipt stores of the decision, in the unit of the value. */
export interface Evidence {
  side_before: Side;
  value: number;
  /** Previous value; null without one. */
  before: Sample | null;
  observation: Observation;
  /** What the value was computed from, by kind of condition. */
  basis: EvidenceBasis | null;
}

export type EvidenceBasis =
  /** Change in n minutes: the close of the minute that it is measured from, and the price that it is measured to. */
  | { kind: 'change'; from: Sample; price: number }
  /** Indicator, formula or signal: the closed candles that it was computed from. */
  | {
      kind: 'candles';
      exchange: string;
      symbol: string;
      interval: string;
      close_ms: number;
      count: number;
      hash: string;
    }
  | { kind: 'prices'; buy_price: number; sell_price: number }
  | { kind: 'position'; price: number; liquidation_price: number }
  | { kind: 'story'; title: string; link: string; source: string };

export interface Recomputed {
  fires: boolean;
  /** The value that follows from the basis; the stored one where it cannot be derived from numbers. */
  value: number;
}

/** Change in percent, from the close of a minute to a price. */
export const changePct = (from: number, to: number): number => (to / from - 1) * 100;

/** Value of `change` in the direction that an alert compares. */
export const directedChange = (condition: Extract<AlertCondition, { kind: 'change' }>, pct: number): number =>
  condition.direction === 'either' ? Math.abs(pct) : pct;

/** Distance of a price to the liquidation price, percent of the price. */
export const liquidationDistancePct = (price: number, liquidationPrice: number): number =>
  (Math.abs(price - liquidationPrice) / price) * 100;

/** Derives a value again from its basis. */
function valueOf(condition: AlertCondition, { value, basis }: Evidence): number {
  if (condition.kind === 'change' && basis?.kind === 'change')
    return directedChange(condition, changePct(basis.from.value, basis.price));
  if (condition.kind === 'liquidation' && basis?.kind === 'position')
    return liquidationDistancePct(basis.price, basis.liquidation_price);
  return value;
}

/**
 * Decides again from the stored evidence, with the functions that decided on the server. `recomputedValue` replaces the stored value where
 * the caller computed it from candles.
 */
export function recompute(condition: AlertCondition, evidence: Evidence, recomputedValue?: number): Recomputed {
  const rule = levelRuleOf(condition);
  const { observation, side_before: side } = evidence;
  if (observation.source === 'candle') {
    const { fires, value } = decideBar(rule, side, observation, observation.isWhole);
    return { fires, value };
  }
  const value = recomputedValue ?? valueOf(condition, evidence);
  return { fires: decide(rule, side, value).fires, value };
}
