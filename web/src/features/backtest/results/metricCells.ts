import type { BacktestSummary, Statistic } from '@sextant/workers/src/protocol.ts';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import type { Definition } from '../../../ui/Hint.tsx';
import type { Run } from '../backtestState.ts';
import { DRAWDOWN_WARNING, pnlOverDrawdown, statisticNote, TRADES_MIN } from './figures.ts';
import { metricDefinitions as define } from '../../../api/metrics.gen.ts';

export type Tone = 'up' | 'down' | 'warn' | 'muted' | 'plain';

export interface MetricCell {
  definition: Definition;
  value: string;
  /** What the figure rests on, or why there is none. */
  note: string;
  tone: Tone;
  noteTone?: Tone;
  /** Words stand in the place of a number. */
  isMissing?: boolean;
}

export const signTone = (value: number | null): Tone => {
  if (value === null || value === 0) return 'muted';
  return value > 0 ? 'up' : 'down';
};

/** A figure that may not exist: then the words say so instead of a number that would mislead. */
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

/** The strip, in the order of importance. */
export function metricCells({ result: { summary }, costs }: Pick<Run, 'result' | 'costs'>): MetricCell[] {
  const n = `n = ${summary.tradeCount}`;
  const twoDecimals = (value: number) => formatFixed(value, 2);
  const isDeep = summary.maxDrawdownFraction > DRAWDOWN_WARNING;
  const isAmbiguous = summary.ambiguousFraction > 0;
  return [
    optional(define.winRate, summary.winRate, formatPercent, { note: n, without: n }),
    {
      definition: define.trades,
      value: formatCount(summary.tradeCount),
      note: sidesNote(summary),
      tone: 'plain',
      noteTone: summary.tradeCount < TRADES_MIN ? 'warn' : 'muted',
    },
    {
      definition: define.maxDrawdown,
      value: formatPercent(summary.maxDrawdownFraction),
      note: isDeep ? 'above 10 %' : 'of the peak',
      tone: isDeep ? 'warn' : 'plain',
    },
    ratio(define.sharpe, summary.sharpe),
    optional(define.profitFactor, summary.profitFactor, twoDecimals, { note: n, without: 'no losing trade' }),
    {
      ...optional(define.expectancy, summary.expectancy, (value) => formatMoney(value, true), {
        note: 'USDT a trade',
        without: n,
      }),
      tone: signTone(summary.expectancy),
    },
    optional(define.pnlOverDrawdown, pnlOverDrawdown(summary, costs.initialEquity), twoDecimals, {
      note: 'return over fall',
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
