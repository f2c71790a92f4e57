import { useMemo } from 'react';
import { LateChart } from '../../charts/LateChart.tsx';
import { confidenceText } from '../../format/confidence.ts';
import { formatCount, formatFixed, formatPrice, NO_VALUE, priceDecimals } from '../../format/number.ts';
import type { VisionAnalysis } from '../../api/types.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { linesOf, onCandles } from './drawing.ts';
import { PicturePanel } from './Picture.tsx';
import { directionTones, percent, Views } from './Views.tsx';

type Mark = VisionAnalysis['marks']['symbol'];
type Pattern = VisionAnalysis['patterns'][number];
type Candles = NonNullable<VisionAnalysis['candles']>;
type Grounding = NonNullable<VisionAnalysis['grounding']>;

const markWords: Record<Mark, { title: string; tone: string }> = {
  verified: { title: 'From our own candles, which match the picture', tone: 'text-up' },
  read: { title: 'Read from the picture, not verified', tone: 'text-warn' },
  guessed: { title: 'An estimate by rules, no fact', tone: 'text-muted' },
};

/** How far a statement can be trusted. */
function MarkSign({ mark, verified = 'verified' }: { mark: Mark; verified?: string }) {
  const { title, tone } = markWords[mark];
  return (
    <span title={title} className={`text-label ${tone}`}>
      {mark === 'verified' ? verified : mark}
    </span>
  );
}

/** Risk up to 3 is low, up to 6 medium. */
export const riskTone = (score: number): string => (score <= 3 ? 'text-up' : score <= 6 ? 'text-warn' : 'text-down');

export function Result({ analysis }: { analysis: VisionAnalysis }) {
  const { grounding, candles, opening } = analysis;
  return (
    <>
      <Panel title="Result" aside={<Time at={analysis.created_at} />} bodyClassName="flex flex-col gap-3 p-3">
        {analysis.credit_refunded && (
          <Notice tone="info">
            <strong>Credit refunded.</strong> {analysis.refund_message}
          </Notice>
        )}
        {grounding?.contradiction != null && <Notice tone="warn">{grounding.contradiction}</Notice>}
        {grounding !== null && <Figures analysis={analysis} />}
        <p>{analysis.rationale}</p>
        {opening !== null && (
          <Notice tone={opening.outcome === 'failed' ? 'error' : 'info'}>
            {opening.message} {opening.detail}
          </Notice>
        )}
        {grounding !== null && <Views analysis={analysis} />}
      </Panel>
      <div className="grid gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:items-start">
        {candles !== null && <CandlePanel analysis={analysis} candles={candles} />}
        <PicturePanel analysis={analysis} />
      </div>
      {grounding !== null && (
        <div className="grid gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:items-start">
          <Patterns analysis={analysis} />
          <div className="flex flex-col gap-3">
            <GroundingPanel grounding={grounding} />
            <LinesPanel lines={analysis.lines} />
          </div>
        </div>
      )}
    </>
  );
}

function Figures({ analysis }: { analysis: VisionAnalysis }) {
  const { marks, levels, multi_timeframe: frames } = analysis;
  const figures: [string, string, Mark, string?][] = [
    ['Symbol', analysis.symbol ?? NO_VALUE, marks.symbol],
    ['Direction', analysis.direction, marks.direction, directionTones[analysis.direction]],
    ['Confidence', confidenceText(analysis.confidence), marks.confidence],
    ['Timeframe', analysis.timeframe ?? NO_VALUE, marks.timeframe],
    ['Risk score', `${analysis.risk_score} of 10`, marks.risk_score, riskTone(analysis.risk_score)],
    [
      'Sentiment',
      analysis.sentiment ?? NO_VALUE,
      marks.sentiment,
      analysis.sentiment === 'bullish' ? 'text-up' : analysis.sentiment === 'bearish' ? 'text-down' : '',
    ],
    ['Entry', formatPrice(levels.entry), marks.levels],
    ['Stop loss', formatPrice(levels.sl), marks.levels],
    ['Take profit', formatPrice(levels.tp), marks.levels],
    ['Liquidation', formatPrice(analysis.liquidation_approx), marks.levels],
  ];
  const spans = [
    ['Short', frames.short],
    ['Medium', frames.medium],
    ['Long', frames.long],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 md:grid-cols-5">
        {figures.map(([name, value, mark, tone = '']) => (
          <div key={name}>
            <dt className="flex items-baseline gap-2 text-label text-muted">
              {name} <MarkSign mark={mark} />
            </dt>
            <dd className={`text-body font-semibold break-words tabular-nums ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <dl aria-label="Multi-timeframe" className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-2 text-label">
        {spans.map(([name, frame]) => (
          <div key={name} className="flex gap-2">
            <dt className="text-muted">
              {name}
              {frame === null ? '' : ` (${frame.interval})`}
            </dt>
            <dd className={`font-semibold ${frame === null ? 'text-muted' : directionTones[frame.direction]}`}>
              {frame?.direction ?? 'no candles of ours'}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Candles of ours on the product's chart; those that were read on a plain drawing, because their times are not known. */
function CandlePanel({ analysis, candles }: { analysis: VisionAnalysis; candles: Candles }) {
  const { is_real: isReal } = candles;
  return (
    <Panel
      title={isReal ? 'Our candles' : 'Candles that were read'}
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
      priceDecimals: priceDecimals(priceOf),
      scoredFrom: 0,
      trades: [],
      panes: [],
      levels,
      marks,
      lines,
    };
  }, [analysis, candles]);
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
      aria-label={`${count} candles as they were read from the picture`}
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

/** Curves over the candles: what they are called is not known, only their colour and where they run. */
function LinesPanel({ lines }: { lines: VisionAnalysis['lines'] }) {
  if (lines.length === 0) return null;
  return (
    <Panel title="Lines over the candles" aside={<MarkSign mark="read" />}>
      <ul className="flex flex-col gap-1">
        {lines.map(({ colour, last_value: value, seen_share: seen }, i) => (
          <li key={i} className="flex items-center gap-2 text-label">
            <span aria-hidden="true" className="h-1 w-6 rounded border border-line" style={{ background: colour }} />
            <span className="whitespace-nowrap">Line {i + 1}</span>
            <span className="ml-auto text-right tabular-nums">
              {value === null ? 'no price' : `last at ${formatPrice(value)}`}, seen at {percent(seen)} of the candles
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const leanTones = { bullish: 'text-up', bearish: 'text-down', neutral: 'text-muted' } as const;

/** Each pattern with what followed it in our own candles: mostly no more than after any candle. */
function Patterns({ analysis: { patterns, marks, candles } }: { analysis: VisionAnalysis }) {
  const last = (candles?.close.length ?? 0) - 1;
  return (
    <Panel
      title="Detected patterns"
      aside={<MarkSign mark={marks.patterns} verified="from exchange candles" />}
      bodyClassName="p-0"
    >
      {patterns.length === 0 ? (
        <p className="p-3 text-muted">No candlestick pattern and no swing formation in the last 20 candles.</p>
      ) : (
        <ul>
          {patterns.map((pattern) => (
            <li key={`${pattern.id} ${pattern.index}`} className="border-b border-line px-3 py-1.5 last:border-b-0">
              <div className="flex justify-between gap-3">
                <span className="font-medium">
                  {pattern.title} <span className={leanTones[pattern.direction]}>{pattern.direction}</span>
                </span>
                <span className="text-label whitespace-nowrap text-muted">{ageText(last - pattern.index)}</span>
              </div>
              <p className="text-label text-muted">{recordText(pattern)}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const ageText = (candles: number): string =>
  candles === 0 ? 'last candle' : `${formatCount(candles)} candle${candles === 1 ? '' : 's'} ago`;

export function recordText({ record, direction }: Pattern): string {
  if (direction === 'neutral') return 'Describes a candle and names no direction.';
  if (record === null) return 'How often it is followed by its direction is not known without our candles.';
  const { followed_share: share, count, base_share: base, interval, horizon_candles: horizon, series } = record;
  const where = `${formatCount(series)} ${interval} series`;
  if (share === null) return `Did not occur before in ${where}.`;
  const range = `95 % interval ${percent(record.followed_low)} to ${percent(record.followed_high)}`;
  const verdict = record.beats_base ? 'Measurably better than any candle.' : 'No better than any candle.';
  return `Followed by its direction after ${horizon} candles in ${percent(share)} of ${formatCount(count)} cases (${range}; ${where}); any candle: ${percent(base)}. ${verdict}`;
}

/** Why there is no title. */
const textWords = {
  none: 'nothing that could be read',
  timeout: 'the text took too long to read',
  failed: 'the text could not be read',
} as const;

export function searchedText(grounding: Grounding): string {
  const { symbols_searched: symbols, intervals_searched: searched, candles_searched: candles } = grounding;
  if (candles === 0) return 'nothing: no candles at hand';
  const names =
    symbols === 0 ? '' : `${formatCount(symbols)} symbol${symbols === 1 ? '' : 's'} on ${searched.join(', ')}: `;
  return `${names}${formatCount(grounding.series_searched)} series, ${formatCount(candles)} candles`;
}

/** How well the numbers of the price axis agree with each other. */
export function axisText({ price_scale: scale, price_error_pct: error, price_labels: labels }: Grounding): string {
  if (scale === null || error === null) return 'not read';
  const name = scale === 'log' ? 'logarithmic' : 'linear';
  return `${name}, ${formatCount(labels)} labels, price error ${formatFixed(error, 2)}\u00a0%`;
}

/** With the candles it is of, where a part of the picture was misread. */
export function correlationText({ correlation, correlation_part: part = null }: Grounding): string {
  const figure = formatFixed(correlation, 4);
  return part === null ? figure : `${figure}, of candles ${formatCount(part.first)} to ${formatCount(part.last)}`;
}

function GroundingPanel({ grounding }: { grounding: Grounding }) {
  const isVerified = grounding.state === 'verified';
  const rows: [string, React.ReactNode][] = [
    ['Market', isVerified ? `${grounding.symbol} ${grounding.interval}` : 'none of ours has this shape'],
    [
      'Title says',
      [grounding.title_symbol, grounding.title_interval].filter((text) => text !== null).join(' ') ||
        textWords[grounding.text_failure ?? 'none'],
    ],
    ['Candles read', formatCount(grounding.candle_count)],
    ['Price axis', axisText(grounding)],
    ['Searched', searchedText(grounding)],
    ...(isVerified
      ? ([
          [
            'Shows',
            <>
              <Time at={grounding.from} /> to <Time at={grounding.to} />
            </>,
          ],
          ['Correlation of changes', correlationText(grounding)],
          ['Distance from ours', `${formatFixed(grounding.residual_pct, 2)} % of the range`],
        ] satisfies [string, React.ReactNode][])
      : []),
  ];
  return (
    <Panel title="What the picture shows" aside={<MarkSign mark={isVerified ? 'verified' : 'read'} />}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
