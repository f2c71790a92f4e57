import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { EnsembleInput, EnsembleResult, EnsembleTimeframe, RuleInputs } from './ensemble.ts';
import type { SizeRejection, SizingAccount, SizingCosts, SizingMarket } from '../positions/sizing.ts';
import type { TaskResult } from './taskResult.ts';

/** Contract of the `signals` task: the ensemble of many symbols in one call, with levels, size and costs for each. */

/** Position planned at the signal's price. Simulated capital; fractions: 0.01 is 1 %. */
export interface SignalSizing extends SizingAccount, SizingCosts {
  leverage: number;
  /** Distance of the stop from the price where the user set a custom stop; null: the stop of the signal. */
  ownStopFraction: number | null;
  /** Used where no tier of the venue is known. */
  maintenanceMarginFraction: number;
}

export interface SignalItem {
  symbol: string;
  /** Its liquidation formula applies. */
  exchange: VenueId;
  /** The first one is the base, as in the ensemble. */
  timeframes: EnsembleTimeframe[];
  /** Order rules of the exchange for the symbol; absent when unknown. */
  market?: SizingMarket;
  /** The news vote at the close of the base's last candle (newsVote.ts); absent when news has no say. */
  news?: -1 | 1 | undefined;
  /** Series that own rules read beside the candles. */
  ruleInputs?: RuleInputs | undefined;
}

export interface SignalsInput {
  items: SignalItem[];
  /** The same for every item. */
  rules: Omit<EnsembleInput, 'timeframes' | 'news' | 'ruleInputs'>;
  sizing: SignalSizing;
}

export interface SignalPosition {
  leverage: number;
  /** Size at opening (positions/sizing.ts), in coins; 0 when nothing can be opened. */
  quantity: number;
  /** Share of base x leverage. */
  multiplier: number;
  refusal: SizeRejection | null;
  /** The stop is met before the liquidation price. */
  isStopNearer: boolean;
  /** quantity x price. */
  notionalUsdt: number;
  /** Isolated margin, the formula of the exchange without tiers; null without borrowed money or without a quantity. */
  liquidationPrice: number | null;
  /** Net loss when the stop is hit, costs included, USDT, > 0; null without a stop or a quantity. */
  lossAtStopUsdt: number | null;
}

/** Values at the base's last closed candle; null during warm-up. */
export interface SignalMeta {
  rsi: number | null;
  macd: number | null;
  atr: number | null;
}

export interface Signal {
  ensemble: Omit<EnsembleResult, 'scores'>;
  /** Null when the direction is NEUTRAL. */
  position: SignalPosition | null;
  meta: SignalMeta;
}

export interface SignalRow {
  symbol: string;
  /** Interval of the base. */
  interval: string;
  /** One item that cannot be scored (too few candles, mostly) leaves the others alone. */
  signal: TaskResult<Signal>;
}

export interface SignalsResult {
  rows: SignalRow[];
  engineHash: string;
}
