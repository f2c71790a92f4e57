import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { holdTrade, type Exits, type Outcome } from './hold.ts';
import { VOTE_COUNT, type TwinMarket } from './market.ts';

/** Results of one set: the engine's columns up to RESULT_HELD_BAR_COUNT, in its order (abi/optimize.ts). */
export const TWIN_RESULT_LENGTH = abi.RESULT_HELD_BAR_COUNT + 1;

/**
 * Straightforward TypeScript: for each set walk the candles, score while flat, hold while in a position.
 * @param sets    f64[SET_LENGTH * count], set after set
 * @param results f64[TWIN_RESULT_LENGTH * count], set after set
 */
export function optimizerTwin(market: TwinMarket, sets: Float64Array, results: Float64Array): void {
  const count = sets.length / abi.SET_LENGTH;
  for (let k = 0; k < count; k++) {
    const set = sets.subarray(k * abi.SET_LENGTH, (k + 1) * abi.SET_LENGTH);
    runSet(market, set, results.subarray(k * TWIN_RESULT_LENGTH, (k + 1) * TWIN_RESULT_LENGTH));
  }
}

const outcome: Outcome = { exitIndex: 0, exitPrice: 0, entryPrice: 0, quantity: 0, net: 0, isAmbiguous: false };

function runSet(market: TwinMarket, set: Float64Array, result: Float64Array): void {
  const { candles, votes, costs } = market;
  const last = candles.close.length - 1;
  const weights = Int32Array.from(set.subarray(abi.SET_WEIGHTS, abi.SET_WEIGHTS + VOTE_COUNT));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const least = weightSum > 0 ? leastTenths(set[abi.SET_ENTRY_THRESHOLD] as number, weightSum) : Infinity;
  const exits = exitsOf(set);
  const totals = { net: 0, trades: 0, wins: 0, gain: 0, loss: 0, ambiguous: 0, turnover: 0, held: 0 };
  let peak = costs.initialEquity;
  let drawdown = 0;
  for (let i = firstDecision(market, weights); i < last; i++) {
    const sum = scoreTenths(votes, i * VOTE_COUNT, weights);
    if ((sum < least && sum > -least) || !((candles.volume[i + 1] as number) > 0)) continue;
    const entry = i + 1;
    holdTrade(market, entry, last, sum > 0 ? 1 : -1, exits, outcome);
    const { net, exitIndex } = outcome;
    totals.net += net;
    totals.trades++;
    if (net > 0) {
      totals.wins++;
      totals.gain += net;
    } else totals.loss -= net;
    const realised = costs.initialEquity + totals.net;
    if (realised > peak) peak = realised;
    else if (peak - realised > drawdown * peak) drawdown = (peak - realised) / peak;
    if (outcome.isAmbiguous) totals.ambiguous++;
    totals.turnover += outcome.quantity * (outcome.entryPrice + outcome.exitPrice);
    totals.held += exitIndex - entry + 1;
    i = exitIndex - 1; // the close of the exit's candle may signal again
  }
  const { net, trades, wins, gain, loss, ambiguous, turnover, held } = totals;
  result.set([net, trades, wins, gain, loss, drawdown, ambiguous, turnover, held]);
}

function exitsOf(set: Float64Array): Exits {
  return {
    stopLoss: set[abi.SET_STOP_LOSS] as number,
    takeProfit: set[abi.SET_TAKE_PROFIT] as number,
    isTrailing: (set[abi.SET_IS_TRAILING] as number) > 0,
    callback: set[abi.SET_CALLBACK] as number,
    step: set[abi.SET_STEP] as number,
  };
}

/** Least whole tenths whose share of `weightSum` reaches the threshold: the comparison without a division per candle. */
function leastTenths(threshold: number, weightSum: number): number {
  let least = 1;
  while (least / weightSum < threshold) least++;
  return least;
}

function scoreTenths(votes: Int8Array, from: number, weights: Int32Array): number {
  let sum = 0;
  for (let k = 0; k < VOTE_COUNT; k++) sum += (weights[k] as number) * (votes[from + k] as number);
  return sum;
}

/** First candle at which every vote with a weight is defined. */
function firstDecision({ first }: TwinMarket, weights: Int32Array): number {
  let candle = 0;
  for (let k = 0; k < VOTE_COUNT; k++) if ((weights[k] as number) > 0) candle = Math.max(candle, first[k] as number);
  return candle;
}
