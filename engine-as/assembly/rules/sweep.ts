import { OPPOSITE_HOLD, OPPOSITE_REVERSE, SIZING_FIXED, TRAILING_ATR } from '../../abi/backtest';
import { RESULT_CALMAR, RESULT_MAX_DRAWDOWN, RESULT_VALUE } from '../../abi/optimize';
import * as abi from '../../abi/ruleProgram';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { fundingByBar } from '../backtest/funding';
import { row, writeRow } from '../optimize/evaluate';
import { entryPriceOf, exitPriceOf, isAmbiguousOf, netPnlOf, sizeOf } from '../optimize/outcome';
import { evaluateFrame } from '../optimize/rulesRun';
import { prepareEnd } from '../optimize/runEnd';
import { settleRules, writeTotals } from '../optimize/runSet';
import { needsEquity, targetValue } from '../optimize/target';
import { tradeUntil } from '../optimize/trade';
import { Rules, Sweep } from '../records.gen';
import { barAt } from '../rows';
import { at, fillUndefined, put } from '../series';
import { isSet, nextBit } from './bits';
import { outputBits, resetFull, wasFull } from './sweepNodes';

// Many sets of parameter values of one program: signals as bits, trades by the fast kernel of the search where it knows the exits, else by
// the plain backtest. Equal to the backtest of each set, to the bit.

/** Words of the set under way: entries of both sides, and where a position of each side is left. */
const LONGS = 0;
const SHORTS = 1;
const LEFT_LONG = 2;
const LEFT_SHORT = 3;
/** Exits alone, without opposite signals. */
const EXITS_LONG = 4;
const EXITS_SHORT = 5;

/** Runs sets on candles [start, end). Contract: abi/ruleExports.ts. */
export function sweepSets(
  sweep: Sweep,
  sets: usize,
  exits: usize,
  count: i32,
  start: i32,
  end: i32,
  target: i32,
  results: usize,
  equity: usize,
): i32 {
  const bytes = (<usize>(end - start)) << 3;
  const withEquity = equity !== 0;
  resetFull();
  prepareEnd(sweep.market, end);
  const plain = sweep.plain;
  plain.count = end;
  fundingByBar(plain);
  const parameters = sweep.parameterCount;
  const exitCount = sweep.exitCount;
  if (exitCount === 0) settleRules(sweep.market);
  for (let i = 0; i < count; i++) {
    sweep.serial = sweep.serial + 1;
    writeValues(sweep, sets + ((<usize>(i * parameters)) << 2));
    if (exitCount > 0) writeExits(sweep, exits + ((<usize>(i * exitCount)) << 3));
    writeBits(sweep);
    if (wasFull()) return STATUS_OUT_OF_MEMORY;
    const isPlain = withEquity || needsEquity(target) || !isFast(sweep.market.rules);
    const status = isPlain ? runPlain(sweep, start, end, target, withEquity) : runFast(sweep, start, end, target);
    if (status !== STATUS_OK) return status;
    writeRow(results, count, i);
    if (withEquity) memory.copy(equity + <usize>i * bytes, plain.equity, bytes);
  }
  return STATUS_OK;
}

/** Values of the set, by the place of each in its parameter's list. */
function writeValues(sweep: Sweep, set: usize): void {
  memory.copy(sweep.digits, set, (<usize>sweep.parameterCount) << 2);
  for (let v = 0; v < sweep.valueCount; v++) {
    const parameter = load<i32>(sweep.valueParameters + ((<usize>v) << 2));
    if (parameter < 0) continue;
    const first = load<i32>(sweep.gridStarts + ((<usize>parameter) << 2));
    put(sweep.values, v, at(sweep.grid, first + load<i32>(set + ((<usize>parameter) << 2))));
  }
}

function writeExits(sweep: Sweep, exits: usize): void {
  const rules = changetype<usize>(sweep.market.rules);
  for (let k = 0; k < sweep.exitCount; k++) {
    put(rules, load<i32>(sweep.exitSlots + ((<usize>k) << 2)), at(exits, k));
  }
  settleRules(sweep.market);
}

/** Exits that the fast kernel knows: levels by fractions of the fill that are live from it, a fixed size, no limit of time. */
function isFast(rules: Rules): bool {
  if (rules.stopAtr > 0 || rules.targetAtr > 0 || rules.breakEvenR > 0 || rules.holdingBarsMax > 0) return false;
  if (rules.isEntryHeld > 0 || rules.isEndAtClose > 0) return false;
  return <i32>rules.sizing === SIZING_FIXED && !(rules.isCompounding > 0) && <i32>rules.trailingMode !== TRAILING_ATR;
}

function wordsOf(sweep: Sweep, which: i32): usize {
  return sweep.bits + ((<usize>(which * sweep.words)) << 3);
}

/** Combines the output columns into entries and exits, one machine word at a time. */
function writeBits(sweep: Sweep): void {
  const long = outputBits(sweep, abi.RULE_LONG);
  const short = outputBits(sweep, abi.RULE_SHORT);
  const exitLong = outputBits(sweep, abi.RULE_EXIT_LONG);
  const exitShort = outputBits(sweep, abi.RULE_EXIT_SHORT);
  const isLeft = <i32>sweep.market.rules.onOpposite !== OPPOSITE_HOLD;
  const bits = sweep.bits;
  const bytes = (<usize>sweep.words) << 3;
  for (let w: usize = 0; w < bytes; w += 8) {
    const both = (long !== 0 ? load<u64>(long + w) : 0) & (short !== 0 ? load<u64>(short + w) : 0);
    const longs = (long !== 0 ? load<u64>(long + w) : 0) & ~both;
    const shorts = (short !== 0 ? load<u64>(short + w) : 0) & ~both;
    const leftLong = exitLong !== 0 ? load<u64>(exitLong + w) : 0;
    const leftShort = exitShort !== 0 ? load<u64>(exitShort + w) : 0;
    store<u64>(bits + w, longs);
    store<u64>(bits + bytes * SHORTS + w, shorts);
    store<u64>(bits + bytes * LEFT_LONG + w, isLeft ? leftLong | shorts : leftLong);
    store<u64>(bits + bytes * LEFT_SHORT + w, isLeft ? leftShort | longs : leftShort);
    store<u64>(bits + bytes * EXITS_LONG + w, leftLong);
    store<u64>(bits + bytes * EXITS_SHORT + w, leftShort);
  }
}

/** The set by the plain backtest, under the rules of the market. */
function runPlain(sweep: Sweep, start: i32, end: i32, target: i32, withEquity: bool): i32 {
  const plain = sweep.plain;
  const rules = plain.rules;
  memory.copy(changetype<usize>(rules), changetype<usize>(sweep.market.rules), offsetof<Rules>());
  rules.scoredCount = <f64>(end - start);
  const score = plain.score;
  const exits = plain.exits;
  for (let i = 0; i < end; i++) {
    put(score, i, f64(isSet(wordsOf(sweep, LONGS), i)) - f64(isSet(wordsOf(sweep, SHORTS), i)));
    const left = i32(isSet(wordsOf(sweep, EXITS_LONG), i)) * abi.RULE_EXITS_LONG;
    store<u8>(exits + <usize>i, <u8>(left + i32(isSet(wordsOf(sweep, EXITS_SHORT), i)) * abi.RULE_EXITS_SHORT));
  }
  return evaluateFrame(plain, start, end, target, withEquity);
}

/** The set by the fast kernel. A reversal enters at the bar that its exit is filled in. */
// One loop, so that its totals stay in registers.
// eslint-disable-next-line max-lines-per-function, complexity
function runFast(sweep: Sweep, start: i32, end: i32, target: i32): i32 {
  const market = sweep.market;
  const rules = market.rules;
  const initial = rules.initialEquity;
  const direction = <i32>rules.direction;
  const isReversing = <i32>rules.onOpposite === OPPOSITE_REVERSE;
  const longs = wordsOf(sweep, LONGS);
  const shorts = wordsOf(sweep, SHORTS);
  const last = end - 1;
  let net: f64 = 0;
  let trades = 0;
  let wins = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  let peak = initial;
  let drawdown: f64 = 0;
  let ambiguous: f64 = 0;
  let turnover: f64 = 0;
  let held = 0;
  let bar = start;
  let turned = 0; // side that a reversal enters at `bar`
  while (turned !== 0 || bar < last) {
    let entry = bar;
    let side = turned;
    if (turned === 0) {
      const long = direction >= 0 ? nextBit(longs, bar, last) : last;
      const short = direction <= 0 ? nextBit(shorts, bar, last) : last;
      const decided = min(long, short);
      if (decided >= last) break;
      entry = decided + 1;
      side = decided === long ? 1 : -1;
    }
    const isLong = side > 0;
    const left = nextBit(wordsOf(sweep, isLong ? LEFT_LONG : LEFT_SHORT), entry, last);
    const leaveAt = left < last ? load<i32>(sweep.tradable + ((<usize>(left + 1)) << 2)) : end;
    const exit = tradeUntil(market, entry, <f64>side, last, initial + net, leaveAt);
    const isTurned = turned !== 0;
    turned = 0;
    bar = entry;
    if (exit < 0) continue;
    bar = exit;
    const won = netPnlOf();
    net += won;
    trades++;
    const isWin = won > 0;
    wins += i32(isWin);
    gain += select<f64>(won, 0, isWin);
    loss -= select<f64>(0, won, isWin);
    const realised = initial + net;
    peak = select<f64>(realised, peak, realised > peak);
    if (peak - realised > drawdown * peak) drawdown = (peak - realised) / peak;
    ambiguous += isAmbiguousOf();
    turnover += Math.abs(sizeOf()) * (entryPriceOf() + exitPriceOf());
    held += exit - entry + i32(!isTurned); // the bar of a reversal counts once
    if (!(realised > 0)) break; // ruined: no further trades
    if (!isReversing || exit === entry || (direction !== 0 && direction === side)) continue;
    const isOpposed = isSet(isLong ? shorts : longs, exit - 1);
    if (isOpposed && barAt(market.bars, exit).volume > 0) turned = -side;
  }
  writeTotals(row, net, trades, wins, gain, loss, drawdown, ambiguous, turnover, held);
  fillUndefined(row, RESULT_MAX_DRAWDOWN, RESULT_CALMAR + 1);
  put(row, RESULT_VALUE, targetValue(row, target));
  return STATUS_OK;
}
