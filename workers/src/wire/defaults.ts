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

/** Candles that lab and API load by themselves, and how many of the newest of them are scored. */
export const LAB_LOADED = 1200;
export const API_LOADED = 800;
export const SCORED_DEFAULT = 500;
/** Of a long history the lab scores the same share as of the standard one; in words. */
export const labScoredShare = `${SCORED_DEFAULT / 100}/${LAB_LOADED / 100} (${Math.round((100 * SCORED_DEFAULT) / LAB_LOADED)} %)`;

/** Candles below which a search finds only accidents. */
export const TRAIN_BARS_MIN = 100;
