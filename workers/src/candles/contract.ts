import { LEVERAGE_MAX, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { Costs, LeverageTier } from '../protocol/backtest.ts';

/** An exchange's requirements for orders and positions in a symbol. */
export interface Contract {
  exchange: VenueId;
  symbol: string;
  /** Quote currency. */
  tickSize: number;
  /** Base units. */
  stepSize: number;
  /** Quote currency; 0: none is stated. */
  minNotional: number;
  /** Largest market order, base units; 0: none is stated. */
  maxQuantity: number;
  /** null: not stated. */
  leverageMax: number | null;
  /** null: unknown, as those of Binance without an API key. Empty: no limits. A last row of leverage 0 ends the sizes. */
  tiers: LeverageTier[] | null;
  /** When the exchange ended it, ISO 8601; absent while it is listed. */
  endedAt?: string;
}

/** Limits of a run on a contract whose tiers are unknown. */
export const unknownTiers = { leverageMax: 20, notionalEnd: 250_000 } as const;

/** The tiers that a run on such a contract takes: one maintenance rate for every size, and the limits above. */
function assumedTiers(maintenanceMarginFraction: number): LeverageTier[] {
  const flat = { maintenanceMarginFraction, maintenanceAmount: 0 };
  const { leverageMax, notionalEnd } = unknownTiers;
  return [
    { notionalFloor: 0, ...flat, leverageMax },
    { notionalFloor: notionalEnd, ...flat, leverageMax: 0 },
  ];
}

/** The notional that a position must stay below; undefined: no limit. */
export function notionalEnd(tiers: readonly LeverageTier[]): number | undefined {
  const last = tiers.at(-1);
  return last?.leverageMax === 0 ? last.notionalFloor : undefined;
}

type Limits = Pick<Contract, 'leverageMax'> & { tiers: readonly LeverageTier[] };

/** Largest leverage of a position of `notional`; 0: no position is that large. */
export function leverageAllowed({ leverageMax, tiers }: Limits, notional: number): number {
  const tier = tiers.findLast(({ notionalFloor }) => notionalFloor <= notional);
  return Math.floor(Math.min(leverageMax ?? LEVERAGE_MAX, tier?.leverageMax ?? LEVERAGE_MAX));
}

/** Order rules of a contract for a position of `notional`, by its leverage tier. `maxLeverage` 0: no position is that large. */
export const orderRules = <C extends Pick<Contract, 'leverageMax' | 'tiers'>>(contract: C, notional: number) => ({
  ...contract,
  maxLeverage: leverageAllowed({ leverageMax: contract.leverageMax, tiers: contract.tiers ?? [] }, notional),
});

/** Fields of the costs that the contract sets. */
type Ruled = Required<
  Pick<Costs, 'liquidationModel' | 'rulesOf' | 'tickSize' | 'stepSize' | 'minNotional' | 'maxQuantity' | 'tiers'>
>;
type Sized = Pick<Costs, 'leverage' | 'notional' | 'maintenanceMarginFraction'>;

/** A contract of which nothing is known: the exchange does not list the symbol, or its rules could not be loaded. */
export const unknownContract = (exchange: VenueId, symbol: string): Contract => ({
  exchange,
  symbol,
  tickSize: 0,
  stepSize: 0,
  minNotional: 0,
  maxQuantity: 0,
  leverageMax: null,
  tiers: null,
});

/**
 * Costs of a run under the rules of a contract. The rules become values of the costs, so that hashes, exports and shared runs stay
 * reproducible when the exchange changes its rules. A leverage above the exchange's limit at this size is lowered to it, as in live
 * positions. A size that no tier holds is left: the run rejects it.
 */
export function withContract<C extends Sized>(costs: C, contract: Contract): C & Ruled {
  const { exchange, symbol, tickSize, stepSize, minNotional, maxQuantity, leverageMax } = contract;
  const tiers = contract.tiers ?? assumedTiers(costs.maintenanceMarginFraction);
  const allowed = leverageAllowed({ leverageMax, tiers }, costs.notional);
  const leverage = allowed === 0 ? costs.leverage : Math.min(costs.leverage, allowed);
  return {
    ...costs,
    leverage,
    liquidationModel: exchange,
    rulesOf: {
      exchange,
      symbol,
      ...(leverage < costs.leverage ? { leverageAsked: costs.leverage } : {}),
      ...(contract.tiers === null ? { areTiersAssumed: true } : {}),
    },
    tickSize,
    stepSize,
    minNotional,
    maxQuantity,
    tiers,
  };
}

const contractFields = ['tickSize', 'stepSize', 'minNotional', 'maxQuantity', 'tiers'] as const;

/** Whether costs state rules of a contract by themselves. */
export const hasContractRules = (costs: Partial<Record<(typeof contractFields)[number], unknown>>): boolean =>
  contractFields.some((field) => costs[field] !== undefined);

/** The contract whose rules the costs contain; undefined where they contain none. */
export function contractOfCosts({
  rulesOf,
  tickSize,
  stepSize,
  minNotional = 0,
  maxQuantity = 0,
  tiers,
}: Partial<Costs>): Contract | undefined {
  if (rulesOf === undefined) return undefined;
  const { exchange, symbol, areTiersAssumed = false } = rulesOf;
  const known = areTiersAssumed ? undefined : tiers;
  const rules = { tickSize: tickSize ?? 0, stepSize: stepSize ?? 0, minNotional, maxQuantity };
  return { exchange, symbol, ...rules, leverageMax: known?.[0]?.leverageMax ?? null, tiers: known ?? null };
}

interface Margin extends Pick<Costs, 'leverage' | 'maintenanceMarginFraction'> {
  rulesOf?: { leverageAsked?: number | undefined; areTiersAssumed?: boolean | undefined } | undefined;
}

/** Shown with a run on an ended contract; empty for a listed one. */
export const endNotes = ({ endedAt }: Pick<Contract, 'endedAt'>): string[] =>
  endedAt === undefined ? [] : [`Delisted on ${endedAt.slice(0, 10)}: the run ends with its last candle.`];

/** What a run's leverage and maintenance margin assume or change, for its reader; empty: nothing. */
export function marginNotes({ rulesOf, leverage, maintenanceMarginFraction }: Margin): string[] {
  const { leverageAsked, areTiersAssumed = false } = rulesOf ?? {};
  const notes: string[] = [];
  if (leverageAsked !== undefined) {
    const most = areTiersAssumed ? 'while the leverage tiers are unknown' : 'at this position size';
    notes.push(`Leverage lowered from ${leverageAsked}x to ${leverage}x, the maximum ${most}.`);
  }
  if (areTiersAssumed) {
    const rate = Number((maintenanceMarginFraction * 100).toPrecision(12));
    notes.push(`Leverage tiers unknown: maintenance margin ${rate} % at every size.`);
  }
  return notes;
}
