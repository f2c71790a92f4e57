import { NEWS_SILENT, TIMEFRAME_FIRST, TIMEFRAME_INDEX, VOTE_NEWS } from '../../abi/ensemble';
import { RULES_UNIT } from '../../abi/optimize';
import { VOTE_COUNT } from '../../abi/votes';
import { opinionOf, rowWeights, voteWeights } from '../ensemble/score';
import { candleOf, rowOf, weightOfRow, weightOfVote } from '../ensemble/timeframe';
import { RulesMarket } from '../records.gen';
import { addressOf, at, put } from '../series';

/**
 * The score of candles [start, end) under the weights of `set`, into the frame's score column: the same bits as ensembleScore(). The
 * votes are joined once, so a set costs one multiplication per weighted vote for eight candles.
 */
export function rulesScore(market: RulesMarket, set: usize, start: i32, end: i32): void {
  const weights = market.weights;
  writeTerms(market, set);
  const rows = rowWeights(market.rows, market.rowCount);
  const whole = rows * voteWeights(weights);
  const news = market.news;
  const newsUnits = news !== 0 ? rows * weightOfVote(weights, VOTE_NEWS) : 0;
  addVotes(market, start, end);
  if (newsUnits !== 0) divideWithNews(market, start, end, whole, newsUnits);
  else divide(market, start, end, whole);
  for (let t = 0; t < market.rowCount; t++) blank(market, t, start, end);
}

/** The set's weights in units of the ensemble, and the weighted ones as a list. */
function writeTerms(market: RulesMarket, set: usize): void {
  const weights = market.weights;
  const terms = market.terms;
  let count = 0;
  for (let vote = 0; vote < VOTE_COUNT; vote++) {
    const weight = <i32>Math.round(at(set, vote) * <f64>RULES_UNIT);
    store<i32>(weights + ((<usize>vote) << 2), weight);
    if (weight === 0) continue;
    store<i32>(terms + ((<usize>count) << 3), vote);
    store<i32>(terms + ((<usize>count) << 3), weight, 4);
    count++;
  }
  market.termCount = count;
}

/** Weighted sums of all votes of all intervals, sixteen candles at a time: at most 15 candles past the end are written, too. */
function addVotes(market: RulesMarket, start: i32, end: i32): void {
  const sums = market.sums;
  for (let i = start; i < end; i += 16) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    for (let t = 0; t < market.rowCount; t++) {
      const weight = weightOfRow(rowOf(market.rows, t));
      if (weight === 0) continue;
      addTerms(market, t, i);
      const row = i16x8.splat(<i16>weight);
      a = i32x4.add(a, i32x4.extmul_low_i16x8_s(lows, row));
      b = i32x4.add(b, i32x4.extmul_high_i16x8_s(lows, row));
      c = i32x4.add(c, i32x4.extmul_low_i16x8_s(highs, row));
      d = i32x4.add(d, i32x4.extmul_high_i16x8_s(highs, row));
    }
    const to = sums + ((<usize>i) << 2);
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
  }
}

/** Sums of one interval, of candles 0..7 and 8..15. Eighteen weights of 1,000 units fit into 16 bits. */
let lows: v128 = i16x8.splat(0);
let highs: v128 = i16x8.splat(0);

function addTerms(market: RulesMarket, t: i32, candle: i32): void {
  const terms = market.terms;
  const count = market.termCount;
  const votes = columnOf(market, t, 0) + <usize>candle;
  const stride = <usize>market.stride;
  let low = i16x8.splat(0);
  let high = i16x8.splat(0);
  for (let k = 0; k < count; k++) {
    const term = terms + ((<usize>k) << 3);
    const column = v128.load(votes + <usize>load<i32>(term) * stride);
    const weight = i16x8.splat(<i16>load<i32>(term, 4));
    low = i16x8.add(low, i16x8.mul(i16x8.extend_low_i8x16_s(column), weight));
    high = i16x8.add(high, i16x8.mul(i16x8.extend_high_i8x16_s(column), weight));
  }
  lows = low;
  highs = high;
}

/** Address of a joined vote. */
export function columnOf(market: RulesMarket, t: i32, vote: i32): usize {
  return market.votes + <usize>(t * VOTE_COUNT + vote) * <usize>market.stride;
}

function divide(market: RulesMarket, start: i32, end: i32, whole: i32): void {
  const score = market.frame.score;
  const sums = market.sums;
  const both = f64x2.splat(<f64>(whole > 0 ? whole : 1)); // without weights every sum is 0
  let i = start;
  for (; i + 2 <= end; i += 2) {
    const pair = f64x2.convert_low_i32x4_s(v128.load64_zero(sums + ((<usize>i) << 2)));
    v128.store(addressOf(score, i), f64x2.div(pair, both));
  }
  if (i < end) put(score, i, <f64>load<i32>(sums + ((<usize>i) << 2)) / <f64>(whole > 0 ? whole : 1));
}

/** Where there is an outside vote, it counts above and below the line. */
function divideWithNews(market: RulesMarket, start: i32, end: i32, silent: i32, newsUnits: i32): void {
  const score = market.frame.score;
  for (let i = start; i < end; i++) {
    let sum = load<i32>(market.sums + ((<usize>i) << 2));
    let whole = silent;
    const opinion = opinionOf(market.news, i);
    if (opinion !== NEWS_SILENT) {
      sum += newsUnits * opinion;
      whole += abs(newsUnits);
    }
    put(score, i, whole > 0 ? <f64>sum / <f64>whole : 0);
  }
}

/** No score where a weighted vote of interval `t` is not defined. */
function blank(market: RulesMarket, t: i32, start: i32, end: i32): void {
  const row = rowOf(market.rows, t);
  if (weightOfRow(row) === 0 || market.termCount === 0) return;
  const firsts = load<usize>(row + TIMEFRAME_FIRST * 4);
  let first = 0;
  for (let k = 0; k < market.termCount; k++) {
    const vote = load<i32>(market.terms + ((<usize>k) << 3));
    first = max(first, load<i32>(firsts + ((<usize>vote) << 2)));
  }
  const score = market.frame.score;
  // The base is defined from one candle on; a longer interval also has none where its candles are missing.
  const last = load<usize>(row + TIMEFRAME_INDEX * 4) === 0 ? min(first, end) : end;
  for (let i = start; i < last; i++) {
    if (candleOf(row, i) < first) put(score, i, NaN);
  }
}
