import {
  DRAW_DENSE,
  DRAW_RULES,
  SET_WEIGHTS,
  SPACE_DIVISOR,
  SPACE_DRAW,
  SPACE_INTERVAL_SHARE,
  SPACE_MAX,
  SPACE_MIN,
  SPACE_ROW_LENGTH,
  SPACE_VOTES,
  TAIL_CALLBACK,
  TAIL_ENTRY_THRESHOLD,
  TAIL_IS_TRAILING,
  TAIL_LENGTH,
  TAIL_STEP,
  TAIL_STOP_LOSS,
  TAIL_TAKE_PROFIT,
} from '../../abi/optimize';
import { randomBelow, randomDraw, streamKey, uniformOf } from '../random/draw';
import { SEARCH_REVERSAL, SEARCH_STRUCTURE, SEARCH_TREND } from '../records.gen';
import { at, put } from '../series';

/** Draws of a set beyond one per parameter: which votes, how many of them suffice, and where in its octave a distance lies. */
const DRAW_ROTATION: u64 = 64;
const DRAW_COUNT: u64 = 65;
const DRAW_SUFFICE: u64 = 66;
const DRAW_SLACK: u64 = 67;
const DRAW_VOTES: u64 = 80;
const DRAW_OCTAVES: u64 = 112;

/** Sets of one cycle: by place 0 and 4 dense, 2 and 6 a group, 1 one vote, 3 two, 5 three, 7 four or five. */
const CYCLE: u64 = 8;
const GROUP_COUNT: u64 = 3;
const HALF: u32 = 50;

/**
 * Set `index` of the random search `seed`: a pure function of both, so any chunk can run anywhere. Index 0 is the user's own.
 * @param space   f64[SPACE_LENGTH]; it says how many of the slots are weights
 * @param current the user's set
 * @param set     written
 */
export function sampleSet(seed: u64, index: u64, space: usize, current: usize, set: usize): void {
  if (index === 0) {
    memory.copy(set, current, (<usize>setLength(space)) << 3);
    return;
  }
  const key = streamKey(seed, index);
  const votes = voteCount(space);
  const chosen = at(space, SPACE_DRAW) !== <f64>DRAW_DENSE ? chosenVotes(seed, index, key, space) : 0;
  if (chosen === 0) return drawDense(key, space, set);
  for (let vote = 0; vote < votes; vote++) {
    const slot = SET_WEIGHTS + vote;
    // A vote that is not chosen gets the weight nearest to 0 that its range allows.
    if ((chosen >>> vote) & 1) drawWeight(key, space, slot, set);
    else put(set, slot, quietOf(space, slot) / spaceOf(space, slot, SPACE_DIVISOR));
  }
  put(set, votes + TAIL_ENTRY_THRESHOLD, thresholdOf(key, space, set));
  drawSlot(key, space, votes + TAIL_IS_TRAILING, spaceOf(space, votes + TAIL_IS_TRAILING, SPACE_MIN), set);
  drawDistance(key, space, votes + TAIL_STOP_LOSS, set);
  drawDistance(key, space, votes + TAIL_TAKE_PROFIT, set);
  drawDistance(key, space, votes + TAIL_CALLBACK, set);
  drawDistance(key, space, votes + TAIL_STEP, set);
}

export function voteCount(space: usize): i32 {
  return <i32>at(space, SPACE_VOTES);
}

/** Values of a set of this space. */
export function setLength(space: usize): i32 {
  return voteCount(space) + TAIL_LENGTH;
}

/** Draws every parameter independently. */
function drawDense(key: u64, space: usize, set: usize): void {
  const length = setLength(space);
  const threshold = voteCount(space) + TAIL_ENTRY_THRESHOLD;
  const isByOctaves = at(space, SPACE_DRAW) === <f64>DRAW_RULES;
  for (let slot = 0; slot < length; slot++) {
    if (isByOctaves && slot === threshold) drawDistance(key, space, slot, set);
    else drawSlot(key, space, slot, spaceOf(space, slot, SPACE_MIN), set);
  }
}

/** The weight in a range that is nearest to 0, grid steps. */
function quietOf(space: usize, slot: i32): f64 {
  return Math.min(Math.max(0, spaceOf(space, slot, SPACE_MIN)), spaceOf(space, slot, SPACE_MAX));
}

/** Every weight of the range except 0, with equal probability. */
function drawWeight(key: u64, space: usize, slot: i32, set: usize): void {
  const least = spaceOf(space, slot, SPACE_MIN);
  const most = spaceOf(space, slot, SPACE_MAX);
  if (!(least < 0 && most >= 0)) {
    drawSlot(key, space, slot, least < 0 ? least : Math.max(least, 1), set);
    return;
  }
  const drawn = least + <f64>randomBelow(key, <u64>slot, <u32>(most - least));
  put(set, slot, (drawn < 0 ? drawn : drawn + 1) / spaceOf(space, slot, SPACE_DIVISOR));
}

/** Every grid value from `least` on with the same chance. */
function drawSlot(key: u64, space: usize, slot: i32, least: f64, set: usize): void {
  const choices = <u32>(spaceOf(space, slot, SPACE_MAX) - least) + 1;
  put(set, slot, (least + <f64>randomBelow(key, <u64>slot, choices)) / spaceOf(space, slot, SPACE_DIVISOR));
}

/**
 * Every octave of the range with the same chance: 1 % to 2 % as often as 5 % to 10 %. Drawn evenly, five of six stops and targets
 * would be wider than most candles of a day.
 */
function drawDistance(key: u64, space: usize, slot: i32, set: usize): void {
  const most = spaceOf(space, slot, SPACE_MAX);
  let low = spaceOf(space, slot, SPACE_MIN);
  if (!(low > 0)) {
    drawSlot(key, space, slot, low, set);
    return;
  }
  let octaves: u32 = 1;
  // The last octave is not cut shorter than half.
  for (let edge = low; 3 * edge <= most; edge *= 2) octaves++;
  const octave = randomBelow(key, DRAW_OCTAVES + <u64>slot, octaves);
  for (let i: u32 = 0; i < octave; i++) low *= 2;
  const high = octave + 1 === octaves ? most : 2 * low - 1;
  const choices = <u32>(high - low) + 1;
  put(set, slot, (low + <f64>randomBelow(key, <u64>slot, choices)) / spaceOf(space, slot, SPACE_DIVISOR));
}

/** Votes of set `index` as bits, of those that may have a weight; 0 for a dense set. */
function chosenVotes(seed: u64, index: u64, key: u64, space: usize): i32 {
  let allowed: i32 = 0;
  const votes = voteCount(space);
  for (let vote = 0; vote < votes; vote++) {
    const slot = SET_WEIGHTS + vote;
    if (spaceOf(space, slot, SPACE_MAX) >= 1 || spaceOf(space, slot, SPACE_MIN) <= -1) allowed |= 1 << vote;
  }
  const cycle = index / CYCLE;
  const place = index % CYCLE;
  // A search visits groups and single votes in turn, from a random offset, so that each is visited.
  const turn = randomDraw(seed, DRAW_ROTATION);
  if ((place & 3) === 0) return 0;
  if ((place & 3) === 2) return allowed & groupOf((turn + 2 * cycle + (place >> 2)) % GROUP_COUNT);
  const allowedCount = <u32>popcnt(allowed);
  if (allowedCount === 0) return 0;
  if (place === 1) return nthBit(allowed, <u32>((turn + cycle) % <u64>allowedCount));
  const wanted: u32 = place === 7 ? 4 + randomBelow(key, DRAW_COUNT, 2) : <u32>((place + 1) / 2);
  let left = allowed;
  let chosen: i32 = 0;
  for (let k: u32 = 0; k < min<u32>(wanted, allowedCount); k++) {
    const bit = nthBit(left, randomBelow(key, DRAW_VOTES + <u64>k, allowedCount - k));
    chosen |= bit;
    left ^= bit;
  }
  return chosen;
}

function groupOf(number: u64): i32 {
  return number === 0 ? SEARCH_REVERSAL : number === 1 ? SEARCH_TREND : SEARCH_STRUCTURE;
}

/** The n-th lowest bit of `bits`. */
function nthBit(bits: i32, n: u32): i32 {
  for (let k: u32 = 0; k < n; k++) bits &= bits - 1;
  return bits & -bits;
}

/**
 * A threshold that one, two or three of the weighted votes reach alone: the smallest of them, and up to twice that, within the range. Votes
 * without an opinion do not dilute the others, nor does a small weight on one more.
 */
function thresholdOf(key: u64, space: usize, set: usize): f64 {
  const votes = voteCount(space);
  let sum: f64 = 0;
  let weighted: u32 = 0;
  for (let vote = 0; vote < votes; vote++) {
    const weight = Math.abs(at(set, SET_WEIGHTS + vote));
    sum += weight;
    if (weight > 0) weighted++;
  }
  const suffice: u32 = 1 + randomBelow(key, DRAW_SUFFICE, min<u32>(3, weighted));
  let reached: f64 = 0;
  let passed: i32 = 0;
  for (let k: u32 = 0; k < suffice; k++) {
    let smallest = -1;
    for (let vote = 0; vote < votes; vote++) {
      const weight = Math.abs(at(set, SET_WEIGHTS + vote));
      if (!(weight > 0) || (passed >>> vote) & 1) continue;
      if (smallest < 0 || weight < Math.abs(at(set, SET_WEIGHTS + smallest))) smallest = vote;
    }
    reached += Math.abs(at(set, SET_WEIGHTS + smallest));
    passed |= 1 << smallest;
  }
  const slot = votes + TAIL_ENTRY_THRESHOLD;
  const divisor = spaceOf(space, slot, SPACE_DIVISOR);
  const least = spaceOf(space, slot, SPACE_MIN);
  const most = spaceOf(space, slot, SPACE_MAX);
  const slack = <f64>(HALF + randomBelow(key, DRAW_SLACK, HALF + 1));
  const share = ((reached * slack) / (sum * <f64>(2 * HALF))) * at(space, SPACE_INTERVAL_SHARE);
  return Math.min(Math.max(Math.floor(share * divisor), least), most) / divisor;
}

/**
 * A set near `base`: each parameter moves with probability `share`, by up to `reach` of its range (at least one step), to
 * either side, and stays inside the space. Of mixed draws every second set gives no weight to a vote without one: it stays as sparse
 * as its base.
 * Draws of one (seed, index) are fixed.
 */
export function mutateSet(seed: u64, index: u64, space: usize, base: usize, share: f64, reach: f64, set: usize): void {
  const staysSparse = (index & 1) === 1 && at(space, SPACE_DRAW) !== <f64>DRAW_DENSE;
  const key = streamKey(seed, index);
  const votes = voteCount(space);
  const length = setLength(space);
  for (let slot = 0; slot < length; slot++) {
    const least = spaceOf(space, slot, SPACE_MIN);
    const most = spaceOf(space, slot, SPACE_MAX);
    put(set, slot, at(base, slot));
    if (staysSparse && slot < votes && at(base, slot) === 0) continue;
    if (most <= least || uniformOf(randomDraw(key, <u64>(2 * slot))) >= share) continue;
    const stepsMax = max(1, <i32>((most - least) * reach));
    const draw = <i32>randomBelow(key, <u64>(2 * slot + 1), <u32>(2 * stepsMax));
    moveSlot(space, base, slot, draw < stepsMax ? draw - stepsMax : draw - stepsMax + 1, set);
  }
}

/** Puts parameter `slot` of `base`, moved by `steps` within the space, into `set`. @returns false when it cannot move */
export function moveSlot(space: usize, base: usize, slot: i32, steps: i32, set: usize): bool {
  const divisor = spaceOf(space, slot, SPACE_DIVISOR);
  const here = Math.round(at(base, slot) * divisor);
  const there = Math.min(Math.max(here + <f64>steps, spaceOf(space, slot, SPACE_MIN)), spaceOf(space, slot, SPACE_MAX));
  if (there === here) return false;
  put(set, slot, there / divisor);
  return true;
}

export function spaceOf(space: usize, slot: i32, field: i32): f64 {
  return at(space, slot * SPACE_ROW_LENGTH + field);
}
