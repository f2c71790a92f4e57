import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { fundingByBar } from '../backtest/funding.ts';
import type { Funding } from '../backtest/position.ts';
import type { TwinVotes } from '../votes.ts';

export const VOTE_COUNT = 13;

/** One symbol, prepared once for many parameter sets. */
export interface TwinMarket {
  candles: Candles;
  costs: Costs;
  funding: Funding;
  /** VOTE_COUNT votes of candle 0, then of candle 1, ... */
  votes: Int8Array;
  /** First defined candle of each vote. */
  first: Int32Array;
}

export function marketTwin(candles: Candles, costs: Costs, { columns, first }: TwinVotes): TwinMarket {
  const votes = new Int8Array(candles.close.length * VOTE_COUNT);
  columns.forEach((column, k) => {
    for (let i = 0; i < column.length; i++) votes[i * VOTE_COUNT + k] = column[i] as number;
  });
  return { candles, costs, funding: fundingByBar(candles, costs), votes, first: Int32Array.from(first) };
}
