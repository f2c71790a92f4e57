import type { SizedSpread } from '@sextant/workers/src/protocol/spread.ts';
import type { CSSProperties, ReactNode } from 'react';
import { useMemo } from 'react';
import type { PairBooks } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatFixed, formatPrice, priceDecimals } from '../../format/number.ts';
import { placeOf, walkBoth } from './pairNet.ts';

/** Units of the drawings: wide enough that a step is never rounded away. */
const WIDTH = 1000;
const HEIGHT = 400;

interface Range {
  min: number;
  max: number;
}

interface Point {
  /** 0 to 1 over the sizes. */
  at: number;
  y: number;
}

interface ChartProps {
  books: PairBooks;
  range: Range;
  /** Size of the slider, USDT. */
  size: number;
  /** Net at sizes from the least to the largest. */
  curve: readonly SizedSpread[];
  curveSizes: readonly number[];
  best: SizedSpread | null;
}

/** Order books by size, and below them the net by size. Both use the size scale of the slider. */
export function SizeCharts(props: ChartProps) {
  return (
    <div className="flex flex-col gap-3">
      <BookChart {...props} />
      <NetChart {...props} />
    </div>
  );
}

function BookChart({ books, range, size, best }: ChartProps) {
  const { buy, sell } = books;
  const drawn = useMemo(() => drawBooks(books, range), [books, range]);
  const decimals = priceDecimals(drawn.high);
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex flex-wrap gap-x-4 text-label text-muted">
        <Key className="bg-accent">Asks of {exchangeName(buy.exchange)}: you buy</Key>
        <Key className="bg-warn">Bids of {exchangeName(sell.exchange)}: you sell</Key>
        <Key className="bg-up-soft border border-up">Gross profit</Key>
      </figcaption>
      <Plot
        label={`Order books by size: asks of ${exchangeName(buy.exchange)} from ${formatPrice(drawn.asks[0]?.y)}, bids of ${exchangeName(sell.exchange)} from ${formatPrice(drawn.bids[0]?.y)}`}
        heightPx={150}
        range={range}
        size={size}
        best={best}
        scale={drawn}
        ticks={[drawn.most, (drawn.most + drawn.least) / 2, drawn.least].map((value) => ({
          value,
          text: formatFixed(value, decimals),
        }))}
      >
        <path d={drawn.gain} fill="var(--up-soft)" />
        <path d={drawn.loss} fill="var(--down-soft)" />
        <path
          d={stepPath(drawn.asks, drawn)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={stepPath(drawn.bids, drawn)}
          fill="none"
          stroke="var(--warn)"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </Plot>
    </figure>
  );
}

interface Drawn extends Record<'low' | 'high' | 'least' | 'most', number> {
  asks: Point[];
  bids: Point[];
  gain: string;
  loss: string;
}

const yOf = (value: number, { low, high }: Record<'low' | 'high', number>): number =>
  HEIGHT - ((value - low) / (high - low)) * HEIGHT;

/** Marginal price on either side at each size, and the area between them. Sizes are valued at the best ask. */
function drawBooks({ buy, sell }: PairBooks, range: Range): Drawn {
  const steps = walkBoth(buy.asks, sell.bids);
  const unit = buy.asks[0]?.[0] ?? 1;
  const seen = steps.filter((_step, at) => (steps[at - 1]?.coins ?? 0) * unit < range.max);
  const prices = seen.flatMap(({ ask, bid }) => [ask, bid]);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const room = (most - least || most * 0.001) * 0.08;
  const scale = { low: least - room, high: most + room };
  const asks: Point[] = [];
  const bids: Point[] = [];
  let [gain, loss] = ['', ''];
  let from = 0;
  for (const { coins, ask, bid } of seen) {
    const to = placeOf(range, Math.min(range.max, coins * unit));
    asks.push({ at: from, y: ask }, { at: to, y: ask });
    bids.push({ at: from, y: bid }, { at: to, y: bid });
    const box = `M${x(from)} ${yOf(ask, scale)}H${x(to)}V${yOf(bid, scale)}H${x(from)}Z`;
    if (bid > ask) gain += box;
    else loss += box;
    from = to;
  }
  return { ...scale, least, most, asks, bids, gain, loss };
}

const x = (at: number): string => (at * WIDTH).toFixed(1);
const stepPath = (points: readonly Point[], scale: Record<'low' | 'high', number>): string =>
  points.map(({ at, y }, i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${yOf(y, scale).toFixed(1)}`).join('');

/** In USDT where some size is profitable, so that the best one is a peak; else in percent, which large losses do not flatten. */
function NetChart({ range, size, curve, curveSizes, best }: ChartProps) {
  const isUsdt = best !== null;
  const values = curve.map(({ netUsdt, netFraction }) => (isUsdt ? netUsdt : netFraction * 100));
  const most = Math.max(...values, 0);
  const least = Math.max(Math.min(...values, 0), isUsdt ? -2 * most : -Infinity);
  const room = (most - least || 1) * 0.1;
  const scale = { low: least - room, high: most + room };
  const points = values.map((y, i) => ({ at: placeOf(range, curveSizes[i] ?? range.min), y: Math.max(y, scale.low) }));
  const line = stepPath(points, scale);
  const zero = yOf(0, scale);
  const decimals = isUsdt ? (most < 10 ? 2 : 0) : 3;
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-label text-muted">Net by size, {isUsdt ? 'USDT' : '%'}</figcaption>
      <Plot
        label={
          best === null
            ? 'Net by size: no profitable size'
            : `Net by size: best ${formatFixed(best.netUsdt, 2)} USDT at ${formatFixed(best.buyNotionalUsdt, 0)} USDT`
        }
        heightPx={90}
        range={range}
        size={size}
        best={best}
        scale={scale}
        ticks={[most, least, 0].map((value) => ({ value, text: formatFixed(value, value === 0 ? 0 : decimals) }))}
        hasSizes
      >
        <path d={areaOf(points, scale, Math.max)} fill="var(--up-soft)" />
        <path d={areaOf(points, scale, Math.min)} fill="var(--down-soft)" />
        <path d={`M0 ${zero}H${WIDTH}`} stroke="var(--muted)" strokeWidth={1} vectorEffect="non-scaling-stroke" />
        <path d={line} fill="none" stroke="var(--text)" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      </Plot>
    </figure>
  );
}

/** The area on one side of zero: `Math.max` for gains, `Math.min` for losses. */
function areaOf(
  points: readonly Point[],
  scale: Record<'low' | 'high', number>,
  side: (a: number, b: number) => number,
) {
  const edge = points.map(({ at, y }) => ({ at, y: side(y, 0) }));
  return `${stepPath(edge, scale)}V${yOf(0, scale)}H0Z`;
}

/** Columns of a drawing and its values; the slider below has the same. */
export const plotGrid = 'grid grid-cols-[minmax(0,1fr)_64px] gap-x-1';

interface Tick {
  value: number;
  text: string;
}

interface PlotProps {
  label: string;
  heightPx: number;
  range: Range;
  size: number;
  best: SizedSpread | null;
  scale: Record<'low' | 'high', number>;
  /** Labelled values; overlapping labels are left out. */
  ticks: readonly Tick[];
  hasSizes?: boolean;
  children: ReactNode;
}

/**
 * A chart over the sizes, with a line at the chosen one and a dotted line at the best. Labels are HTML text, so that they never stretch.
 */
function Plot({ label, heightPx, range, size, best, scale, ticks, hasSizes = false, children }: PlotProps) {
  const chosen = x(placeOf(range, size));
  const decades = sizeTicks(range);
  return (
    <div className={plotGrid}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="w-full border border-line"
        style={{ height: heightPx }}
      >
        {decades.map((each) => (
          <path
            key={each}
            d={`M${x(placeOf(range, each))} 0V${HEIGHT}`}
            stroke="var(--grid)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {children}
        {best !== null && (
          <path
            d={`M${x(placeOf(range, best.buyNotionalUsdt))} 0V${HEIGHT}`}
            stroke="var(--up)"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
        <path d={`M${chosen} 0V${HEIGHT}`} stroke="var(--text)" strokeWidth={1} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className="relative font-mono text-label text-muted">
        {apart(ticks, scale, heightPx).map(({ value, text }) => (
          <span
            key={value}
            className="absolute -translate-y-1/2 leading-3"
            style={{ top: `${(yOf(value, scale) / HEIGHT) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
      {hasSizes && (
        <div className="relative h-4 text-label text-muted">
          {decades.map((each) => (
            <span key={each} className="absolute -translate-x-1/2 tabular-nums" style={leftOf(placeOf(range, each))}>
              {shortCount(each)}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

const LABEL_PX = 13;

function apart(ticks: readonly Tick[], scale: Record<'low' | 'high', number>, heightPx: number): Tick[] {
  const retained: number[] = [];
  return ticks.filter(({ value }) => {
    const px = (yOf(value, scale) / HEIGHT) * heightPx;
    if (retained.some((other) => Math.abs(other - px) < LABEL_PX)) return false;
    retained.push(px);
    return true;
  });
}

const leftOf = (at: number): CSSProperties => ({ left: `${at * 100}%` });

/** Powers of ten within the range, away from its edges, where a label would be cut off. */
function sizeTicks({ min, max }: Range): number[] {
  const ticks: number[] = [];
  for (let tick = 10 ** Math.ceil(Math.log10(min)); tick <= max; tick *= 10) ticks.push(tick);
  return ticks.filter((tick) => placeOf({ min, max }, tick) > 0.03 && placeOf({ min, max }, tick) < 0.97);
}

const shortCount = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1000 ? `${value / 1000}k` : String(value);

function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2.5 rounded-sm ${className}`} />
      {children}
    </span>
  );
}
