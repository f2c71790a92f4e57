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
  for (let k = 0; k < count; k++) runSet(market, sets, k * abi.SET_LENGTH, results, k * TWIN_RESULT_LENGTH);
}

/** Reused for all sets: allocating them again would cost as much as a set without trades. */
const weights = new Int32Array(VOTE_COUNT);
const outcome: Outcome = { exitIndex: 0, exitPrice: 0, entryPrice: 0, quantity: 0, net: 0, isAmbiguous: false };

function runSet(market: TwinMarket, sets: Float64Array, setAt: number, results: Float64Array, resultAt: number): void {
  const { candles, votes, costs } = market;
  const last = candles.close.length - 1;
  const weightSum = readWeights(sets, setAt);
  const least = weightSum > 0 ? leastTenths(sets[setAt + abi.SET_ENTRY_THRESHOLD] as number, weightSum) : Infinity;
  const exits = exitsOf(sets, setAt);
  let net = 0;
  let trades = 0;
  let wins = 0;
  let gain = 0;
  let loss = 0;
  let peak = costs.initialEquity;
  let drawdown = 0;
  let ambiguous = 0;
  let turnover = 0;
  let held = 0;
  for (let i = firstDecision(market); i < last; i++) {
    const sum = scoreTenths(votes, i * VOTE_COUNT);
    if ((sum < least && sum > -least) || !((candles.volume[i + 1] as number) > 0)) continue;
    const entry = i + 1;
    if (!holdTrade(market, entry, last, sum > 0 ? 1 : -1, exits, costs.initialEquity + net, outcome)) continue;
    net += outcome.net;
    trades++;
    if (outcome.net > 0) {
      wins++;
      gain += outcome.net;
    } else loss -= outcome.net;
    const realised = costs.initialEquity + net;
    if (realised > peak) peak = realised;
    else if (peak - realised > drawdown * peak) drawdown = (peak - realised) / peak;
    if (outcome.isAmbiguous) ambiguous++;
    turnover += outcome.quantity * (outcome.entryPrice + outcome.exitPrice);
    held += outcome.exitIndex - entry + 1;
    if (!(realised > 0)) break; // ruined: no further trades
    i = outcome.exitIndex - 1; // the close of the exit's candle may signal again
  }
  write(results, resultAt, net, trades, wins, gain, loss, drawdown, ambiguous, turnover, held);
}

function write(results: Float64Array, at: number, ...row: number[]): void {
  for (let k = 0; k < row.length; k++) results[at + k] = row[k] as number;
}

function readWeights(sets: Float64Array, setAt: number): number {
  let sum = 0;
  for (let k = 0; k < VOTE_COUNT; k++) {
    weights[k] = sets[setAt + abi.SET_WEIGHTS + k] as number;
    sum += weights[k] as number;
  }
  return sum;
}

function exitsOf(sets: Float64Array, setAt: number): Exits {
  return {
    stopLoss: sets[setAt + abi.SET_STOP_LOSS] as number,
    takeProfit: sets[setAt + abi.SET_TAKE_PROFIT] as number,
    isTrailing: (sets[setAt + abi.SET_IS_TRAILING] as number) > 0,
    callback: sets[setAt + abi.SET_CALLBACK] as number,
    step: sets[setAt + abi.SET_STEP] as number,
  };
}

/** Least whole tenths whose share of `weightSum` reaches the threshold: the comparison without a division per candle. */
function leastTenths(threshold: number, weightSum: number): number {
  let least = Math.max(1, Math.ceil(threshold * weightSum));
  while (least > 1 && (least - 1) / weightSum >= threshold) least--;
  while (least / weightSum < threshold) least++;
  return least;
}

function scoreTenths(votes: Int8Array, from: number): number {
  let sum = 0;
  for (let k = 0; k < VOTE_COUNT; k++) sum += (weights[k] as number) * (votes[from + k] as number);
  return sum;
}

/** First candle at which every vote with a weight is defined. */
function firstDecision({ first }: TwinMarket): number {
  let candle = 0;
  for (let k = 0; k < VOTE_COUNT; k++) if ((weights[k] as number) > 0) candle = Math.max(candle, first[k] as number);
  return candle;
}
