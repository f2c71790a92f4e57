import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { BacktestSummary } from '@sextant/workers/src/protocol/backtest.ts';
import { strategyInputOf } from '@sextant/workers/src/tasks/optimize/rulesSpace.ts';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatCount, formatMoney, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { rulesOf, SaveAsRules } from '../live/MyRules.tsx';
import { profitFactorText } from '../results/figures.ts';
import { markOf } from '../trialCounts.ts';
import type { SearchRun } from './searchState.ts';

interface Row {
  name: string;
  of: (summary: BacktestSummary) => string;
}

const optional = (value: number | null, format: (value: number) => string): string =>
  value === null ? 'not enough data' : format(value);

const rows: readonly Row[] = [
  { name: 'Net PnL, USDT', of: ({ netPnl }) => formatMoney(netPnl, true) },
  { name: 'Trades', of: ({ tradeCount }) => formatCount(tradeCount) },
  { name: 'Win rate', of: ({ winRate }) => optional(winRate, formatPercent) },
  { name: 'Profit factor', of: profitFactorText },
  { name: 'Drawdown, marked to market', of: ({ maxDrawdownFraction }) => formatPercent(maxDrawdownFraction) },
];

/** The best set on training and on unseen candles, beside the user's set, which stays active until another is applied. */
export function SearchComparison({
  run,
  activeSet,
  onApply,
  onBack,
}: {
  run: SearchRun;
  /** Which set is on the sliders. */
  activeSet: keyof typeof activeText;
  onApply: () => void;
  /** Null: the user's set is active. */
  onBack: (() => void) | null;
}) {
  const { best, train } = run.result;
  const own = useOwnSummary(run);
  const isScored = run.input.trainOn === 'scored';
  const searched = `${formatCount(train.end - train.start)} ${isScored ? 'scored candles, used to search' : 'training candles'}`;
  const unseen = `${formatCount(run.input.scoredCount)} ${isScored ? 'scored candles, used to search' : 'unseen candles'}`;
  const columns = [
    { name: 'Best in training', window: searched, summary: best.train },
    ...(isScored ? [] : [{ name: 'Same set unseen', window: unseen, summary: best.scored.summary }]),
    { name: 'Yours before', window: unseen, summary: own.summary },
  ];
  return (
    <section aria-label="Best set beside yours" className="border-b border-line p-3">
      <ScrollSideways label="Figures of the best set and of yours">
        <table className="table w-full min-w-120 text-label tabular-nums">
          <thead>
            <tr>
              <th scope="col" className="lead">
                <span className="sr-only">Figure</span>
              </th>
              {columns.map(({ name, window }) => (
                <th key={name} scope="col">
                  {name}
                  <span className="block font-normal text-muted">{window}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, of }) => (
              <tr key={name}>
                <th scope="row" className="lead font-normal text-muted">
                  {name}
                </th>
                {columns.map(({ name: column, summary }) => (
                  <td key={column} aria-busy={summary === null}>
                    {summary === null ? own.note : of(summary)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <div className="mt-2 flex flex-wrap items-center gap-2 text-label">
        <span className="text-muted" role="status">
          {activeText[activeSet]}
        </span>
        <button type="button" className="btn btn-primary btn-small" disabled={activeSet === 'best'} onClick={onApply}>
          Apply the best set
        </button>
        <button type="button" className="btn btn-small" disabled={onBack === null} onClick={() => onBack?.()}>
          Back to my set
        </button>
        <SaveAsRules
          rules={best.strategy ?? rulesOf({ params: best.params, loaded: run.loaded })}
          mark={markOf(run.loaded, best.scored.hashes.data)}
          label="Save the best set as my rules"
        />
      </div>
    </section>
  );
}

const activeText = {
  best: 'The best parameters are active.',
  own: 'Your parameters are active.',
  other: 'Other parameters are active.',
};

/** The set from before the search on the scored candles; computed once, also for a search restored after a reload. */
function useOwnSummary({ input }: SearchRun): { summary: BacktestSummary | null; note: string } {
  const [result, setResult] = useState<{ of: object; summary: BacktestSummary | null; note: string } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { candles, params, costs, scoredCount, markPrices, fineCandles, rules } = input;
    const { signal } = stop;
    const market = {
      candles,
      costs,
      scoredCount,
      ...withoutUndefined({ markPrices, fineCandles }),
    };
    const run =
      rules === undefined
        ? runEngineTask('backtest', { ...market, params: structuredClone(params) }, { signal })
        : runEngineTask('backtestStrategy', strategyInputOf(input, rules), { signal });
    run
      .then(({ summary }) => setResult({ of: input, summary, note: '' }))
      .catch((failure: unknown) => {
        if (!stop.signal.aborted) setResult({ of: input, summary: null, note: messageOf(failure, NO_VALUE) });
      });
    return () => stop.abort();
  }, [input]);
  return result?.of === input ? result : { summary: null, note: 'Calculating' };
}
