import {
  ENSEMBLE_VOTE_COUNT,
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
  const whole = denominator(timeframes, count, weights, news);
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
      if (news !== 0) sum += weight * weightOfVote(weights, VOTE_NEWS) * <i32>load<i8>(news + <usize>i);
    }
    if (news !== 0 && weightOfVote(weights, VOTE_NEWS) > 0) liveCount++;
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
  for (let t = 0; t < count; t++) {
    const row = rowOf(timeframes, t);
    const own = candleOf(row, candle);
    for (let k = 0; k < ENSEMBLE_VOTE_COUNT; k++) {
      let vote = 0;
      if (k !== VOTE_NEWS) vote = isDefined(row, k, own) ? voteOf(row, k, own) : 0;
      else if (news !== 0) vote = <i32>load<i8>(news + <usize>candle);
      const part = weightOfRow(row) * weightOfVote(weights, k) * vote;
      store<i32>(parts + ((<usize>(t * ENSEMBLE_VOTE_COUNT + k)) << 2), part);
    }
  }
  return denominator(timeframes, count, weights, news);
}

function denominator(timeframes: usize, count: i32, weights: usize, news: usize): i32 {
  let votes = news !== 0 ? weightOfVote(weights, VOTE_NEWS) : 0;
  for (let k = 0; k < VOTE_COUNT; k++) votes += weightOfVote(weights, k);
  let rows = 0;
  for (let t = 0; t < count; t++) rows += weightOfRow(rowOf(timeframes, t));
  return votes * rows;
}

/** Bounds that keep every sum far inside i32. */
function isWeighted(timeframes: usize, count: i32, weights: usize): bool {
  if (count < 1 || count > TIMEFRAME_COUNT_MAX) return false;
  for (let t = 0; t < count; t++) {
    const weight = weightOfRow(rowOf(timeframes, t));
    if (weight < 0 || weight > TIMEFRAME_WEIGHT_MAX) return false;
  }
  for (let k = 0; k < ENSEMBLE_VOTE_COUNT; k++) {
    const weight = weightOfVote(weights, k);
    if (weight < 0 || weight > WEIGHT_UNITS_MAX) return false;
  }
  return true;
}
