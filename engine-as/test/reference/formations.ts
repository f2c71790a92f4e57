import * as k from '../../abi/formationKinds.ts';
import type { Columns } from '../candles.ts';

/** Naive swing formations: at every candle the swings are searched again in all candles up to it. */

interface Swing {
  i: number;
  isHigh: boolean;
  p: number;
}
export interface FormationMatch {
  at: number;
  value: number;
  anchors: number[];
}

const wing = Array.from({ length: k.SWING_WING }, (_, n) => n + 1);

/** Swings that are known at candle `now`, in order. */
function swingsAt({ high, low }: Columns, now: number): Swing[] {
  const matches: Swing[] = [];
  for (let i = k.SWING_WING; i + k.SWING_WING <= now; i++) {
    const isHigh = wing.every((n) => high[i]! > high[i - n]! && high[i]! >= high[i + n]!);
    const isLow = wing.every((n) => low[i]! < low[i - n]! && low[i]! <= low[i + n]!);
    if (isHigh !== isLow) matches.push({ i, isHigh, p: isHigh ? high[i]! : low[i]! });
  }
  return matches;
}

/** Newest first. */
function zigzag(swings: readonly Swing[]): Swing[] {
  const retained: Swing[] = [];
  for (const swing of swings) {
    const [last] = retained;
    if (last?.isHigh !== swing.isHigh) retained.unshift(swing);
    else if (swing.isHigh ? swing.p > last.p : swing.p < last.p) retained[0] = swing;
  }
  return retained;
}

const line = (a: Swing, b: Swing, x: number): number => a.p + ((b.p - a.p) * (x - a.i)) / (b.i - a.i);
const turned = (swings: Swing[], turn: number): Swing[] => swings.map((s) => ({ ...s, p: turn * s.p }));

type Shape = (e: Swing[], close: number, now: number) => { value: number; count: number } | null;

const double =
  (turn: number): Shape =>
  (swings, close) => {
    const [b, valley, a, foot] = turned(swings, turn);
    if (b === undefined || valley === undefined || a === undefined || foot === undefined) return null;
    const height = Math.max(a.p, b.p) - valley.p;
    const isSo =
      b.isHigh === turn > 0 &&
      Math.abs(a.p - b.p) <= k.FORMATION_TOLERANCE * height &&
      b.i - a.i >= k.DOUBLE_GAP_MIN &&
      foot.p < valley.p &&
      turn * close < valley.p;
    return isSo ? { value: -100 * turn, count: 3 } : null;
  };

const shoulders =
  (turn: number): Shape =>
  (swings, close, now) => {
    const [e5, e4, e3, e2, e1] = turned(swings, turn);
    if (e1 === undefined || e2 === undefined || e3 === undefined || e4 === undefined || e5 === undefined) return null;
    const slack = k.FORMATION_TOLERANCE * (e3.p - (e2.p + e4.p) / 2);
    const isSo =
      e5.isHigh === turn > 0 &&
      e3.p > e1.p &&
      e3.p > e5.p &&
      Math.abs(e1.p - e5.p) <= slack &&
      Math.abs(e2.p - e4.p) <= slack &&
      turn * close < line(e2, e4, now);
    return isSo ? { value: -100 * turn, count: 5 } : null;
  };

/** Older and newer high, older and newer low, of the last four swings. */
function sides(swings: Swing[]): [Swing, Swing, Swing, Swing] | null {
  const four = swings.slice(0, 4).reverse();
  const [h1, h2] = four.filter(({ isHigh }) => isHigh);
  const [l1, l2] = four.filter(({ isHigh }) => !isHigh);
  return h1 === undefined || h2 === undefined || l1 === undefined || l2 === undefined ? null : [h1, h2, l1, l2];
}

const triangle =
  (kind: 'ascending' | 'descending' | 'symmetrical'): Shape =>
  (swings, close, now) => {
    const result = sides(swings);
    if (result === null) return null;
    const [h1, h2, l1, l2] = result;
    const slack = k.FORMATION_TOLERANCE * (Math.max(h1.p, h2.p) - Math.min(l1.p, l2.p));
    const [fall, rise] = [h1.p - h2.p, l2.p - l1.p];
    const shapes = {
      ascending: Math.abs(fall) <= slack && rise > slack,
      descending: Math.abs(rise) <= slack && fall > slack,
      symmetrical: fall > slack && rise > slack,
    };
    const [upper, lower] = [line(h1, h2, now), line(l1, l2, now)];
    if (!shapes[kind] || upper <= lower || (close <= upper && close >= lower)) return null;
    return { value: close > upper ? 100 : -100, count: 4 };
  };

const channel: Shape = (swings, _, now) => {
  const result = sides(swings);
  const [last] = swings;
  if (result === null || last === undefined || last.i + k.SWING_WING !== now) return null;
  const [h1, h2, l1, l2] = result;
  const span = last.i - Math.min(h1.i, l1.i);
  const [up, down] = [(h2.p - h1.p) / (h2.i - h1.i), (l2.p - l1.p) / (l2.i - l1.i)];
  const width = line(h1, h2, last.i) - line(l1, l2, last.i);
  const isSo =
    width > 0 &&
    up * down > 0 &&
    Math.abs(up - down) * span <= k.FORMATION_TOLERANCE * width &&
    Math.min(Math.abs(up), Math.abs(down)) * span >= k.CHANNEL_RISE_MIN * width;
  return isSo ? { value: up > 0 ? 100 : -100, count: 4 } : null;
};

const shapes: Record<string, Shape> = {
  doubleTop: double(1),
  doubleBottom: double(-1),
  headAndShoulders: shoulders(1),
  inverseHeadAndShoulders: shoulders(-1),
  ascendingTriangle: triangle('ascending'),
  descendingTriangle: triangle('descending'),
  symmetricalTriangle: triangle('symmetrical'),
  channel,
};

function ofShape(shape: Shape, candles: Columns): FormationMatch[] {
  const matches: FormationMatch[] = [];
  let reported: Swing | undefined;
  for (let now = 0; now < candles.close.length; now++) {
    const swings = zigzag(swingsAt(candles, now));
    const [last] = swings;
    if (last === undefined || swings.length < 4 || now - last.i > k.FORMATION_AGE_MAX || reported?.i === last.i)
      continue;
    const hit = shape(swings, candles.close[now]!, now);
    if (hit === null) continue;
    reported = last;
    const anchors = swings.slice(0, hit.count).map(({ i }) => i);
    matches.push({ at: now, value: hit.value, anchors: anchors.reverse() });
  }
  return matches;
}

const meanRange = ({ high, low }: Columns, before: number): number => {
  let sum = 0;
  for (let i = before - k.RANGE_CANDLES; i < before; i++) sum += high[i]! - low[i]!;
  return sum / k.RANGE_CANDLES;
};

/** Each pole is valid from the candle that confirms it until the next one of its direction is confirmed. */
function flags(candles: Columns): FormationMatch[] {
  const { high, low, close } = candles;
  const matches: FormationMatch[] = [];
  for (const turn of [1, -1]) {
    const poles: { from: Swing; to: Swing; known: number }[] = [];
    for (let known = 0; known < close.length; known++) {
      const [to, from] = zigzag(swingsAt(candles, known));
      if (to === undefined || from === undefined || to.i + k.SWING_WING !== known || to.isHigh !== turn > 0) continue;
      if (from.i < k.RANGE_CANDLES || to.i - from.i > k.POLE_CANDLES_MAX) continue;
      if (Math.abs(to.p - from.p) >= k.POLE_RANGES_MIN * meanRange(candles, from.i)) poles.push({ from, to, known });
    }
    poles.forEach(({ from, to, known }, n) => {
      const [head, foot] = [turn * to.p, turn * from.p];
      const deepest = head - k.FLAG_RETRACEMENT_MAX * (head - foot);
      const until = Math.min(to.i + k.FLAG_CANDLES_MAX, (poles[n + 1]?.known ?? Infinity) - 1, close.length - 1);
      const lows = (i: number): number => (turn > 0 ? low[i]! : -high[i]!);
      const isBelow = (i: number): boolean => lows(i) < deepest;
      for (let now = known; now <= until; now++) {
        const candlesOfFlag = Array.from({ length: now - to.i }, (_, j) => to.i + 1 + j);
        if (candlesOfFlag.some(isBelow)) return;
        if (turn * close[now]! <= head) continue;
        if (candlesOfFlag.length >= k.FLAG_CANDLES_MIN)
          matches.push({ at: now, value: 100 * turn, anchors: [from.i, to.i, now] });
        return;
      }
    });
  }
  return matches.sort((a, b) => a.at - b.at);
}

function levels(candles: Columns, isSupport: boolean): FormationMatch[] {
  const swings = swingsAt(candles, candles.close.length - 1).filter(({ isHigh }) => isHigh !== isSupport);
  return swings.flatMap(({ i, p }) => {
    if (i < k.RANGE_CANDLES) return [];
    const slack = k.LEVEL_RANGES_MAX * meanRange(candles, i);
    const near = swings.filter((s) => s.i < i && i - s.i <= k.LEVEL_CANDLES_MAX && Math.abs(s.p - p) <= slack);
    const anchors = [i, ...near.map((s) => s.i).reverse()].slice(0, k.ANCHORS_MAX);
    return near.length + 1 < k.LEVEL_TOUCHES_MIN
      ? []
      : [{ at: i + k.SWING_WING, value: isSupport ? 100 : -100, anchors }];
  });
}

export function referenceFormation(id: string, candles: Columns): FormationMatch[] {
  if (id === 'flag') return flags(candles);
  if (id === 'support' || id === 'resistance') return levels(candles, id === 'support');
  const shape = shapes[id];
  if (shape === undefined) throw new Error(`no formation ${id}`);
  return ofShape(shape, candles);
}
