import { useMemo } from 'react';
import type { VisionAnalysis } from '../../api/types.ts';
import { useTickDecimals } from '../../data/symbols.ts';
import { pictureUrl } from '../../api/vision.ts';
import { LateChart } from '../../charts/LateChart.tsx';
import { priceDecimals } from '../../format/number.ts';
import { LoadedPicture } from '../../ui/LoadedPicture.tsx';
import { Panel } from '../../ui/Panel.tsx';

export type Mark = VisionAnalysis['marks']['symbol'];
export type Pattern = VisionAnalysis['patterns'][number];
type Candles = NonNullable<VisionAnalysis['candles']>;

const markWords: Record<Mark, { title: string; tone: string }> = {
  verified: { title: 'Verified: from exchange candles that match the picture', tone: 'text-up' },
  read: { title: 'Read from the picture, unverified', tone: 'text-warn' },
  guessed: { title: 'An estimate by rules', tone: 'text-muted' },
};

/** How far a statement can be trusted. */
export function MarkSign({ mark, verified = 'verified' }: { mark: Mark; verified?: string }) {
  const { title, tone } = markWords[mark];
  return (
    <span title={title} className={`text-label ${tone}`}>
      {mark === 'verified' ? verified : mark}
    </span>
  );
}

/** Exchange candles on the product's chart; candles read from the picture on a plain drawing, because their times are unknown. */
export function CandlePanel({ analysis, candles }: { analysis: VisionAnalysis; candles: Candles }) {
  const { is_real: isReal } = candles;
  return (
    <Panel
      title={isReal ? 'Exchange candles' : 'Candles from the picture'}
      aside={<MarkSign mark={analysis.marks.candles} />}
      bodyClassName="relative min-h-80"
    >
      {isReal ? (
        <RealChart analysis={analysis} candles={candles} />
      ) : (
        <ReadChart candles={candles} patterns={analysis.patterns} />
      )}
    </Panel>
  );
}

const leanColours = { bullish: 'up', bearish: 'down', neutral: 'muted' } as const;

function RealChart({ analysis, candles }: { analysis: VisionAnalysis; candles: Candles }) {
  const decimals = useTickDecimals()(analysis.symbol ?? '');
  const model = useMemo(() => {
    const columns = {
      time: Float64Array.from(candles.time ?? []),
      open: Float64Array.from(candles.open),
      high: Float64Array.from(candles.high),
      low: Float64Array.from(candles.low),
      close: Float64Array.from(candles.close),
      volume: Float64Array.from(candles.volume ?? candles.close.map(() => 0)),
    };
    const { entry, sl, tp } = analysis.levels;
    const isDirected = analysis.direction !== 'NEUTRAL';
    const levels = [
      { price: tp, label: 'target', colour: 'up' as const },
      { price: entry, label: 'entry', colour: 'accent' as const },
      { price: sl, label: 'stop', colour: 'down' as const },
    ].flatMap(({ price, ...level }) => (price === null || !isDirected ? [] : [{ ...level, price }]));
    const marks = analysis.patterns.map(({ index, title, direction }) => ({
      index,
      atMs: candles.time?.[index] ?? 0,
      title,
      direction,
    }));
    const lines = analysis.patterns.flatMap((pattern) =>
      linesOf(pattern, onCandles(candles)).map((points) => ({
        points: points.map(({ index, value }) => ({ index, price: value })),
        colour: leanColours[pattern.direction],
      })),
    );
    const priceOf = candles.close.at(-1) ?? 1;
    return {
      candles: columns,
      priceDecimals: priceDecimals(priceOf, decimals),
      scoredFrom: 0,
      trades: [],
      panes: [],
      levels,
      marks,
      lines,
    };
  }, [analysis, candles, decimals]);
  return <LateChart place="vision" model={model} isEmbedded className="absolute inset-0" />;
}

const leanStrokes = { bullish: 'stroke-up', bearish: 'stroke-down', neutral: 'stroke-muted' } as const;
const drawn = { width: 600, height: 300, pad: 14 };

function ReadChart({ candles, patterns }: { candles: Candles; patterns: readonly Pattern[] }) {
  const count = candles.close.length;
  const [low, high] = [Math.min(...candles.low), Math.max(...candles.high)];
  const { width, height, pad } = drawn;
  const step = width / Math.max(1, count);
  const y = (price: number): number => pad + ((high - price) / (high - low || 1)) * (height - 2 * pad);
  const marked = new Set(patterns.map(({ index }) => index));
  const lines = patterns.flatMap((pattern) =>
    linesOf(pattern, onCandles(candles)).map((points) => ({ points, tone: leanStrokes[pattern.direction] })),
  );
  return (
    <svg
      role="img"
      aria-label={`${count} candles read from the picture`}
      viewBox={`0 0 ${width} ${height}`}
      className="absolute inset-0 h-full w-full p-2"
    >
      {candles.close.map((close, i) => {
        const open = candles.open[i] ?? close;
        const x = (i + 0.5) * step;
        const tone = close >= open ? 'fill-up stroke-up' : 'fill-down stroke-down';
        const top = y(Math.max(open, close));
        return (
          <g key={i} className={tone}>
            <line x1={x} x2={x} y1={y(candles.high[i] ?? close)} y2={y(candles.low[i] ?? close)} />
            <rect
              x={x - step * 0.3}
              width={step * 0.6}
              y={top}
              height={Math.max(0.5, y(Math.min(open, close)) - top)}
              strokeWidth={0}
            />
            {marked.has(i) && <circle cx={x} cy={height - 5} r={2.5} strokeWidth={0} />}
          </g>
        );
      })}
      {candles.volume?.map((share, i) => (
        <rect
          key={`volume ${i}`}
          x={(i + 0.2) * step}
          width={step * 0.6}
          y={height - share * height * 0.15}
          height={share * height * 0.15}
          className="fill-muted opacity-40"
        />
      ))}
      {lines.map(({ points, tone }, i) => (
        <polyline
          key={`line ${i}`}
          points={points.map(({ index, value }) => `${(index + 0.5) * step},${y(value)}`).join(' ')}
          fill="none"
          strokeWidth={1.5}
          className={tone}
        />
      ))}
    </svg>
  );
}

const strokes = { bullish: 'stroke-up', bearish: 'stroke-down', neutral: 'stroke-muted' } as const;
const fills = { bullish: 'fill-up', bearish: 'fill-down', neutral: 'fill-muted' } as const;

/** The stored picture, with formations, patterns and levels drawn at the columns read from it. */
export function PicturePanel({ analysis }: { analysis: VisionAnalysis }) {
  return (
    <Panel title="Your picture" bodyClassName="p-0">
      {/* As wide as the picture, so that fractions of the picture are fractions of the drawing. */}
      <div className="relative mx-auto w-fit">
        <LoadedPicture
          src={pictureUrl(analysis.id)}
          alt="Your chart"
          name="Your picture"
          className="block max-h-96 max-w-full object-contain"
        />
        <Overlay analysis={analysis} />
      </div>
    </Panel>
  );
}

/** Coordinates are thousandths of the picture; strokes keep their width. */
const SIDE = 1000;

function Overlay({ analysis: { spots, patterns, candles, levels, direction, lines } }: { analysis: VisionAnalysis }) {
  if (spots.length === 0 || candles === null) return null;
  const place = onPicture(spots);
  const drawnCount = patterns.length;
  const rowOf = rowOfPrice(candles, spots);
  const level = (price: number | null, tone: string) => {
    const row = price === null || rowOf === null || direction === 'NEUTRAL' ? NaN : rowOf(price);
    return row >= 0 && row <= 1 ? (
      <line
        key={tone}
        x1={0}
        x2={SIDE}
        y1={row * SIDE}
        y2={row * SIDE}
        strokeWidth={1}
        strokeDasharray="6 4"
        className={tone}
      />
    ) : null;
  };
  return (
    <svg
      role="img"
      aria-label={`${drawnCount} patterns, levels and ${lines.length} lines drawn on the picture`}
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      preserveAspectRatio="none"
      className="absolute inset-0 h-full w-full"
    >
      <g fill="none" className="[&>*]:[vector-effect:non-scaling-stroke]">
        {lines.map(({ points }, n) => (
          <polyline
            key={`read ${n}`}
            points={points.map(({ x, y }) => `${x * SIDE},${y * SIDE}`).join(' ')}
            strokeWidth={2}
            strokeDasharray="1 4"
            className="stroke-accent"
          />
        ))}
        {level(levels.tp, 'stroke-up')}
        {level(levels.entry, 'stroke-accent')}
        {level(levels.sl, 'stroke-down')}
        {patterns.flatMap((pattern, n) =>
          linesOf(pattern, place.value).map((points, k) => (
            <polyline
              key={`${n} ${k}`}
              points={points.map(({ index, value }) => `${place.column(index) * SIDE},${value * SIDE}`).join(' ')}
              strokeWidth={2}
              className={strokes[pattern.direction]}
            />
          )),
        )}
      </g>
      {patterns.map(({ index, direction: lean, points }, n) => {
        const spot = place.spot(index);
        if (spot === undefined || points.length > 0) return null;
        // Bullish patterns are marked below the candle, bearish ones above it.
        const [tip, base] =
          lean === 'bearish' ? [spot.high - 0.012, spot.high - 0.032] : [spot.low + 0.012, spot.low + 0.032];
        const [x, half] = [spot.x * SIDE, 6];
        return (
          <polygon
            key={n}
            points={`${x},${tip * SIDE} ${x - half},${base * SIDE} ${x + half},${base * SIDE}`}
            className={fills[lean]}
          />
        );
      })}
    </svg>
  );
}

type Spot = VisionAnalysis['spots'][number];
type Point = Pattern['points'][number];

/** A value at a candle: a price, or a row of the picture. */
interface DrawnPoint {
  index: number;
  value: number;
}

const lineThrough = (a: DrawnPoint, b: DrawnPoint, index: number): DrawnPoint => ({
  index,
  value: a.value + ((b.value - a.value) * (index - a.index)) / (b.index - a.index),
});

/**
 * The lines of a swing formation: a zigzag through its swings, a line through those of each side up to the candle that completes it, or a
 * level. None for a candlestick pattern, or where a swing lies outside the visible range.
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
    /** Column of a candle, including one not read from the picture: columns are evenly spaced. */
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
