import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';

/** Conditions of alerts, for server and page. Prices in quote currency, `pct` in percent: 2 is 2 %. */

/** `cross`: from either side. `above` and `below` also fire when the value is there from the start. */
export const comparisons = ['cross', 'above', 'below'] as const;
export type Comparison = (typeof comparisons)[number];
export const changeDirections = ['up', 'down', 'either'] as const;
export type ChangeDirection = (typeof changeDirections)[number];
export const alertDirections = ['LONG', 'SHORT', 'any'] as const;

interface OnSymbol {
  exchange: VenueId;
  symbol: string;
}

export type AlertCondition =
  | ({ kind: 'price'; when: Comparison; level: number } & OnSymbol)
  | ({ kind: 'change'; minutes: number; pct: number; direction: ChangeDirection } & OnSymbol)
  | ({
      kind: 'indicator';
      interval: IntervalName;
      indicator: string;
      params: Record<string, number>;
      output: string;
      when: Comparison;
      level: number;
    } & OnSymbol)
  | ({
      kind: 'signal';
      interval: IntervalName;
      /** A saved strategy; null: the rules of live signals. */
      strategy_id: string | null;
      direction: (typeof alertDirections)[number];
    } & OnSymbol)
  | { kind: 'spread'; symbol: string; buy: VenueId; sell: VenueId; net_pct: number; hold_hours: number }
  | ({ kind: 'funding'; when: Comparison; rate_pct: number } & OnSymbol)
  | { kind: 'liquidation'; position_id: string; distance_pct: number }
  | { kind: 'news'; symbol: string; high_impact: boolean }
  | ({ kind: 'formula'; interval: IntervalName; expression: string } & OnSymbol);
export type AlertKind = AlertCondition['kind'];
export type ConditionOf<K extends AlertKind> = Extract<AlertCondition, { kind: K }>;

export const alertKinds = [
  'price',
  'change',
  'indicator',
  'signal',
  'spread',
  'funding',
  'liquidation',
  'news',
  'formula',
] as const satisfies readonly AlertKind[];

export const alertChannels = ['page', 'push', 'email', 'telegram', 'webhook'] as const;
export type AlertChannel = (typeof alertChannels)[number];

export const alertLimits = {
  /** Alerts of one account, in every state. */
  countMax: 400,
  minutesMax: 1440,
  noteMax: 200,
  expressionMax: 500,
  /** Candles that a formula may read at each close. */
  formulaCandlesMax: 3000,
  pauseMinutesMax: 10_080,
} as const;

/** Candles that an indicator of an alert is computed from. Fixed: recomputing needs the same. */
export const INDICATOR_CANDLES = 500;

/** A value that is detected this long after its time at the exchange counts as late, ms. */
export const LATE_MS = 15_000;

/** Condition of a formula as own rules: it holds where they are long. */
const formulaLead = 'long when ';
/** Characters before the expression in its rules. */
export const FORMULA_START = formulaLead.length;
export const rulesOfFormula = (expression: string): string =>
  `${formulaLead}${expression.replaceAll(/\s+/g, ' ')}\nstop 50 %; target 50 %`;

/** The level that the value of a condition is compared with, in the unit of the value. */
export interface LevelRule {
  when: Comparison;
  level: number;
}

/** How a condition is decided from one number: 1 and 0 where it is a yes or no. */
export function levelRuleOf(condition: AlertCondition): LevelRule {
  switch (condition.kind) {
    case 'price':
    case 'indicator':
      return { when: condition.when, level: condition.level };
    case 'funding':
      return { when: condition.when, level: condition.rate_pct };
    case 'change':
      return condition.direction === 'down'
        ? { when: 'below', level: -condition.pct }
        : { when: 'above', level: condition.pct };
    case 'spread':
      return { when: 'above', level: condition.net_pct };
    case 'liquidation':
      return { when: 'below', level: condition.distance_pct };
    default:
      return { when: 'above', level: 1 };
  }
}
