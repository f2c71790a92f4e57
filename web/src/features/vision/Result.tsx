import { intervalToMs } from '../../api/candles.ts';
import { useTickDecimals } from '../../data/symbols.ts';
import { confidenceText } from '../../format/confidence.ts';
import { formatCount, formatFixed, formatPrice, NO_VALUE } from '../../format/number.ts';
import type { VisionAnalysis } from '../../api/types.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CandleTime, Time } from '../../ui/Time.tsx';
import { percent } from './percent.ts';
import { directionTones, Views } from './Views.tsx';
import { CandlePanel, type Mark, MarkSign, type Pattern, PicturePanel } from './ResultCharts.tsx';
type Grounding = NonNullable<VisionAnalysis['grounding']>;
/** Risk up to 3 is low, up to 6 medium. */
const riskTone = (score: number): string => (score <= 3 ? 'text-up' : score <= 6 ? 'text-warn' : 'text-down');

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
  const decimals = useTickDecimals()(analysis.symbol ?? '');
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
    ['Entry', formatPrice(levels.entry, decimals), marks.levels],
    ['Stop loss', formatPrice(levels.sl, decimals), marks.levels],
    ['Take profit', formatPrice(levels.tp, decimals), marks.levels],
    ['Liquidation', formatPrice(analysis.liquidation_approx, decimals), marks.levels],
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
              {frame?.direction ?? 'no market data'}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Curves over the candles, by colour and course; the picture does not name them. */
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

/** Each pattern with what followed it in exchange candles: mostly no more than after any candle. */
function Patterns({ analysis: { patterns, marks, candles } }: { analysis: VisionAnalysis }) {
  const last = (candles?.close.length ?? 0) - 1;
  return (
    <Panel
      title="Detected patterns"
      aside={<MarkSign mark={marks.patterns} verified="from exchange candles" />}
      bodyClassName="p-0"
    >
      {patterns.length === 0 ? (
        <p className="p-3 text-muted">No patterns in the last 20 candles.</p>
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
  if (direction === 'neutral') return 'Neutral: no direction.';
  if (record === null) return 'Hit rate unknown: no matching market.';
  const { followed_share: share, count, base_share: base, interval, horizon_candles: horizon, series } = record;
  const where = `${formatCount(series)} ${interval} series`;
  if (share === null) return `No earlier case in ${where}.`;
  const range = `95 % interval ${percent(record.followed_low)} to ${percent(record.followed_high)}`;
  const verdict = record.beats_base ? 'edge' : 'no edge';
  return `Worked ${percent(share)} (${formatCount(count)} cases), average ${percent(base)}: ${verdict}. After ${horizon} candles; ${range}; ${where}.`;
}

/** Why there is no title. */
const textWords = {
  none: 'no text',
  timeout: 'reading took too long',
  failed: 'unreadable',
} as const;

export function searchedText(grounding: Grounding): string {
  const { symbols_searched: symbols, intervals_searched: searched, candles_searched: candles } = grounding;
  if (candles === 0) return 'no candles available';
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

/** With the candles it covers, where a part of the picture was misread. */
export function correlationText({ correlation, correlation_part: part = null }: Grounding): string {
  const figure = formatFixed(correlation, 4);
  return part === null ? figure : `${figure}, of candles ${formatCount(part.first)} to ${formatCount(part.last)}`;
}

function GroundingPanel({ grounding }: { grounding: Grounding }) {
  const isVerified = grounding.state === 'verified';
  const rows: [string, React.ReactNode][] = [
    ['Market', isVerified ? `${grounding.symbol} ${grounding.interval}` : 'no match'],
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
              <CandleTime at={grounding.from} lengthMs={intervalToMs(grounding.interval ?? '')} /> to{' '}
              <CandleTime at={grounding.to} lengthMs={intervalToMs(grounding.interval ?? '')} />
            </>,
          ],
          ['Correlation of changes', correlationText(grounding)],
          ['Price difference', `${formatFixed(grounding.residual_pct, 2)} % of the range`],
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
