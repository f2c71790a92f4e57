import { pictureUrl } from '../../api/vision.ts';
import type { VisionAnalysis } from '../../api/types.ts';
import { Panel } from '../../ui/Panel.tsx';
import { linesOf, onPicture, rowOfPrice } from './drawing.ts';

const strokes = { bullish: 'stroke-up', bearish: 'stroke-down', neutral: 'stroke-muted' } as const;
const fills = { bullish: 'fill-up', bearish: 'fill-down', neutral: 'fill-muted' } as const;

/** The picture as it was kept, with formations, patterns and levels drawn at the columns that were read. */
export function PicturePanel({ analysis }: { analysis: VisionAnalysis }) {
  return (
    <Panel title="Your picture" bodyClassName="p-0">
      {/* As wide as the picture, so that shares of it are shares of the drawing. */}
      <div className="relative mx-auto w-fit">
        <img
          src={pictureUrl(analysis.id)}
          alt="The chart you sent, encoded anew"
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
      aria-label={`${drawnCount} patterns, the levels and ${lines.length} lines that were read, drawn on the picture`}
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
        // A foot below the candle, a head above it for what is said to precede a fall.
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
