import type { VisionAnalysis } from '../../api/types.ts';

type Pattern = VisionAnalysis['patterns'][number];
type Candles = NonNullable<VisionAnalysis['candles']>;
type Spot = VisionAnalysis['spots'][number];
type Point = Pattern['points'][number];

/** A value at a candle: a price, or a row of the picture. */
export interface DrawnPoint {
  index: number;
  value: number;
}

const lineThrough = (a: DrawnPoint, b: DrawnPoint, index: number): DrawnPoint => ({
  index,
  value: a.value + ((b.value - a.value) * (index - a.index)) / (b.index - a.index),
});

/**
 * The lines of a swing formation: a zigzag through its swings, a line through those of each side up to the candle that completes it, or a
 * level. None for a candlestick pattern, or where a swing lies outside of what is shown.
 */
export function linesOf(
  { points, drawn, index }: Pick<Pattern, 'points' | 'drawn' | 'index'>,
  valueOf: (point: Point) => number | undefined,
): DrawnPoint[][] {
  const seen = points.flatMap((point) => {
    const value = valueOf(point);
    return value === undefined ? [] : [{ index: point.index, value, side: point.side }];
  });
  if (seen.length < points.length) return [];
  if (drawn === 'zigzag') return [seen];
  if (drawn === 'sides')
    return (['high', 'low'] as const).flatMap((side) => {
      const [first, second] = seen.filter((point) => point.side === side);
      return first === undefined || second === undefined ? [] : [[first, lineThrough(first, second, index)]];
    });
  const [newest] = seen;
  if (drawn !== 'level' || newest === undefined) return [];
  const from = Math.min(...seen.map((point) => point.index));
  return [
    [
      { index: from, value: newest.value },
      { index, value: newest.value },
    ],
  ];
}

export const onCandles =
  (candles: Candles) =>
  ({ index, side }: Point): number | undefined =>
    candles[side][index];

export function onPicture(spots: readonly Spot[]) {
  const byIndex = new Map(spots.map((spot) => [spot.index, spot]));
  return {
    spot: (index: number): Spot | undefined => byIndex.get(index),
    value: ({ index, side }: Point): number | undefined => byIndex.get(index)?.[side],
    /** Column of a candle, also of one that was not read: columns are equally far apart. */
    column(index: number): number {
      const [first, last] = [spots[0], spots.at(-1)];
      if (first === undefined || last === undefined || first.index === last.index) return first?.x ?? 0;
      return first.x + ((last.x - first.x) * (index - first.index)) / (last.index - first.index);
    },
  };
}

/** The row of a price, from the closes of the candles and their rows, on a linear or a logarithmic scale; null without two prices. */
export function rowOfPrice(candles: Candles, spots: readonly Spot[]): ((price: number) => number) | null {
  const pairs = spots.flatMap(({ index, close }) => {
    const price = candles.close[index];
    return price === undefined || price <= 0 ? [] : [{ price, row: close }];
  });
  const fits = [(price: number) => price, Math.log].map((scale) => fitted(pairs, scale));
  const [best] = fits.filter((fit) => fit !== null).sort((a, b) => a.error - b.error);
  return best?.rowOf ?? null;
}

function fitted(
  pairs: readonly { price: number; row: number }[],
  scale: (price: number) => number,
): { rowOf: (price: number) => number; error: number } | null {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = pairs.map(({ price }) => scale(price));
  const y = pairs.map(({ row }) => row);
  const [mx, my] = [mean(x), mean(y)];
  const spread = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  if (!(spread > 0)) return null;
  const slope = x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? my) - my), 0) / spread;
  const rowOf = (price: number): number => my + slope * (scale(price) - mx);
  return { rowOf, error: pairs.reduce((sum, { price, row }) => sum + (row - rowOf(price)) ** 2, 0) };
}
