import {
  ENSEMBLE_VOTE_COUNT,
  NEWS_SILENT,
  TIMEFRAME_COUNT_MAX,
  TIMEFRAME_WEIGHT_MAX,
  VOTE_NEWS,
  WEIGHT_UNITS_MAX,
} from '../../abi/ensemble';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status';
import { VOTE_COUNT } from '../../abi/votes';
import { put } from '../series';
import { candleOf, isDefined, rowOf, voteOf, weightOfRow, weightOfVote } from './timeframe';

/** Score of every base candle over all timeframes. Layout and meaning: abi/ensembleExports.ts. */
export function ensembleScore(
  timeframes: usize,
  count: i32,
  length: i32,
  weights: usize,
  news: usize,
  score: usize,
  live: usize,
): i32 {
  if (!isWeighted(timeframes, count, weights)) return STATUS_BAD_PARAMETER;
  const rows = rowWeights(timeframes, count);
  const silent = rows * voteWeights(weights);
  const newsUnits = rows * weightOfVote(weights, VOTE_NEWS);
  for (let i = 0; i < length; i++) {
    let sum = 0;
    let liveCount = 0;
    let isWhole = true;
    for (let t = 0; t < count; t++) {
      const row = rowOf(timeframes, t);
      const weight = weightOfRow(row);
      if (weight === 0) continue;
      const candle = candleOf(row, i);
      for (let k = 0; k < VOTE_COUNT; k++) {
        const voteWeight = weightOfVote(weights, k);
        if (voteWeight === 0) continue;
        if (!isDefined(row, k, candle)) {
          isWhole = false;
          continue;
        }
        liveCount++;
        sum += weight * voteWeight * voteOf(row, k, candle);
      }
    }
    let whole = silent;
    const opinion = opinionOf(news, i);
    if (opinion !== NEWS_SILENT && newsUnits !== 0) {
      sum += newsUnits * opinion;
      whole += abs(newsUnits);
      liveCount++;
    }
    put(score, i, isWhole ? (whole > 0 ? <f64>sum / <f64>whole : 0) : NaN);
    if (live !== 0) store<i32>(live + ((<usize>i) << 2), liveCount);
  }
  return STATUS_OK;
}

/** Contribution of each vote of each interval at one base candle, as integers over the returned denominator. */
export function ensembleParts(
  timeframes: usize,
  count: i32,
  candle: i32,
  weights: usize,
  news: usize,
  parts: usize,
): i32 {
  const opinion = opinionOf(news, candle);
  for (let t = 0; t < count; t++) {
    const row = rowOf(timeframes, t);
    const own = candleOf(row, candle);
    for (let k = 0; k < ENSEMBLE_VOTE_COUNT; k++) {
      let vote = 0;
      if (k !== VOTE_NEWS) vote = isDefined(row, k, own) ? voteOf(row, k, own) : 0;
      else if (opinion !== NEWS_SILENT) vote = opinion;
      const part = weightOfRow(row) * weightOfVote(weights, k) * vote;
      store<i32>(parts + ((<usize>(t * ENSEMBLE_VOTE_COUNT + k)) << 2), part);
    }
  }
  const votes = voteWeights(weights) + (opinion !== NEWS_SILENT ? abs(weightOfVote(weights, VOTE_NEWS)) : 0);
  return votes * rowWeights(timeframes, count);
}

/** The outside vote at a base candle; NEWS_SILENT without one. */
export function opinionOf(news: usize, candle: i32): i32 {
  return news === 0 ? NEWS_SILENT : <i32>load<i8>(news + <usize>candle);
}

/** Sum of the sizes of the weights of the engine's own votes. */
export function voteWeights(weights: usize): i32 {
  let sum = 0;
  for (let k = 0; k < VOTE_COUNT; k++) sum += abs(weightOfVote(weights, k));
  return sum;
}

/** Sum of the weights of the intervals. */
export function rowWeights(timeframes: usize, count: i32): i32 {
  let sum = 0;
  for (let t = 0; t < count; t++) sum += weightOfRow(rowOf(timeframes, t));
  return sum;
}

/** Bounds that keep every sum far inside i32. */
export function isWeighted(timeframes: usize, count: i32, weights: usize): bool {
  if (count < 1 || count > TIMEFRAME_COUNT_MAX) return false;
  for (let t = 0; t < count; t++) {
    const weight = weightOfRow(rowOf(timeframes, t));
    if (weight < 0 || weight > TIMEFRAME_WEIGHT_MAX) return false;
  }
  for (let k = 0; k < ENSEMBLE_VOTE_COUNT; k++) {
    const weight = weightOfVote(weights, k);
    if (abs(weight) > WEIGHT_UNITS_MAX) return false;
  }
  return true;
}
