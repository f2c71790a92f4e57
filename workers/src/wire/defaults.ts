import { MAINTENANCE_MARGIN, SLIPPAGE, STOP_SLIPPAGE, venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { Costs } from '../protocol.ts';

/** Defaults shared by form, API and command line. No zod here: the browser bundle reads this file. */

/** The 13 backtest weights with their defaults, in the engine's vote order. */
export const defaultWeights = {
  rsi: 1.5,
  macd: 1.5,
  boll: 1.2,
  adx: 1,
  supertrend: 1.2,
  vwap: 1,
  mfi: 1,
  obv: 0.8,
  cci: 0.8,
  donchian: 0.6,
  ichimoku: 1,
  stochrsi: 0.8,
  fib: 0.6,
} as const;

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
