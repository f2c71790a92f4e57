/** Ranges of bars: opens of the first and the last one, epoch ms, both included. Sorted, and never touching. */
export interface BarRange {
  fromMs: number;
  toMs: number;
}

/** The union of sorted ranges and one more. Ranges that touch on the grid of `stepMs` become one. */
export function withRange(ranges: readonly BarRange[], added: BarRange, stepMs: number): BarRange[] {
  const before = ranges.filter(({ toMs }) => toMs < added.fromMs - stepMs);
  const after = ranges.filter(({ fromMs }) => fromMs > added.toMs + stepMs);
  const touching = ranges.filter(({ fromMs, toMs }) => toMs >= added.fromMs - stepMs && fromMs <= added.toMs + stepMs);
  const fromMs = Math.min(added.fromMs, ...touching.map((each) => each.fromMs));
  const toMs = Math.max(added.toMs, ...touching.map((each) => each.toMs));
  return [...before, { fromMs, toMs }, ...after];
}

/** The parts of the ranges within one. */
export const clipRanges = (ranges: readonly BarRange[], { fromMs, toMs }: BarRange): BarRange[] =>
  ranges
    .map((each) => ({ fromMs: Math.max(each.fromMs, fromMs), toMs: Math.min(each.toMs, toMs) }))
    .filter((each) => each.fromMs <= each.toMs);

/** The parts of a range that the sorted ranges leave open. */
export function openRanges(ranges: readonly BarRange[], { fromMs, toMs }: BarRange, stepMs: number): BarRange[] {
  const open: BarRange[] = [];
  let startMs = fromMs;
  for (const each of clipRanges(ranges, { fromMs, toMs })) {
    if (each.fromMs > startMs) open.push({ fromMs: startMs, toMs: each.fromMs - stepMs });
    startMs = Math.max(startMs, each.toMs + stepMs);
  }
  if (startMs <= toMs) open.push({ fromMs: startMs, toMs });
  return open;
}

/** As stored: pairs of first and last. */
export const rangesOf = (pairs: readonly number[]): BarRange[] =>
  Array.from({ length: pairs.length / 2 }, (_, i) => ({
    fromMs: Number(pairs[2 * i]),
    toMs: Number(pairs[2 * i + 1]),
  }));
export const pairsOf = (ranges: readonly BarRange[]): number[] => ranges.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);

/** Start of the UTC month, epoch ms; `offset` months later. */
export function monthStart(timeMs: number, offset = 0): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
}

/** A range split at the starts of UTC months. Every interval divides a day, so a month starts with a bar. */
export function monthsOf({ fromMs, toMs }: BarRange, stepMs: number): (BarRange & { monthMs: number })[] {
  const parts: (BarRange & { monthMs: number })[] = [];
  for (let monthMs = monthStart(fromMs); monthMs <= toMs; monthMs = monthStart(monthMs, 1)) {
    const lastMs = monthStart(monthMs, 1) - stepMs;
    parts.push({ monthMs, fromMs: Math.max(fromMs, monthMs), toMs: Math.min(toMs, lastMs) });
  }
  return parts;
}
