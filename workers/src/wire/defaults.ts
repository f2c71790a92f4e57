import { MAINTENANCE_MARGIN, SLIPPAGE, STOP_SLIPPAGE, venueFees } from '@sextant/engine-as/abi/costs.ts';
import { backtestWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import type { Costs } from '../protocol.ts';

/** Defaults shared by form, API and command line. No zod here: the browser bundle reads this file. */

export const defaultWeights = backtestWeights;

export type VoteId = keyof typeof defaultWeights;
export const voteIds = Object.keys(defaultWeights) as VoteId[];

/** Fees of Binance, lowest tier; 10x. */
export const defaultCosts = {
  takerFeeFraction: venueFees.binance.takerFeeFraction,
  makerFeeFraction: venueFees.binance.makerFeeFraction,
  slippageFraction: SLIPPAGE,
  stopSlippageFraction: STOP_SLIPPAGE,
  takeProfitOrder: 'market',
  initialEquity: 1000,
  notional: 1000,
  leverage: 10,
  maintenanceMarginFraction: MAINTENANCE_MARGIN,
  fundingSource: 'history',
  assumedFundingFraction: 0.0001,
  sameBar: 'stop',
} as const satisfies Costs;

/** Candles below which a search finds only accidents. */
export const TRAIN_BARS_MIN = 100;
