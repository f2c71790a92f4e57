import { PAIR_LENGTH_MIN, STATES_SIZE } from '../../abi/scan';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes';
import { closeOf, highOf, lowOf, volumeOf } from '../columns';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf } from '../series';
import { advanceMacd, advanceObv, advanceRsi } from './advanceCloses';
import { advanceAdx } from './advanceRanges';
import { advanceSupertrend } from './advanceSupertrend';
import { finishVotes, lastVotes } from './lastVotes';
import { SEED_MAX, adxOf, macdOf, obvOf, rsiOf, seedStates, stochrsiOf, supertrendOf } from './states';

/** Candles before the end that are left to the kernels: OBV's mean reads two of its blocks, the stochastic RSI 26 candles. */
const OBV_REACH = 44;
const RSI_REACH = 32;

/**
 * lastVotes() of two series of the same length. Their recurrences are walked side by side, one series a lane; the kernels
 * themselves begin them and compute their last candles, so every vote has the bits of the kernels.
 * Layout: abi/scanExports.ts.
 */
export function lastVotesOfTwo(one: usize, two: usize, length: i32, votes: usize, isLive: usize): i32 {
  const votesTwo = votes + BACKTEST_VOTE_COUNT;
  const isLiveTwo = isLive + BACKTEST_VOTE_COUNT;
  if (length < PAIR_LENGTH_MIN) {
    const status = lastVotes(one, length, votes, isLive);
    return status === STATUS_OK ? lastVotes(two, length, votesTwo, isLiveTwo) : status;
  }
  const mark = arenaMark();
  const states = arenaReserve(2 * (STATES_SIZE << 3));
  const planes = arenaReserve(<usize>SEED_MAX * 3 * 8);
  if (states === 0 || planes === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  const statesTwo = addressOf(states, STATES_SIZE);
  let status = pairStates(one, two, length, states, planes);
  if (status === STATUS_OK) status = finishVotes(one, length, votes, isLive, states);
  if (status === STATUS_OK) status = finishVotes(two, length, votesTwo, isLiveTwo, statesTwo);
  arenaRelease(mark);
  return status;
}

/** Signature and layout: abi/scanExports.ts. */
export function pairStates(one: usize, two: usize, length: i32, states: usize, planes: usize): i32 {
  const statesTwo = addressOf(states, STATES_SIZE);
  let status = seedStates(one, states, planes);
  if (status === STATUS_OK) status = seedStates(two, statesTwo, planes);
  if (status === STATUS_OK) advance(one, two, length, states, statesTwo);
  return status;
}

/** From the seeds to just before the last candles. */
function advance(one: usize, two: usize, length: i32, a: usize, b: usize): void {
  const highA = highOf(one);
  const highB = highOf(two);
  const lowA = lowOf(one);
  const lowB = lowOf(two);
  const closeA = closeOf(one);
  const closeB = closeOf(two);
  const last = length - 1;
  advanceRsi(closeA, closeB, length - RSI_REACH, rsiOf(a), rsiOf(b));
  memory.copy(stochrsiOf(a), rsiOf(a), 24);
  memory.copy(stochrsiOf(b), rsiOf(b), 24);
  advanceMacd(closeA, closeB, last, macdOf(a), macdOf(b));
  advanceObv(closeA, closeB, volumeOf(one), volumeOf(two), length - OBV_REACH, obvOf(a), obvOf(b));
  advanceAdx(highA, lowA, closeA, highB, lowB, closeB, last, adxOf(a), adxOf(b));
  advanceSupertrend(highA, lowA, closeA, highB, lowB, closeB, last, supertrendOf(a), supertrendOf(b));
}
