import * as kind from './formationKinds.ts';
import type { PatternLean } from './patterns.ts';

/**
 * Swing formations: lines through confirmed highs and lows. Every rule is about shares of the formation's own height, so it does not
 * depend on the scale of the prices. A formation, like a candlestick pattern, is no forecast.
 */
export interface FormationEntry {
  /** Name in the API and the documents. */
  id: string;
  title: string;
  /** FORMATION_* of formationKinds.ts. */
  kind: number;
  lean: PatternLean;
  /** How it is drawn through its anchors: a zigzag in their order, a line through the anchors of each side, or one level. */
  drawn: 'zigzag' | 'sides' | 'level';
  definition: string;
  source: string;
}

const edwards = 'R. D. Edwards and J. Magee, Technical Analysis of Stock Trends (1948)';
const lo =
  'A. W. Lo, H. Mamaysky and J. Wang, Foundations of Technical Analysis, Journal of Finance 55 (2000), with the break of Edwards and Magee (1948)';
const { FORMATION_TOLERANCE: slack, FORMATION_AGE_MAX: age } = kind;
const equal = `within ${slack * 100} % of the height`;

export const formationRegistry: readonly FormationEntry[] = [
  {
    id: 'doubleTop',
    title: 'Double top',
    kind: kind.FORMATION_DOUBLE_TOP,
    lean: 'bearish',
    drawn: 'zigzag',
    definition: `After a rise two highs, ${equal} of each other and at least ${kind.DOUBLE_GAP_MIN} candles apart, then a close below the low between them.`,
    source: lo,
  },
  {
    id: 'doubleBottom',
    title: 'Double bottom',
    kind: kind.FORMATION_DOUBLE_BOTTOM,
    lean: 'bullish',
    drawn: 'zigzag',
    definition: `After a fall two lows, ${equal} of each other and at least ${kind.DOUBLE_GAP_MIN} candles apart, then a close above the high between them.`,
    source: lo,
  },
  {
    id: 'headAndShoulders',
    title: 'Head and shoulders',
    kind: kind.FORMATION_HEAD_AND_SHOULDERS,
    lean: 'bearish',
    drawn: 'zigzag',
    definition: `Three highs, the middle one highest, both others ${equal} of each other, and so are the lows between them; then a close below the line through these lows.`,
    source: lo,
  },
  {
    id: 'inverseHeadAndShoulders',
    title: 'Inverse head and shoulders',
    kind: kind.FORMATION_INVERSE_HEAD_AND_SHOULDERS,
    lean: 'bullish',
    drawn: 'zigzag',
    definition: `Three lows, the middle one lowest, both others ${equal} of each other, and so are the highs between them; then a close above the line through these highs.`,
    source: lo,
  },
  {
    id: 'ascendingTriangle',
    title: 'Ascending triangle',
    kind: kind.FORMATION_ASCENDING_TRIANGLE,
    lean: 'either',
    drawn: 'sides',
    definition: `Two highs ${equal} of each other and two lows that rise by more, then a close beyond one of the two lines, before they meet.`,
    source: edwards,
  },
  {
    id: 'descendingTriangle',
    title: 'Descending triangle',
    kind: kind.FORMATION_DESCENDING_TRIANGLE,
    lean: 'either',
    drawn: 'sides',
    definition: `Two lows ${equal} of each other and two highs that fall by more, then a close beyond one of the two lines, before they meet.`,
    source: edwards,
  },
  {
    id: 'symmetricalTriangle',
    title: 'Symmetrical triangle',
    kind: kind.FORMATION_SYMMETRICAL_TRIANGLE,
    lean: 'either',
    drawn: 'sides',
    definition: `Two highs that fall and two lows that rise, each by more than ${slack * 100} % of the height, then a close beyond one of the two lines, before they meet.`,
    source: edwards,
  },
  {
    id: 'flag',
    title: 'Flag',
    kind: kind.FORMATION_FLAG,
    lean: 'either',
    drawn: 'zigzag',
    definition: `A pole of at most ${kind.POLE_CANDLES_MAX} candles from swing to swing, at least ${kind.POLE_RANGES_MIN} mean ranges of the ${kind.RANGE_CANDLES} candles before it high; then ${kind.FLAG_CANDLES_MIN} to ${kind.FLAG_CANDLES_MAX} candles that give back at most ${kind.FLAG_RETRACEMENT_MAX * 100} % of it, and a close beyond its end.`,
    source: edwards,
  },
  {
    id: 'channel',
    title: 'Channel',
    kind: kind.FORMATION_CHANNEL,
    lean: 'either',
    drawn: 'sides',
    definition: `Two highs and two lows on lines of one direction whose distance changes by at most ${slack * 100} % over its length, and that move by at least ${kind.CHANNEL_RISE_MIN * 100} % of it; known with the confirmation of the fourth swing. The sign is that of the slope.`,
    source: edwards,
  },
  {
    id: 'support',
    title: 'Support',
    kind: kind.FORMATION_SUPPORT,
    lean: 'bullish',
    drawn: 'level',
    definition: `A swing low with at least ${kind.LEVEL_TOUCHES_MIN - 1} others of the ${kind.LEVEL_CANDLES_MAX} candles before it within ${kind.LEVEL_RANGES_MAX} mean ranges.`,
    source: edwards,
  },
  {
    id: 'resistance',
    title: 'Resistance',
    kind: kind.FORMATION_RESISTANCE,
    lean: 'bearish',
    drawn: 'level',
    definition: `A swing high with at least ${kind.LEVEL_TOUCHES_MIN - 1} others of the ${kind.LEVEL_CANDLES_MAX} candles before it within ${kind.LEVEL_RANGES_MAX} mean ranges.`,
    source: edwards,
  },
];

/** Terms used in the definitions. */
export const formationTerms: readonly { term: string; meaning: string }[] = [
  {
    term: 'swing high, low',
    meaning: `higher (lower) than the ${kind.SWING_WING} candles before it and not lower (higher) than the ${kind.SWING_WING} after it; known ${kind.SWING_WING} candles later`,
  },
  {
    term: 'highs, lows of a formation',
    meaning: 'swings that alternate: of two on one side the farther one counts; a candle that is both is neither',
  },
  {
    term: 'height',
    meaning:
      'from the highest to the lowest of its swings; of head and shoulders from the head to the mean of the neck',
  },
  {
    term: 'left in time',
    meaning: `the close that completes it comes within ${age} candles of its last swing; each is reported once`,
  },
  { term: 'mean range', meaning: `of the ${kind.RANGE_CANDLES} candles before` },
];
