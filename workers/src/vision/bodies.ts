import type { Body } from './columns.ts';
import { type Box, eachInkRun } from './labels.ts';

/** Bodies of candles among the labels: runs as wide as a body, stacked and mended. */

/** The width of horizontal runs that covers most area. */
export function commonWidth(labels: Int8Array, box: Box): number {
  const widest = Math.floor(box.width / 10);
  const area = new Float64Array(widest + 2);
  eachInkRun(labels, box, (from, end) => {
    const length = end - from;
    if (length >= 2 && length <= widest) area[length] = (area[length] as number) + length;
  });
  let best = 0;
  const near = (length: number): number =>
    (area[length - 1] ?? 0) * 0.5 + (area[length] as number) + (area[length + 1] ?? 0) * 0.5;
  for (let length = 2; length <= widest; length++) if (best === 0 || near(length) > near(best)) best = length;
  return best;
}

const isBodyWide = (length: number, bodyWidth: number): boolean =>
  length >= Math.max(2, bodyWidth * 0.6) && length <= bodyWidth * 1.5 + 1;

/** Inks with less of the area than this are not tried as colours of candles. */
const inksTried = 5;

/**
 * Pairs of inks that may draw the candles, likeliest first: the one ink, or the two, that most runs as wide as a body have, then other
 * pairs. Small candles beside pale volume bars and text have less area than those.
 */
export function candleInks(labels: Int8Array, box: Box, inkCount: number, bodyWidth: number): number[][] {
  const area = new Float64Array(inkCount);
  eachInkRun(labels, box, (from, end, ink) => {
    if (isBodyWide(end - from, bodyWidth)) area[ink] = (area[ink] as number) + end - from;
  });
  const least = box.width * box.height * 0.0004;
  const order = [...area.keys()].sort((a, b) => (area[b] as number) - (area[a] as number));
  const [first, second] = order;
  if (first === undefined || (area[first] as number) < least) return [];
  const isOne = second === undefined || (area[second] as number) <= (area[first] as number) * 0.06;
  const tried = order.slice(0, inksTried).filter((ink) => (area[ink] as number) >= least);
  const pairs = tried.flatMap((one, at) => tried.slice(at + 1).map((other) => [one, other]));
  return isOne ? [[first], ...pairs] : pairs;
}

interface Ground {
  labels: Int8Array;
  holes: Uint8Array;
  box: Box;
  pair: readonly number[];
  bodyWidth: number;
}

/** Rows of a curve over a body, or of a blur, that do not end it. */
const bodyGapMax = 5;

/** Stacks runs as wide as a body to bodies. */
export function bodiesOf({ labels, holes, box, pair, bodyWidth }: Ground): Body[] {
  const open: (Body & { last: number; from: number; end: number; hollowPixels: number })[] = [];
  const done: Body[] = [];
  let row = -1;
  const close = (y: number): void => {
    for (let at = open.length - 1; at >= 0; at--) {
      const body = open[at] as (typeof open)[number];
      if (y - body.last <= bodyGapMax) continue;
      open.splice(at, 1);
      done.push(body);
    }
  };
  eachInkRun(labels, box, (from, end, ink) => {
    if (!pair.includes(ink) || !isBodyWide(end - from, bodyWidth)) return;
    const y = Math.floor(from / box.width);
    if (y !== row) {
      row = y;
      close(y);
    }
    const x = (from + end) / 2 - y * box.width;
    let hollowPixels = 0;
    for (let pixel = from; pixel < end; pixel++) if (holes[pixel] !== 0) hollowPixels++;
    const match = open.find((body) => body.ink === ink && Math.abs(body.x - x) <= Math.max(1, bodyWidth * 0.4));
    if (match === undefined) {
      const body = { x, top: y, bottom: y + 1, ink, pixels: end - from, isHollow: false };
      open.push({ ...body, last: y, from, end, hollowPixels });
      return;
    }
    // The widest row gives the best centre.
    if (end - from > match.end - match.from) {
      match.x = x;
      match.from = from;
      match.end = end;
    }
    match.last = y;
    match.bottom = y + 1;
    match.pixels += end - from;
    match.hollowPixels += hollowPixels;
    match.isHollow = match.hollowPixels > match.pixels * 0.25;
  });
  close(box.height + bodyGapMax + 1);
  return done;
}

/** A label is wider than this many bodies. */
const labelWidths = 2.2;

/** Pieces of a label between its characters: directly above or below them the ink runs on, wider than two bodies. */
export function withoutLabels(
  bodies: readonly Body[],
  labels: Int8Array,
  { width, height }: Box,
  bodyWidth: number,
): Body[] {
  const isWide = ({ x, ink }: Body, y: number): boolean => {
    const at = y * width + Math.floor(x);
    if (y < 0 || y >= height || labels[at] !== ink) return false;
    let [left, right] = [at, at];
    while (left > y * width && labels[left - 1] === ink) left--;
    while (right < (y + 1) * width - 1 && labels[right + 1] === ink) right++;
    return right - left + 1 > bodyWidth * labelWidths;
  };
  return bodies.filter((body) => !isWide(body, body.top - 1) && !isWide(body, body.bottom));
}

/** Bodies that end on the row where most end are volume bars. */
export function withoutBars(bodies: readonly Body[], { height }: Box): Body[] {
  const ends = new Uint32Array(height + 1);
  for (const { bottom } of bodies) ends[bottom] = (ends[bottom] as number) + 1;
  const near = (row: number): number => {
    let count = 0;
    for (let at = row - 2; at <= row + 2; at++) count += ends[at] ?? 0;
    return count;
  };
  let base = 0;
  for (let row = Math.floor(height * 0.5); row <= height; row++) if (near(row) > near(base)) base = row;
  const isCommon = base > 0 && near(base) > bodies.length * 0.25;
  return bodies.filter(({ bottom }) => !isCommon || Math.abs(bottom - base) > 2);
}

/** Parts of one body that a curve has cut: between them there is no background. */
export function mended(bodies: readonly Body[], foreground: Uint8Array, { width }: Box, bodyWidth: number): Body[] {
  const whole: Body[] = [];
  for (const body of [...bodies].sort((a, b) => a.top - b.top)) {
    const above = whole.find(
      (other) =>
        other.ink === body.ink &&
        other.bottom <= body.top &&
        Math.abs(other.x - body.x) <= Math.max(1, bodyWidth * 0.4) &&
        isCovered(foreground, width, Math.floor(body.x), other.bottom, body.top),
    );
    if (above === undefined) {
      whole.push({ ...body });
      continue;
    }
    if (body.pixels > above.pixels) above.x = body.x;
    above.bottom = body.bottom;
    above.pixels += body.pixels;
  }
  return whole;
}

/** At least four fifths of the rows between stand out from the background, over at most 40 rows. */
function isCovered(foreground: Uint8Array, width: number, x: number, from: number, end: number): boolean {
  if (end - from > 40) return false;
  let count = 0;
  for (let y = from; y < end; y++) count += foreground[y * width + x] as number;
  return count >= (end - from) * 0.8;
}

/** True when one ink has both hollow and filled bodies: then hollow means the direction, not the ink. */
export function mixesHollow(bodies: readonly Body[]): boolean {
  return [...new Set(bodies.map(({ ink }) => ink))].some((ink) => {
    const tall = bodies.filter((body) => body.ink === ink && body.bottom - body.top > 4);
    const hollow = tall.filter(({ isHollow }) => isHollow).length;
    return tall.length >= 8 && hollow > tall.length * 0.15 && hollow < tall.length * 0.85;
  });
}
