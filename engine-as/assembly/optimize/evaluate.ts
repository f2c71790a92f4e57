import { RESULT_LENGTH, RESULT_VALUE, SET_LENGTH } from '../../abi/optimize';
import { Market } from '../records.gen';
import { addressOf, at, put } from '../series';
import { prepareEnd } from './runEnd';
import { runSet } from './runSet';
import { sampleSet } from './sampling';
import { needsEquity, targetValue } from './target';

/** Room for one result row on its way into the columns. */
export const row: usize = memory.data(112);

/**
 * Runs sets from .. from + count - 1 of the random search on candles [start, end).
 * @param results f64[RESULT_LENGTH * count], column after column
 */
export function optimizeSamples(
  market: Market,
  seed: u64,
  from: u64,
  count: i32,
  space: usize,
  current: usize,
  start: i32,
  end: i32,
  target: i32,
  results: usize,
): void {
  const set = market.set;
  prepareEnd(market, end);
  for (let i = 0; i < count; i++) {
    sampleSet(seed, from + <u64>i, space, current, set);
    evaluate(market, set, start, end, target, false);
    writeRow(results, count, i);
  }
}

/**
 * Runs given sets.
 * @param sets   f64[SET_LENGTH * count], set after set
 * @param equity f64[(end - start) * count] or 0: mark-to-market equity of each bar, set after set
 */
export function optimizeSets(
  market: Market,
  sets: usize,
  count: i32,
  start: i32,
  end: i32,
  target: i32,
  results: usize,
  equity: usize,
): void {
  const bytes = (<usize>(end - start)) << 3;
  prepareEnd(market, end);
  for (let i = 0; i < count; i++) {
    evaluate(market, addressOf(sets, i * SET_LENGTH), start, end, target, equity !== 0);
    writeRow(results, count, i);
    if (equity !== 0) memory.copy(equity + <usize>i * bytes, market.equity, bytes);
  }
}

function evaluate(market: Market, set: usize, start: i32, end: i32, target: i32, withEquity: bool): void {
  runSet(market, set, start, end, row, withEquity || needsEquity(target));
  put(row, RESULT_VALUE, targetValue(row, target));
}

export function writeRow(results: usize, count: i32, i: i32): void {
  for (let field = 0; field < RESULT_LENGTH; field++) put(results, field * count + i, at(row, field));
}
