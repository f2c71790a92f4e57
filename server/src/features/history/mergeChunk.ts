import { candleFields, candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { candleAt } from '../market/columns.ts';
import { type BarRange, withRange } from './ranges.ts';

export type Candle = Record<keyof Candles, number>;

/** A later version of a stored candle. */
export interface Revision extends Candle {
  revision: number;
}

export interface ChunkContent {
  /** First versions. */
  candles: Candles;
  covered: BarRange[];
  /** Newest later version by open time. */
  revisions: ReadonlyMap<number, Revision>;
}

/** Closed candles of one request or stream: every bar of the range was requested. */
export interface Piece extends BarRange {
  candles: Candles;
}

export interface MergedChunk {
  candles: Candles;
  covered: BarRange[];
  newRevisions: Revision[];
  /** False when the piece adds nothing. */
  isChanged: boolean;
}

const valueFields = candleFields.filter((name) => name !== 'time');
const areSame = (one: Candle, other: Candle): boolean => valueFields.every((name) => Object.is(one[name], other[name]));

/**
 * Adds a piece. New bars join, known ones keep their first version; a bar with other values than its newest version becomes a revision.
 * A bar that the piece lacks stays.
 */
export function mergePiece({ candles, covered, revisions }: ChunkContent, piece: Piece, stepMs: number): MergedChunk {
  const newRevisions: Revision[] = [];
  const added: number[] = [];
  const { time } = candles;
  let at = 0;
  for (let i = 0; i < piece.candles.time.length; i++) {
    const next = candleAt(piece.candles, i);
    while ((time[at] ?? Infinity) < next.time) at++;
    if (time[at] !== next.time) {
      added.push(i);
      continue;
    }
    const known = revisions.get(next.time);
    if (areSame(known ?? candleAt(candles, at), next)) continue;
    newRevisions.push({ ...next, revision: (known?.revision ?? 0) + 1 });
  }
  const ranges = withRange(covered, piece, stepMs);
  const isCovering = ranges.length !== covered.length || ranges.some((each, i) => !isSameRange(each, covered[i]));
  const isChanged = added.length > 0 || newRevisions.length > 0 || isCovering;
  return { candles: joinedWith(candles, piece.candles, added), covered: ranges, newRevisions, isChanged };
}

const isSameRange = (one: BarRange, other: BarRange | undefined): boolean =>
  one.fromMs === other?.fromMs && one.toMs === other.toMs;

/** Both in time order; `added` are the rows of the second that the first lacks. */
function joinedWith(candles: Candles, from: Candles, added: readonly number[]): Candles {
  if (added.length === 0) return candles;
  const count = candles.time.length + added.length;
  const joined = candlesOf(() => new Float64Array(count));
  let [one, other] = [0, 0];
  for (let into = 0; into < count; into++) {
    const row = added[other];
    const isNew = row !== undefined && !((candles.time[one] ?? Infinity) < (from.time[row] as number));
    const [source, index] = isNew ? [from, row] : [candles, one];
    for (const name of candleFields) joined[name][into] = source[name][index] as number;
    if (isNew) other++;
    else one++;
  }
  return joined;
}

/** The candles with their revisions in place; the same object without any. @returns how many were replaced, too */
export function withRevisions(
  candles: Candles,
  revisions: Iterable<Candle>,
): { candles: Candles; revisedCount: number } {
  let copy: Candles | undefined;
  let revisedCount = 0;
  for (const each of revisions) {
    const index = candles.time.indexOf(each.time);
    if (index < 0) continue;
    copy ??= candlesOf((name) => candles[name].slice());
    for (const name of candleFields) copy[name][index] = each[name];
    revisedCount++;
  }
  return { candles: copy ?? candles, revisedCount };
}
