import type { Body } from './columns.ts';

/** The row of candles among bodies: the step from one to the next, and the place of each. */

/** Fewer are not a chart that can be evaluated. */
export const candlesMin = 15;

/** Smallest number of candles recognised as a row, so that a picture with too few is distinguished from one without any. */
export const fewMin = 5;

/**
 * One body a column: the path from left to right with the smallest jumps, because a market that never closes opens where it closed.
 * What else stands in a column is a label, or volume that was not recognised.
 */
export function inOneRow(bodies: Body[], bodyWidth: number): Body[] {
  const columns: Body[][] = [];
  for (const body of bodies.sort((a, b) => a.x - b.x)) {
    const column = columns.at(-1);
    const before = column?.[0];
    if (column === undefined || before === undefined || body.x - before.x >= Math.max(1.5, bodyWidth * 0.5))
      columns.push([body]);
    else column.push(body);
  }
  const paths = columns.map((column) => column.map(() => ({ cost: 0, from: 0 })));
  for (let at = 0; at < columns.length; at++) {
    const [column, before] = [columns[at] as Body[], columns[at - 1] ?? []];
    for (const [place, body] of column.entries()) {
      const path = (paths[at] as { cost: number; from: number }[])[place] as { cost: number; from: number };
      path.cost = before.length === 0 ? 0 : Infinity;
      for (const [from, left] of before.entries()) {
        const jump = Math.max(0, body.top - left.bottom, left.top - body.bottom);
        const cost = ((paths[at - 1] as (typeof paths)[number])[from] as { cost: number }).cost + jump;
        if (cost < path.cost) {
          path.cost = cost;
          path.from = from;
        }
      }
      // Of two that fit, the larger one.
      path.cost -= Math.min(50, body.bottom - body.top) * 0.02;
    }
  }
  const last = paths.at(-1) ?? [];
  let place = last.reduce((best, { cost }, at) => (cost < (last[best] as { cost: number }).cost ? at : best), 0);
  const retained: Body[] = [];
  for (let at = columns.length - 1; at >= 0; at--) {
    retained.push((columns[at] as Body[])[place] as Body);
    place = ((paths[at] as (typeof paths)[number])[place] as { from: number }).from;
  }
  return retained.reverse();
}

export interface Lattice {
  step: number;
  placed: { body: Body; index: number }[];
}

/** Trains of bodies at about equal steps; eight missing in a row end one. */
function trainsOf(bodies: readonly Body[], step: number): Lattice['placed'][] {
  const trains: Lattice['placed'][] = [];
  for (const body of bodies) {
    const train = trains.at(-1);
    const before = train?.at(-1);
    const far = before === undefined ? Infinity : body.x - before.body.x;
    const steps = Math.round(far / step);
    if (before === undefined || train === undefined || steps > 8) {
      trains.push([{ body, index: 0 }]);
      continue;
    }
    const isNear = Math.abs(far - steps * step) < step * 0.35 * Math.max(1, steps / 2);
    if (isNear && steps >= 1) train.push({ body, index: before.index + steps });
  }
  return trains;
}

/** Without a few bodies apart from the others at the right: characters of the price axis can stand at the distance of candles. */
function withoutIslands(train: Lattice['placed']): Lattice['placed'] {
  const retained = [...train];
  for (let at = retained.length - 1; at > 0 && retained.length - at <= 8; at--) {
    const missing = (retained[at]?.index ?? 0) - (retained[at - 1]?.index ?? 0) - 1;
    if (missing >= 2 || (missing === 1 && retained.length - at <= 3)) retained.length = at;
  }
  return retained;
}

/** The longest train, places left out where a body is missing; null when it is short or irregular. */
export function latticeOf(bodies: readonly Body[], least = candlesMin): Lattice | null {
  const gaps = bodies
    .slice(1)
    .map((body, at) => body.x - (bodies[at] as Body).x)
    .sort((a, b) => a - b);
  const rough = gaps[Math.floor(gaps.length * 0.4)] ?? 0;
  if (rough < 2.5) return null;
  const placed = withoutIslands(
    trainsOf(bodies, rough).reduce((longest, train) => (train.length > longest.length ? train : longest), []),
  );
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined || placed.length < least) return null;
  const step = (last.body.x - first.body.x) / last.index;
  const slack = Math.max(1.5, step * 0.3);
  const fits = placed.filter(({ body, index }) => Math.abs(body.x - first.body.x - index * step) < slack);
  const isRegular = fits.length >= placed.length * 0.85 && fits.length >= (last.index + 1) * 0.7;
  return isRegular && fits.length >= least ? { step, placed: fits } : null;
}

/** Widest step between candles, in widths of a body. */
const stepWidthsMax = 5;

/** Mean vector of the phases of bodies, 0 to 1: bodies at random places have about 0.1. */
const phaseMin = 0.5;

/**
 * The lattice of many bodies of which some are none: the step at which most centres have one phase. A half and a third of it fit as well, so
 * the widest of those that fit is taken.
 */
export function latticeByPhase(bodies: readonly Body[], bodyWidth: number, width: number): Lattice | null {
  const least = Math.max(2.5, bodyWidth * 1.02);
  const matches: { step: number; score: number; phase: number }[] = [];
  for (let waves = width / (bodyWidth * stepWidthsMax); waves <= width / least; waves += 0.2) {
    const turn = (2 * Math.PI * waves) / width;
    let [real, imaginary] = [0, 0];
    for (const { x } of bodies) {
      real += Math.cos(x * turn);
      imaginary += Math.sin(x * turn);
    }
    const score = Math.hypot(real, imaginary) / bodies.length;
    matches.push({ step: width / waves, score, phase: Math.atan2(imaginary, real) / (2 * Math.PI) });
  }
  const most = matches.reduce((high, { score }) => Math.max(high, score), 0);
  const first = matches.findIndex(({ score }) => score >= most * 0.9);
  const near = matches.slice(first, first + 5);
  const best = near.reduce(
    (high, each) => (each.score > high.score ? each : high),
    near[0] ?? { score: 0, step: 1, phase: 0 },
  );
  if (best.score < phaseMin) return null;
  return placedOn(bodies, best.step, best.phase * best.step);
}

/** The longest run of columns with a body, one each, with at most eight missing in a row. */
function placedOn(bodies: readonly Body[], step: number, offset: number): Lattice | null {
  const columns = new Map<number, Body>();
  for (const body of bodies) {
    const index = Math.round((body.x - offset) / step);
    const known = columns.get(index);
    const isNear = Math.abs(body.x - offset - index * step) < step * 0.25;
    if (isNear && (known === undefined || body.pixels > known.pixels)) columns.set(index, body);
  }
  const runs: [number, Body][][] = [];
  for (const entry of [...columns].sort((a, b) => a[0] - b[0])) {
    const run = runs.at(-1);
    if (run === undefined || entry[0] - (run.at(-1)?.[0] ?? 0) > 8) runs.push([entry]);
    else run.push(entry);
  }
  const run = runs.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || run.length < candlesMin) return null;
  const isFull = run.length >= (last[0] - first[0] + 1) * 0.6;
  return isFull ? { step, placed: run.map(([index, body]) => ({ body, index: index - first[0] })) } : null;
}
