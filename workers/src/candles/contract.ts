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
  /** null: not stated. */
  leverageMax: number | null;
  /** Empty: the exchange does not show them to us. */
  tiers: LeverageTier[];
}

/** Largest leverage of a position of `notional`. */
export function leverageAllowed({ leverageMax, tiers }: Pick<Contract, 'leverageMax' | 'tiers'>, notional: number) {
  const tier = tiers.findLast(({ notionalFloor }) => notionalFloor <= notional);
  return Math.floor(Math.min(leverageMax ?? LEVERAGE_MAX, tier?.leverageMax ?? LEVERAGE_MAX));
}

/** Fields of the costs that the contract sets. */
type Ruled = Required<Pick<Costs, 'liquidationModel' | 'rulesOf' | 'tickSize' | 'stepSize' | 'minNotional'>> &
  Pick<Costs, 'tiers'>;

/**
 * Costs of a run under the rules of a contract. The rules become values of the costs, so that hashes, exports and shared runs stay
 * reproducible when the exchange changes its rules. A leverage above the exchange's limit at this size is lowered to it, as in live
 * positions.
 */
export function withContract<C extends Pick<Costs, 'leverage' | 'notional'>>(costs: C, contract: Contract): C & Ruled {
  const { exchange, symbol, tickSize, stepSize, minNotional, tiers } = contract;
  const leverage = Math.min(costs.leverage, leverageAllowed(contract, costs.notional));
  return {
    ...costs,
    leverage,
    liquidationModel: exchange,
    rulesOf: { exchange, symbol, ...(leverage < costs.leverage ? { leverageAsked: costs.leverage } : {}) },
    tickSize,
    stepSize,
    minNotional,
    ...(tiers.length > 0 ? { tiers } : {}),
  };
}

/** Whether costs state rules of a contract by themselves. */
export const hasContractRules = (
  costs: Partial<Record<'tickSize' | 'stepSize' | 'minNotional' | 'tiers', unknown>>,
): boolean => [costs.tickSize, costs.stepSize, costs.minNotional, costs.tiers].some((rule) => rule !== undefined);

/** The contract whose rules the costs contain; undefined where they contain none. */
export function contractOfCosts({
  rulesOf,
  tickSize,
  stepSize,
  minNotional,
  tiers,
}: Partial<Costs>): Contract | undefined {
  if (rulesOf === undefined) return undefined;
  const { exchange, symbol } = rulesOf;
  const rules = { tickSize: tickSize ?? 0, stepSize: stepSize ?? 0, minNotional: minNotional ?? 0 };
  return { exchange, symbol, ...rules, leverageMax: tiers?.[0]?.leverageMax ?? null, tiers: tiers ?? [] };
}
