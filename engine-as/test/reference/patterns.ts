import type { Columns } from '../candles.ts';

/** Candlestick patterns the slow way: one predicate per pattern over candle objects. Held against the kernel to the last value. Long because each
 * pattern has its predicate. */

interface Candle {
  o: number;
  h: number;
  l: number;
  c: number;
  white: boolean;
  body: number;
  top: number;
  bottom: number;
  up: number;
  down: number;
}

/** Multiple, candles in the mean (0: the candle itself), and what of a candle is measured. */
const settings = {
  long: [1, 10, (x: Candle) => x.body],
  small: [1, 10, (x: Candle) => x.body],
  flat: [0.1, 10, (x: Candle) => x.h - x.l],
  longTail: [1, 0, (x: Candle) => x.body],
  longestTail: [2, 0, (x: Candle) => x.body],
  shortTail: [1, 10, (x: Candle) => x.up + x.down],
  noTail: [0.1, 10, (x: Candle) => x.h - x.l],
  near: [0.2, 5, (x: Candle) => x.h - x.l],
  far: [0.6, 5, (x: Candle) => x.h - x.l],
  equal: [0.05, 5, (x: Candle) => x.h - x.l],
} as const satisfies Record<string, readonly [number, number, (x: Candle) => number]>;
type Setting = keyof typeof settings;

/** Input of a rule: the last candles, newest last, and thresholds of the candle `back` before the newest. */
interface View {
  at: (back: number) => Candle;
  than: (setting: Setting, back: number) => number;
  penetration: number;
}
type Rule = (view: View) => number;

const sign = (x: Candle): number => (x.white ? 1 : -1);
const gapUp = (later: Candle, earlier: Candle): boolean => later.bottom > earlier.top;
const gapDown = (later: Candle, earlier: Candle): boolean => later.top < earlier.bottom;
const within = (value: number, level: number, slack: number): boolean =>
  !(value > level + slack || value < level - slack);
const when = (isSo: boolean, value: number): number => (isSo ? value : 0);

/** Rules of one candle: what its body and its shadows are. */
const single =
  (judge: (x: Candle, than: (setting: Setting) => number) => boolean, value: (x: Candle) => number): Rule =>
  ({ at, than }) =>
    when(
      judge(at(0), (setting) => than(setting, 0)),
      value(at(0)),
    );
const coloured = (x: Candle): number => 100 * sign(x);
const always = (): number => 100;

/** A three-candle turn: `way` is the direction it turns to. */
const turn =
  (middle: Setting, way: 1 | -1): Rule =>
  ({ at, than, penetration }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const colours = sign(a) === -way && sign(z) === way;
    const sizes = a.body > than('long', 2) && b.body <= than(middle, 1) && z.body > than('small', 0);
    const gap = way === 1 ? gapDown(b, a) : gapUp(b, a);
    const depth = way === 1 ? z.c > a.c + a.body * penetration : z.c < a.c - a.body * penetration;
    return when(colours && sizes && gap && depth, 100 * way);
  };

const inside =
  (second: Setting): Rule =>
  ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    if (a.body <= than('long', 1) || z.body > than(second, 0)) return 0;
    if (z.top > a.top || z.bottom < a.bottom) return 0;
    return (z.top === a.top || z.bottom === a.bottom ? -80 : -100) * sign(a);
  };

const kick =
  (byLength: boolean): Rule =>
  ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const bare = (x: Candle, back: number): boolean =>
      x.body > than('long', back) && Math.max(x.up, x.down) < than('noTail', back);
    if (a.white === z.white || !bare(a, 1) || !bare(z, 0)) return 0;
    if (!(z.white ? z.l > a.h : z.h < a.l)) return 0;
    return 100 * sign(byLength && z.body <= a.body ? a : z);
  };

/** A long black candle, then a white one that opens below its low; `reach` says how far up it closes. */
const weakRise =
  (reach: (z: Candle, a: Candle, equal: number) => boolean): Rule =>
  ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const isStart = !a.white && a.body > than('long', 1) && z.white && z.o < a.l;
    return when(isStart && reach(z, a, than('equal', 1)), -100);
  };

const threeRising = ({ at }: View): boolean =>
  [2, 1, 0].every((back) => at(back).white) && at(0).c > at(1).c && at(1).c > at(2).c;
const opensInOrNear = ({ at, than }: View, back: number): boolean => {
  const [x, earlier] = [at(back), at(back + 1)];
  return x.o > earlier.o && x.o <= earlier.c + than('near', back + 1);
};

const rules: Record<string, Rule> = {
  twoCrows: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const isStart = a.white && a.body > than('long', 2) && !b.white && gapUp(b, a);
    return when(isStart && !z.white && z.o < b.o && z.o > b.c && z.c > a.o && z.c < a.c, -100);
  },
  threeBlackCrows: ({ at, than }) => {
    const crows = [at(2), at(1), at(0)];
    const bare = crows.every((x, k) => !x.white && x.down < than('noTail', 2 - k));
    const steps = [1, 2].every((k) => {
      const [x, earlier] = [crows[k]!, crows[k - 1]!];
      return x.o < earlier.o && x.o > earlier.c && x.c < earlier.c;
    });
    return when(at(3).white && bare && steps && at(3).h > at(2).c, -100);
  },
  threeInside: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const isInside = b.top < a.top && b.bottom > a.bottom;
    const turns = a.white ? !z.white && z.c < a.o : z.white && z.c > a.o;
    return when(a.body > than('long', 2) && b.body <= than('small', 1) && isInside && turns, -100 * sign(a));
  },
  threeLineStrike: ({ at, than }) => {
    const way = sign(at(1));
    const same = [3, 2, 1].every((back) => sign(at(back)) === way) && sign(at(0)) === -way;
    const steps = [2, 1].every((back) => {
      const slack = than('near', back + 1);
      return at(back).o >= at(back + 1).bottom - slack && at(back).o <= at(back + 1).top + slack;
    });
    const goes = way * at(1).c > way * at(2).c && way * at(2).c > way * at(3).c;
    return when(same && steps && goes && way * at(0).o > way * at(1).c && way * at(0).c < way * at(3).o, 100 * way);
  },
  threeOutside: ({ at }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    if (a.white === b.white) return 0;
    const way = sign(b);
    return when(way * b.c > way * a.o && way * b.o < way * a.c && way * z.c > way * b.c, 100 * way);
  },
  threeStarsInSouth: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const first = a.body > than('long', 2) && a.down > than('longTail', 2);
    const second = b.body < a.body && b.o > a.c && b.o <= a.h && b.l < a.c && b.l >= a.l && b.down > than('noTail', 1);
    const third = z.body < than('small', 0) && Math.max(z.up, z.down) < than('noTail', 0) && z.l > b.l && z.h < b.h;
    return when(!a.white && !b.white && !z.white && first && second && third, 100);
  },
  threeWhiteSoldiers: (view) => {
    const { at, than } = view;
    const bare = [2, 1, 0].every((back) => at(back).up < than('noTail', back));
    const steps = [1, 0].every(
      (back) => opensInOrNear(view, back) && at(back).body > at(back + 1).body - than('far', back + 1),
    );
    return when(threeRising(view) && bare && steps && at(0).body > than('small', 0), 100);
  },
  abandonedBaby: ({ at, than, penetration }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    if (a.white === z.white || a.body <= than('long', 2) || b.body > than('flat', 1) || z.body <= than('small', 0))
      return 0;
    if (a.white) return when(b.l > a.h && z.h < b.l && z.c < a.c - a.body * penetration, -100);
    return when(b.h < a.l && z.l > b.h && z.c > a.c + a.body * penetration, 100);
  },
  advanceBlock: (view) => {
    const { at, than } = view;
    const [a, b, z] = [at(2), at(1), at(0)];
    const rises = threeRising(view) && opensInOrNear(view, 1) && opensInOrNear(view, 0);
    const weakens =
      (b.body < a.body - than('far', 2) && z.body < b.body + than('near', 1)) ||
      z.body < b.body - than('far', 1) ||
      (z.body < b.body && b.body < a.body && (z.up > than('shortTail', 0) || b.up > than('shortTail', 1))) ||
      (z.body < b.body && z.up > than('longTail', 0));
    return when(rises && a.body > than('long', 2) && a.up < than('shortTail', 2) && weakens, -100);
  },
  beltHold: single((x, than) => x.body > than('long') && (x.white ? x.down : x.up) < than('noTail'), coloured),
  breakaway: ({ at, than }) => {
    const way = -sign(at(4));
    const colours = sign(at(3)) === -way && sign(at(1)) === -way && sign(at(0)) === way;
    const gap = way === 1 ? gapDown(at(3), at(4)) : gapUp(at(3), at(4));
    const goes = [2, 1].every(
      (back) => way * at(back).h < way * at(back + 1).h && way * at(back).l < way * at(back + 1).l,
    );
    const closes = way * at(0).c > way * at(3).o && way * at(0).c < way * at(4).c;
    return when(at(4).body > than('long', 4) && colours && gap && goes && closes, 100 * way);
  },
  closingMarubozu: single((x, than) => x.body > than('long') && (x.white ? x.up : x.down) < than('noTail'), coloured),
  concealingBabySwallow: ({ at, than }) => {
    const [a, b, d, z] = [at(3), at(2), at(1), at(0)];
    const black = [a, b, d, z].every((x) => !x.white);
    const bare = Math.max(a.up, a.down) < than('noTail', 3) && Math.max(b.up, b.down) < than('noTail', 2);
    const third = gapDown(d, b) && d.up > than('noTail', 1) && d.h > b.c;
    return when(black && bare && third && z.h > d.h && z.l < d.l, 100);
  },
  counterattack: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const isLong = a.body > than('long', 1) && z.body > than('long', 0);
    return when(a.white !== z.white && isLong && within(z.c, a.c, than('equal', 1)), coloured(z));
  },
  darkCloudCover: ({ at, than, penetration }) => {
    const [a, z] = [at(1), at(0)];
    const isStart = a.white && a.body > than('long', 1) && !z.white && z.o > a.h;
    return when(isStart && z.c > a.o && z.c < a.c - a.body * penetration, -100);
  },
  doji: single((x, than) => x.body <= than('flat'), always),
  dojiStar: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const gap = a.white ? gapUp(z, a) : gapDown(z, a);
    return when(a.body > than('long', 1) && z.body <= than('flat', 0) && gap, -coloured(a));
  },
  dragonflyDoji: single(
    (x, than) => x.body <= than('flat') && x.up < than('noTail') && x.down > than('noTail'),
    always,
  ),
  engulfing: ({ at }) => {
    const [a, z] = [at(1), at(0)];
    if (a.white === z.white || z.top < a.top || z.bottom > a.bottom) return 0;
    const shared = Number(z.top === a.top) + Number(z.bottom === a.bottom);
    return shared === 2 ? 0 : (shared === 1 ? 80 : 100) * sign(z);
  },
  eveningDojiStar: turn('flat', -1),
  eveningStar: turn('small', -1),
  sideBySideWhite: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const up = gapUp(b, a) && gapUp(z, a);
    const down = gapDown(b, a) && gapDown(z, a);
    const alike = within(z.body, b.body, than('near', 1)) && within(z.o, b.o, than('equal', 1));
    return when((up || down) && b.white && z.white && alike, up ? 100 : -100);
  },
  gravestoneDoji: single(
    (x, than) => x.body <= than('flat') && x.down < than('noTail') && x.up > than('noTail'),
    always,
  ),
  hammer: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const shape = z.body < than('small', 0) && z.down > than('longTail', 0) && z.up < than('noTail', 0);
    return when(shape && z.bottom <= a.l + than('near', 1), 100);
  },
  hangingMan: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const shape = z.body < than('small', 0) && z.down > than('longTail', 0) && z.up < than('noTail', 0);
    return when(shape && z.bottom >= a.h - than('near', 1), -100);
  },
  harami: inside('small'),
  haramiCross: inside('flat'),
  highWave: single((x, than) => x.body < than('small') && Math.min(x.up, x.down) > than('longestTail'), coloured),
  homingPigeon: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const sizes = a.body > than('long', 1) && z.body <= than('small', 0);
    return when(!a.white && !z.white && sizes && z.top < a.top && z.bottom > a.bottom, 100);
  },
  identicalThreeCrows: ({ at, than }) => {
    const bare = [2, 1, 0].every((back) => !at(back).white && at(back).down < than('noTail', back));
    const steps = [1, 0].every(
      (back) => at(back).c < at(back + 1).c && within(at(back).o, at(back + 1).c, than('equal', back + 1)),
    );
    return when(bare && steps, -100);
  },
  inNeck: weakRise((z, a, equal) => z.c >= a.c && z.c <= a.c + equal),
  invertedHammer: ({ at, than }) => {
    const z = at(0);
    const shape = z.body < than('small', 0) && z.up > than('longTail', 0) && z.down < than('noTail', 0);
    return when(shape && gapDown(z, at(1)), 100);
  },
  kicking: kick(false),
  kickingByLength: kick(true),
  ladderBottom: ({ at, than }) => {
    const black = [4, 3, 2, 1].every((back) => !at(back).white);
    const falls = [3, 2].every((back) => at(back).o < at(back + 1).o && at(back).c < at(back + 1).c);
    const e = at(1);
    const z = at(0);
    return when(black && falls && e.up > than('noTail', 1) && z.white && z.o > e.o && z.c > e.h, 100);
  },
  longLeggedDoji: single((x, than) => x.body <= than('flat') && Math.max(x.up, x.down) > than('longTail'), always),
  longLine: single((x, than) => x.body > than('long') && Math.max(x.up, x.down) < than('shortTail'), coloured),
  marubozu: single((x, than) => x.body > than('long') && Math.max(x.up, x.down) < than('noTail'), coloured),
  matchingLow: ({ at, than }) => when(!at(1).white && !at(0).white && within(at(0).c, at(1).c, than('equal', 1)), 100),
  matHold: ({ at, than, penetration }) => {
    const [a, b, d, e, z] = [at(4), at(3), at(2), at(1), at(0)];
    const small = [3, 2, 1].every((back) => at(back).body < than('small', back));
    const holds = [d, e].every((x) => x.bottom < a.c && x.bottom > a.c - a.body * penetration);
    const shape = a.white && a.body > than('long', 4) && !b.white && gapUp(b, a) && small && holds;
    const ends = d.top < b.o && e.top < d.top && z.white && z.o > e.c && z.c > Math.max(b.h, d.h, e.h);
    return when(shape && ends, 100);
  },
  morningDojiStar: turn('flat', 1),
  morningStar: turn('small', 1),
  onNeck: weakRise((z, a, equal) => within(z.c, a.l, equal)),
  piercing: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const isStart = !a.white && a.body > than('long', 1) && z.white && z.body > than('long', 0) && z.o < a.l;
    return when(isStart && z.c < a.o && z.c > a.c + a.body * 0.5, 100);
  },
  rickshawMan: single((x, than) => {
    const middle = x.l + (x.h - x.l) / 2;
    const central = x.bottom <= middle + than('near') && x.top >= middle - than('near');
    return x.body <= than('flat') && Math.min(x.up, x.down) > than('longTail') && central;
  }, always),
  threeMethods: ({ at, than }) => {
    const a = at(4);
    const way = sign(a);
    const small = [3, 2, 1].every((back) => at(back).body < than('small', back) && sign(at(back)) === -way);
    const held = [3, 2, 1].every((back) => at(back).bottom < a.h && at(back).top > a.l);
    const goes = way * at(2).c < way * at(3).c && way * at(1).c < way * at(2).c;
    const z = at(0);
    const ends = sign(z) === way && z.body > than('long', 0) && way * z.o > way * at(1).c && way * z.c > way * a.c;
    return when(a.body > than('long', 4) && small && held && goes && ends, 100 * way);
  },
  separatingLines: ({ at, than }) => {
    const [a, z] = [at(1), at(0)];
    const bare = z.body > than('long', 0) && (z.white ? z.down : z.up) < than('noTail', 0);
    return when(a.white !== z.white && bare && within(z.o, a.o, than('equal', 1)), coloured(z));
  },
  shootingStar: ({ at, than }) => {
    const z = at(0);
    const shape = z.body < than('small', 0) && z.up > than('longTail', 0) && z.down < than('noTail', 0);
    return when(shape && gapUp(z, at(1)), -100);
  },
  shortLine: single((x, than) => x.body < than('small') && Math.max(x.up, x.down) < than('shortTail'), coloured),
  spinningTop: single((x, than) => x.body < than('small') && Math.min(x.up, x.down) > x.body, coloured),
  stalled: (view) => {
    const { at, than } = view;
    const [a, b, z] = [at(2), at(1), at(0)];
    const long = a.body > than('long', 2) && b.body > than('long', 1) && b.up < than('noTail', 1);
    const shoulder = z.body < than('small', 0) && z.o >= b.c - z.body - than('near', 1);
    return when(threeRising(view) && opensInOrNear(view, 1) && long && shoulder, -100);
  },
  stickSandwich: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    return when(!a.white && b.white && !z.white && b.l > a.c && within(z.c, a.c, than('equal', 2)), 100);
  },
  takuri: single((x, than) => x.body <= than('flat') && x.up < than('noTail') && x.down > than('longestTail'), always),
  tasukiGap: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const way = sign(b);
    const gap = way === 1 ? gapUp(b, a) : gapDown(b, a);
    const opens = z.o < b.top && z.o > b.bottom;
    const closes = way === 1 ? z.c < b.o && z.c > a.top : z.c > b.o && z.c < a.bottom;
    const alike = Math.abs(b.body - z.body) < than('near', 1);
    return when(gap && b.white !== z.white && opens && closes && alike, 100 * way);
  },
  thrusting: weakRise((z, a, equal) => z.c > a.c + equal && z.c <= a.c + a.body * 0.5),
  tristar: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    if (Math.max(a.body, b.body, z.body) > than('flat', 2)) return 0;
    if (gapUp(b, a) && z.top < b.top) return -100;
    return when(gapDown(b, a) && z.bottom > b.bottom, 100);
  },
  uniqueThreeRiver: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const first = !a.white && a.body > than('long', 2);
    const second = !b.white && b.c > a.c && b.o <= a.o && b.l < a.l;
    return when(first && second && z.white && z.body < than('small', 0) && z.o > b.l, 100);
  },
  upsideGapTwoCrows: ({ at, than }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const isStart = a.white && a.body > than('long', 2) && !b.white && b.body <= than('small', 1) && gapUp(b, a);
    return when(isStart && !z.white && z.o > b.o && z.c < b.c && z.c > a.c, -100);
  },
  gapThreeMethods: ({ at }) => {
    const [a, b, z] = [at(2), at(1), at(0)];
    const way = sign(a);
    const gap = way === 1 ? gapUp(b, a) : gapDown(b, a);
    const fills = z.o < b.top && z.o > b.bottom && z.c < a.top && z.c > a.bottom;
    return when(sign(b) === way && sign(z) === -way && gap && fills, 100 * way);
  },
};

/** Traps: 100 x direction of the trap that candle 0 completes, 0 without one. */
const trap =
  (insideBars: number): Rule =>
  ({ at, than }) => {
    for (let back = 1; back <= insideBars; back++)
      if (!(at(back).h < at(back + 1).h && at(back).l > at(back + 1).l)) return 0;
    const [z, b] = [at(0), at(1)];
    const way = z.h < b.h && z.l < b.l ? 1 : z.h > b.h && z.l > b.l ? -1 : 0;
    if (insideBars === 1 || way === 0) return 100 * way;
    const first = at(2);
    const isNear = way === 1 ? first.c <= first.l + than('near', 2) : first.c >= first.h - than('near', 2);
    return when(isNear, 100 * way);
  };
const traps: Record<string, Rule> = { hikkake: trap(1), modifiedHikkake: trap(2) };

function candlesOf(columns: Columns): Candle[] {
  return Array.from(columns.close, (c, i) => {
    const [o, h, l] = [columns.open[i]!, columns.high[i]!, columns.low[i]!];
    const [top, bottom] = [Math.max(o, c), Math.min(o, c)];
    return { o, h, l, c, white: c >= o, body: Math.abs(c - o), top, bottom, up: h - top, down: bottom - l };
  });
}

/**
 * @param first first candle that can complete the pattern
 * @returns     the value of each candle
 */
export function referencePattern(id: string, columns: Columns, first: number, penetration: number): number[] {
  const candles = candlesOf(columns);
  // A trap is searched from three candles before the first result, for its confirmation.
  const start = id in traps ? first - 3 : first;
  const cache = new Map<string, number[]>();
  const than = (i: number, setting: Setting, back: number): number => {
    const key = `${setting} ${back}`;
    const column = cache.get(key) ?? thresholds(candles, setting, back, start);
    cache.set(key, column);
    return column[i]!;
  };
  const view = (i: number): View => ({
    at: (back) => candles[i - back]!,
    than: (setting, back) => than(i, setting, back),
    penetration,
  });
  const values = candles.map(() => 0);
  const rule = rules[id];
  if (rule !== undefined) return values.map((_, i) => (i < first ? 0 : rule(view(i))));
  let open: { at: number; way: number } | undefined;
  for (let i = start; i < candles.length; i++) {
    const actual = traps[id]!(view(i));
    if (actual !== 0) open = { at: i, way: Math.sign(actual) };
    const bar = open === undefined ? undefined : candles[open.at - 1]!;
    const isConfirmed =
      actual === 0 &&
      open !== undefined &&
      i <= open.at + 3 &&
      (open.way > 0 ? candles[i]!.c > bar!.h : candles[i]!.c < bar!.l);
    if (i >= first) values[i] = isConfirmed ? 200 * open!.way : actual;
    if (isConfirmed) open = undefined;
  }
  return values;
}

/** The mean runs from `start` on: the newest candle comes in and the oldest goes out in one step, as in TA-Lib. */
function thresholds(candles: Candle[], setting: Setting, back: number, start: number): number[] {
  const [factor, period, measure] = settings[setting];
  const share = setting === 'shortTail' ? 2 : 1;
  if (period === 0) return candles.map((_, i) => (i < back ? NaN : (factor * measure(candles[i - back]!)) / share));
  let sum = 0;
  return candles.map((_, i) => {
    if (i < start) {
      if (i >= start - period) sum += measure(candles[i - back]!);
      return NaN;
    }
    const value = (factor * (sum / period)) / share;
    sum += measure(candles[i - back]!) - measure(candles[i - back - period]!);
    return value;
  });
}
