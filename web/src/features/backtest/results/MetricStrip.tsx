import { ANALYSIS_TRADES_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { metricById as define, type Statistic } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestSummary } from '@sextant/workers/src/protocol/backtest.ts';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import type { Run } from '../backtestState.ts';
import { figureCount, figureGroups, groupedFigures, groupNames, restsOn } from './allFigures.ts';
import { windowText } from './RunFacts.tsx';
import { DRAWDOWN_WARNING, pnlOverDrawdown, profitFactorText, statisticNote } from './figures.ts';

type Tone = 'up' | 'down' | 'warn' | 'muted' | 'plain';

interface MetricCell {
  definition: Definition;
  value: string;
  /** Sample behind the figure, or why there is none. */
  note: string;
  tone: Tone;
  noteTone?: Tone;
  /** The value is text instead of a number. */
  isMissing?: boolean;
  /** The figure can be shown by closes or within candles. */
  isSwitched?: boolean;
}

const signTone = (value: number | null): Tone => {
  if (value === null || value === 0) return 'muted';
  return value > 0 ? 'up' : 'down';
};

/** A figure that may not exist: then a text replaces a number that would mislead. */
function optional(
  definition: Definition,
  value: number | null,
  format: (value: number) => string,
  notes: { note: string; without: string },
): MetricCell {
  if (value === null)
    return { definition, value: 'not enough data', note: notes.without, tone: 'muted', isMissing: true };
  return { definition, value: format(value), note: notes.note, tone: 'plain' };
}

function ratio(definition: Definition, statistic: Statistic): MetricCell {
  const note = statisticNote(statistic);
  return optional(definition, statistic.value, (value) => formatFixed(value, 2), { note, without: note });
}

/** Counts as long as they fit. */
function sidesNote({ tradeCount, longCount, shortCount }: BacktestSummary): string {
  if (tradeCount < 200) return `${longCount} long, ${shortCount} short`;
  return `${formatPercent(longCount / tradeCount)} long`;
}

/** Measured at closes, or with every held candle at its worst price. */
function drawdownCell({ summary, analysis }: Run['result'], isIntrabar: boolean): MetricCell {
  const fall = isIntrabar ? analysis.intrabarDrawdownFraction : summary.maxDrawdownFraction;
  const isDeep = fall > DRAWDOWN_WARNING;
  return {
    definition: isIntrabar ? define.intrabarDrawdown : define.maxDrawdown,
    value: formatPercent(fall),
    // The switch leaves room for two words; a drawdown above 10 % has a colour and a separate warning.
    note: isIntrabar ? 'worst prices' : 'by closes',
    tone: isDeep ? 'warn' : 'plain',
    isSwitched: true,
  };
}

/** The strip, in the order of importance. */
export function metricCells({ result, costs }: Pick<Run, 'result' | 'costs'>, isIntrabar = false): MetricCell[] {
  const { summary } = result;
  const n = `n = ${summary.tradeCount}`;
  const twoDecimals = (value: number) => formatFixed(value, 2);
  const isAmbiguous = summary.ambiguousFraction > 0;
  return [
    optional(define.winRate, summary.winRate, formatPercent, { note: n, without: n }),
    {
      definition: define.trades,
      value: formatCount(summary.tradeCount),
      note: sidesNote(summary),
      tone: 'plain',
      noteTone: summary.tradeCount < ANALYSIS_TRADES_MIN ? 'warn' : 'muted',
    },
    drawdownCell(result, isIntrabar),
    ratio(define.sharpe, summary.sharpe),
    {
      definition: define.profitFactor,
      value: profitFactorText(summary),
      note: n,
      tone: summary.profitFactor === null ? 'muted' : 'plain',
      isMissing: summary.profitFactor === null,
    },
    {
      ...optional(define.expectancy, summary.expectancy, (value) => formatMoney(value, true), {
        note: 'USDT a trade',
        without: n,
      }),
      tone: signTone(summary.expectancy),
    },
    optional(define.pnlOverDrawdown, pnlOverDrawdown(summary, costs.initialEquity), twoDecimals, {
      note: 'by closes',
      without: 'no drawdown',
    }),
    ratio(define.sortino, summary.sortino),
    {
      definition: define.exposure,
      value: formatPercent(summary.exposureFraction),
      note: `of ${formatCount(summary.scoredCount)} candles`,
      tone: 'plain',
    },
    { definition: define.fees, value: formatMoney(summary.fees), note: 'USDT', tone: 'plain' },
    {
      definition: define.ambiguous,
      value: formatPercent(summary.ambiguousFraction),
      note: isAmbiguous ? `${costs.sameBar ?? 'stop'} taken first` : 'order known',
      tone: isAmbiguous ? 'warn' : 'plain',
    },
    {
      definition: define.buyAndHold,
      value: formatPercent(summary.buyAndHoldFraction, true),
      note: 'same size, net',
      tone: signTone(summary.buyAndHoldFraction),
    },
  ];
}

const tones: Record<Tone, string> = {
  up: 'text-up',
  down: 'text-down',
  warn: 'text-warn',
  muted: 'text-muted',
  plain: '',
};

/** Characters of a net PnL that the width of its cell holds in the large type. */
const LONG_FIGURE = 10;

/** The same for a cell of the strip. */
const LONG_CELL = 10;

/** The decisive figures, each beside its sample. */
export function MetricStrip({ run }: { run: Run }) {
  const { summary } = run.result;
  const { initialEquity } = run.costs;
  const [isOpen, setOpen] = useState(false);
  const [isIntrabar, setIntrabar] = useState(false);
  const net = formatMoney(summary.netPnl, true);
  return (
    <section aria-label="Result" className="@container overflow-hidden rounded border border-line">
      <div className="grid gap-px bg-line @2xl:grid-cols-[190px_1fr]">
        <div className="flex flex-col justify-center bg-panel px-4 py-3 text-label text-muted tabular-nums">
          <p>
            <DefinedTerm definition={define.netPnl} />, USDT
          </p>
          <p
            data-testid="net-pnl"
            className={`${net.length > LONG_FIGURE ? 'text-page leading-8' : 'text-figure'} font-semibold ${tones[signTone(summary.netPnl)]}`}
          >
            {net}
          </p>
          <p>
            {formatPercent(summary.netPnl / initialEquity, true)} of {formatMoney(initialEquity)}
          </p>
          {summary.ambiguousFraction > 0 && (
            <p>
              {run.costs.sameBar === 'target' ? (
                <>
                  <DefinedTerm definition={define.pessimistic} label="stop first" />{' '}
                  {formatMoney(summary.pessimisticNetPnl, true)}
                </>
              ) : (
                <>
                  <DefinedTerm definition={define.optimistic} label="target first" />{' '}
                  {formatMoney(summary.optimisticNetPnl, true)}
                </>
              )}
            </p>
          )}
        </div>
        <dl className="grid grid-cols-2 gap-px bg-line tabular-nums @lg:grid-cols-4 @5xl:grid-cols-6">
          {metricCells(run, isIntrabar).map(({ isSwitched = false, ...cell }) => (
            <Cell key={isSwitched ? 'drawdown' : cell.definition.name} {...cell}>
              {isSwitched && (
                <button
                  type="button"
                  className="shrink-0 text-label text-accent underline decoration-dotted underline-offset-2 hover:decoration-solid"
                  aria-pressed={isIntrabar}
                  title="Use the worst price of every held candle"
                  onClick={() => setIntrabar(!isIntrabar)}
                >
                  {isIntrabar ? 'closes' : 'intrabar'}
                </button>
              )}
            </Cell>
          ))}
        </dl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-panel px-2 py-1">
        <MoreFigures isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <p data-testid="figures-window" className="px-1 text-label text-muted tabular-nums">
          {windowText(run)}
        </p>
      </div>
      {isOpen && <AllFigures result={run.result} />}
    </section>
  );
}

/** Names, values and notes wrap: nothing of a figure or its unit is cut. */
function Cell({
  definition,
  value,
  note,
  tone,
  noteTone = 'muted',
  isMissing = false,
  children,
}: Omit<MetricCell, 'isSwitched'> & { children?: ReactNode }) {
  return (
    <div className="min-w-0 bg-panel px-3 py-2">
      <dt className="text-label text-muted">
        <DefinedTerm definition={definition} />
      </dt>
      <dd>
        <span
          className={`block min-h-5 font-semibold wrap-anywhere ${isMissing || value.length > LONG_CELL ? 'text-label leading-5' : 'text-section'} ${tones[tone]}`}
        >
          {value}
        </span>
        <span className="flex min-h-4 items-baseline justify-between gap-2">
          <span className={`min-w-0 text-label ${tones[noteTone]}`}>{note}</span>
          {children}
        </span>
      </dd>
    </div>
  );
}

/** All other figures of a run, folded until they are opened. */
function AllFigures({ result }: Pick<Run, 'result'>) {
  const basis = { ...result.summary, ...result.analysis };
  return (
    <div className="grid gap-px border-t border-line bg-line @2xl:grid-cols-3">
      {figureGroups.map((group) => (
        <section
          key={group}
          aria-label={`Figures: ${groupNames[group]}`}
          className="min-w-0 bg-panel px-3 py-2 text-label"
        >
          <p className="flex justify-between gap-2 pb-1 font-semibold">
            {groupNames[group]} <span className="font-normal text-muted tabular-nums">{restsOn(group, basis)}</span>
          </p>
          <dl className="tabular-nums">
            {groupedFigures(result, group).map(({ definition, value, isMissing }) => (
              <div key={definition.name} className="flex min-h-6 items-baseline justify-between gap-2">
                <dt className="text-muted">
                  <DefinedTerm definition={definition} />
                </dt>
                <dd className={`text-right ${isMissing ? 'text-muted' : 'font-medium'}`}>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Opens and closes the rarely used figures. */
export function MoreFigures({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button type="button" className="btn btn-ghost btn-small" aria-expanded={isOpen} onClick={onToggle}>
      <ChevronDown size={14} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
      {isOpen ? 'Fewer figures' : `${formatCount(figureCount)} more figures: return, risk, trades`}
    </button>
  );
}
