import * as kind from '../../abi/patternKinds';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { closeOf, highOf, lowOf, openOf } from '../columns';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { Chart, THRESHOLD_MAX } from './chart';
import {
  beltHold,
  closingMarubozu,
  doji,
  dragonflyDoji,
  gravestoneDoji,
  hammer,
  hangingMan,
  highWave,
  invertedHammer,
  longLeggedDoji,
  longLine,
  marubozu,
  rickshawMan,
  shootingStar,
  shortLine,
  spinningTop,
  takuri,
} from './oneCandle';
import {
  counterattack,
  darkCloudCover,
  dojiStar,
  engulfing,
  harami,
  haramiCross,
  homingPigeon,
  inNeck,
  kicking,
  kickingByLength,
  matchingLow,
  onNeck,
  piercing,
  separatingLines,
  thrusting,
} from './twoCandles';
import {
  abandonedBaby,
  advanceBlock,
  eveningDojiStar,
  eveningStar,
  gapThreeMethods,
  identicalThreeCrows,
  morningDojiStar,
  morningStar,
  sideBySideWhite,
  stalled,
  stickSandwich,
  tasukiGap,
  threeInside,
  threeOutside,
  threeStarsInSouth,
  threeWhiteSoldiers,
  tristar,
  twoCrows,
  uniqueThreeRiver,
  upsideGapTwoCrows,
} from './threeCandles';
import {
  breakaway,
  concealingBabySwallow,
  hikkake,
  ladderBottom,
  matHold,
  modifiedHikkake,
  threeBlackCrows,
  threeLineStrike,
  threeMethods,
} from './manyCandles';

/** See abi/patternExports.ts. */
export function pattern(id: i32, columns: usize, length: i32, penetration: f64, out: usize): i32 {
  if (id < 0 || id >= kind.PATTERN_COUNT || !(penetration >= 0 && penetration <= kind.PENETRATION_MAX))
    return STATUS_BAD_PARAMETER;
  memory.fill(out, 0, (<usize>length) << 1);
  const mark = arenaMark();
  const place = arenaReserve(offsetof<Chart>());
  const thresholds = arenaReserve((<usize>THRESHOLD_MAX * <usize>length) << 3);
  if (place === 0 || thresholds === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  const chart = changetype<Chart>(place);
  chart.open = openOf(columns);
  chart.high = highOf(columns);
  chart.low = lowOf(columns);
  chart.close = closeOf(columns);
  chart.length = length;
  chart.thresholds = thresholds;
  chart.thresholdCount = 0;
  chart.out = out;
  find(id, chart, penetration);
  arenaRelease(mark);
  return STATUS_OK;
}

// A table of calls: AssemblyScript has no table of functions that costs as little as a switch.
// eslint-disable-next-line max-lines-per-function, complexity
function find(id: i32, c: Chart, penetration: f64): void {
  switch (id) {
    case kind.PATTERN_TWO_CROWS:
      c.first = kind.FIRST_TWO_CROWS;
      return twoCrows(c);
    case kind.PATTERN_THREE_BLACK_CROWS:
      c.first = kind.FIRST_THREE_BLACK_CROWS;
      return threeBlackCrows(c);
    case kind.PATTERN_THREE_INSIDE:
      c.first = kind.FIRST_THREE_INSIDE;
      return threeInside(c);
    case kind.PATTERN_THREE_LINE_STRIKE:
      c.first = kind.FIRST_THREE_LINE_STRIKE;
      return threeLineStrike(c);
    case kind.PATTERN_THREE_OUTSIDE:
      c.first = kind.FIRST_THREE_OUTSIDE;
      return threeOutside(c);
    case kind.PATTERN_THREE_STARS_IN_SOUTH:
      c.first = kind.FIRST_THREE_STARS_IN_SOUTH;
      return threeStarsInSouth(c);
    case kind.PATTERN_THREE_WHITE_SOLDIERS:
      c.first = kind.FIRST_THREE_WHITE_SOLDIERS;
      return threeWhiteSoldiers(c);
    case kind.PATTERN_ABANDONED_BABY:
      c.first = kind.FIRST_ABANDONED_BABY;
      return abandonedBaby(c, penetration);
    case kind.PATTERN_ADVANCE_BLOCK:
      c.first = kind.FIRST_ADVANCE_BLOCK;
      return advanceBlock(c);
    case kind.PATTERN_BELT_HOLD:
      c.first = kind.FIRST_BELT_HOLD;
      return beltHold(c);
    case kind.PATTERN_BREAKAWAY:
      c.first = kind.FIRST_BREAKAWAY;
      return breakaway(c);
    case kind.PATTERN_CLOSING_MARUBOZU:
      c.first = kind.FIRST_CLOSING_MARUBOZU;
      return closingMarubozu(c);
    case kind.PATTERN_CONCEALING_BABY_SWALLOW:
      c.first = kind.FIRST_CONCEALING_BABY_SWALLOW;
      return concealingBabySwallow(c);
    case kind.PATTERN_COUNTERATTACK:
      c.first = kind.FIRST_COUNTERATTACK;
      return counterattack(c);
    case kind.PATTERN_DARK_CLOUD_COVER:
      c.first = kind.FIRST_DARK_CLOUD_COVER;
      return darkCloudCover(c, penetration);
    case kind.PATTERN_DOJI:
      c.first = kind.FIRST_DOJI;
      return doji(c);
    case kind.PATTERN_DOJI_STAR:
      c.first = kind.FIRST_DOJI_STAR;
      return dojiStar(c);
    case kind.PATTERN_DRAGONFLY_DOJI:
      c.first = kind.FIRST_DRAGONFLY_DOJI;
      return dragonflyDoji(c);
    case kind.PATTERN_ENGULFING:
      c.first = kind.FIRST_ENGULFING;
      return engulfing(c);
    case kind.PATTERN_EVENING_DOJI_STAR:
      c.first = kind.FIRST_EVENING_DOJI_STAR;
      return eveningDojiStar(c, penetration);
    case kind.PATTERN_EVENING_STAR:
      c.first = kind.FIRST_EVENING_STAR;
      return eveningStar(c, penetration);
    case kind.PATTERN_SIDE_BY_SIDE_WHITE:
      c.first = kind.FIRST_SIDE_BY_SIDE_WHITE;
      return sideBySideWhite(c);
    case kind.PATTERN_GRAVESTONE_DOJI:
      c.first = kind.FIRST_GRAVESTONE_DOJI;
      return gravestoneDoji(c);
    case kind.PATTERN_HAMMER:
      c.first = kind.FIRST_HAMMER;
      return hammer(c);
    case kind.PATTERN_HANGING_MAN:
      c.first = kind.FIRST_HANGING_MAN;
      return hangingMan(c);
    case kind.PATTERN_HARAMI:
      c.first = kind.FIRST_HARAMI;
      return harami(c);
    case kind.PATTERN_HARAMI_CROSS:
      c.first = kind.FIRST_HARAMI_CROSS;
      return haramiCross(c);
    case kind.PATTERN_HIGH_WAVE:
      c.first = kind.FIRST_HIGH_WAVE;
      return highWave(c);
    case kind.PATTERN_HIKKAKE:
      c.first = kind.FIRST_HIKKAKE;
      return hikkake(c);
    case kind.PATTERN_MODIFIED_HIKKAKE:
      c.first = kind.FIRST_MODIFIED_HIKKAKE;
      return modifiedHikkake(c);
    case kind.PATTERN_HOMING_PIGEON:
      c.first = kind.FIRST_HOMING_PIGEON;
      return homingPigeon(c);
    case kind.PATTERN_IDENTICAL_THREE_CROWS:
      c.first = kind.FIRST_IDENTICAL_THREE_CROWS;
      return identicalThreeCrows(c);
    case kind.PATTERN_IN_NECK:
      c.first = kind.FIRST_IN_NECK;
      return inNeck(c);
    case kind.PATTERN_INVERTED_HAMMER:
      c.first = kind.FIRST_INVERTED_HAMMER;
      return invertedHammer(c);
    case kind.PATTERN_KICKING:
      c.first = kind.FIRST_KICKING;
      return kicking(c);
    case kind.PATTERN_KICKING_BY_LENGTH:
      c.first = kind.FIRST_KICKING_BY_LENGTH;
      return kickingByLength(c);
    case kind.PATTERN_LADDER_BOTTOM:
      c.first = kind.FIRST_LADDER_BOTTOM;
      return ladderBottom(c);
    case kind.PATTERN_LONG_LEGGED_DOJI:
      c.first = kind.FIRST_LONG_LEGGED_DOJI;
      return longLeggedDoji(c);
    case kind.PATTERN_LONG_LINE:
      c.first = kind.FIRST_LONG_LINE;
      return longLine(c);
    case kind.PATTERN_MARUBOZU:
      c.first = kind.FIRST_MARUBOZU;
      return marubozu(c);
    case kind.PATTERN_MATCHING_LOW:
      c.first = kind.FIRST_MATCHING_LOW;
      return matchingLow(c);
    case kind.PATTERN_MAT_HOLD:
      c.first = kind.FIRST_MAT_HOLD;
      return matHold(c, penetration);
    case kind.PATTERN_MORNING_DOJI_STAR:
      c.first = kind.FIRST_MORNING_DOJI_STAR;
      return morningDojiStar(c, penetration);
    case kind.PATTERN_MORNING_STAR:
      c.first = kind.FIRST_MORNING_STAR;
      return morningStar(c, penetration);
    case kind.PATTERN_ON_NECK:
      c.first = kind.FIRST_ON_NECK;
      return onNeck(c);
    case kind.PATTERN_PIERCING:
      c.first = kind.FIRST_PIERCING;
      return piercing(c);
    case kind.PATTERN_RICKSHAW_MAN:
      c.first = kind.FIRST_RICKSHAW_MAN;
      return rickshawMan(c);
    case kind.PATTERN_THREE_METHODS:
      c.first = kind.FIRST_THREE_METHODS;
      return threeMethods(c);
    case kind.PATTERN_SEPARATING_LINES:
      c.first = kind.FIRST_SEPARATING_LINES;
      return separatingLines(c);
    case kind.PATTERN_SHOOTING_STAR:
      c.first = kind.FIRST_SHOOTING_STAR;
      return shootingStar(c);
    case kind.PATTERN_SHORT_LINE:
      c.first = kind.FIRST_SHORT_LINE;
      return shortLine(c);
    case kind.PATTERN_SPINNING_TOP:
      c.first = kind.FIRST_SPINNING_TOP;
      return spinningTop(c);
    case kind.PATTERN_STALLED:
      c.first = kind.FIRST_STALLED;
      return stalled(c);
    case kind.PATTERN_STICK_SANDWICH:
      c.first = kind.FIRST_STICK_SANDWICH;
      return stickSandwich(c);
    case kind.PATTERN_TAKURI:
      c.first = kind.FIRST_TAKURI;
      return takuri(c);
    case kind.PATTERN_TASUKI_GAP:
      c.first = kind.FIRST_TASUKI_GAP;
      return tasukiGap(c);
    case kind.PATTERN_THRUSTING:
      c.first = kind.FIRST_THRUSTING;
      return thrusting(c);
    case kind.PATTERN_TRISTAR:
      c.first = kind.FIRST_TRISTAR;
      return tristar(c);
    case kind.PATTERN_UNIQUE_THREE_RIVER:
      c.first = kind.FIRST_UNIQUE_THREE_RIVER;
      return uniqueThreeRiver(c);
    case kind.PATTERN_UPSIDE_GAP_TWO_CROWS:
      c.first = kind.FIRST_UPSIDE_GAP_TWO_CROWS;
      return upsideGapTwoCrows(c);
    case kind.PATTERN_GAP_THREE_METHODS:
      c.first = kind.FIRST_GAP_THREE_METHODS;
      return gapThreeMethods(c);
  }
}
