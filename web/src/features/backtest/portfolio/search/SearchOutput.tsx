import { useSnapshot } from 'valtio';
import type { PortfolioSearch } from '../../../../api/types.ts';
import { usePreferences } from '../../../../data/preferences.ts';
import { useStrategies } from '../../../../data/strategies.ts';
import { formatCount, formatFixed, formatMoney, formatPercent, signTone } from '../../../../format/number.ts';
import { toast } from '../../../../state/toasts.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../../ui/ScrollSideways.tsx';
import { type Column, TableHead } from '../../../../ui/TableHead.tsx';
import { Verdict } from '../PortfolioResult.tsx';
import { portfolioDraft } from '../portfolioState.ts';
import { leftOutText } from '../portfolioText.ts';
import {
  applySet,
  isSearchOfForm,
  portfolioSearch,
  portfolioSearchForm,
  type PortfolioSearchForm,
  runPortfolioSearch,
} from './portfolioSearchState.ts';
import { figureRows, headFigures, setText, spanText, type Summary, targetName } from './searchText.ts';

/** The last search: the best set on training and unseen candles beside the account as it is, then how much of it is luck. */
export function SearchOutput() {
  const { status, error, search } = useSnapshot(portfolioSearch);
  const draft = useSnapshot(portfolioDraft);
  const form = useSnapshot(portfolioSearchForm) as PortfolioSearchForm;
  const list = useStrategies().data;
  const isRunning = status === 'running';
  const result = search?.result as PortfolioSearch | undefined;
  return (
    <div className="flex flex-col gap-3 p-3" aria-busy={isRunning}>
      {error !== null && (
        <ErrorState text={error.text} failure={error.failure} onRetry={() => void runPortfolioSearch(list)} />
      )}
      {search === null && isRunning && <SkeletonRows rows={6} />}
      {search === null && !isRunning && error === null && (
        <EmptyState
          text="Search thresholds, levels and slots of one account over all its symbols, or the ranges of your rules."
          ghost="chart"
        />
      )}
      {search !== null && !isSearchOfForm(search.body, draft, form, list) && (
        <Notice tone="info">This is the last search. Search again for the settings above.</Notice>
      )}
      {result !== undefined && (
        <section
          aria-label="Search result"
          data-status={isRunning ? 'old' : 'fresh'}
          className={`flex min-w-0 flex-col gap-3 ${isRunning ? 'opacity-60' : ''}`}
        >
          <BestSet search={result} />
          <Verdict honesty={result.honesty} />
          <Luck search={result} />
          <Leaders search={result} />
        </section>
      )}
    </div>
  );
}

function useApply() {
  const preferences = usePreferences().data ?? null;
  return (row: PortfolioSearch['own']) => {
    const from = portfolioSearch.search?.from;
    if (from === undefined) return;
    applySet(row, from, preferences);
    toast('Set applied. Run it for every figure.', 'success');
  };
}

function BestSet({ search }: { search: PortfolioSearch }) {
  const { best, own, train, unseen, left_out: left } = search;
  const apply = useApply();
  const columns: { of: string; span: string; summary: Summary | null }[] = [
    ...(best === null
      ? []
      : [
          { of: 'Best', span: 'in training', summary: best.train },
          { of: 'Best', span: 'unseen', summary: best.unseen },
        ]),
    { of: 'Yours', span: 'in training', summary: own.train },
    { of: 'Yours', span: 'unseen', summary: own.unseen },
  ];
  return (
    <Panel title="Best set" aside={`of ${formatCount(search.samples)} by ${targetName(search.target)}`}>
      <div className="flex flex-col gap-3">
        {best === null ? (
          <Notice tone="warn">
            No set could be ranked: it needs 10 closed trades and equity left. Widen the ranges or add candles.
          </Notice>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0" data-testid="best-set">
              <b className="tabular-nums">{setText(best)}</b>
            </p>
            <button
              type="button"
              className="btn btn-primary btn-small"
              disabled={best.index === 0}
              onClick={() => apply(best)}
            >
              Use this set
            </button>
          </div>
        )}
        <ScrollSideways label="Figures of the best set and of yours">
          <table className="table w-full text-label tabular-nums" data-testid="search-figures">
            <thead>
              <tr>
                <th scope="col" className="lead">
                  <span className="sr-only">Figure</span>
                </th>
                {columns.map(({ of, span }) => (
                  <th key={`${of} ${span}`} scope="col">
                    {of} <span className="font-normal text-muted md:inline max-md:block">{span}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {figureRows.map(({ name, format, toneOf }) => (
                <tr key={name}>
                  <th scope="row" className="lead wraps font-normal text-muted">
                    {name}
                  </th>
                  {columns.map(({ of, span, summary }) => (
                    <td
                      key={`${of} ${span}`}
                      className={summary === null || toneOf === undefined ? '' : `font-semibold ${toneOf(summary)}`}
                    >
                      {summary === null ? '' : format(summary)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollSideways>
        <p className="text-label text-muted tabular-nums">
          Training: {spanText(train)}. Unseen: {spanText(unseen)}.
        </p>
        {left.length > 0 && <Notice tone="warn">Left out: {leftOutText(left)}.</Notice>}
      </div>
    </Panel>
  );
}

/** The figures that say how lucky the best of so many sets is by chance alone. */
function Luck({ search: { honesty } }: { search: PortfolioSearch }) {
  const rows = headFigures(honesty);
  if (honesty === null || rows.length === 0) return null;
  return (
    <Panel title="How much is luck" aside={`${formatCount(honesty.trialCount)} sets counted`}>
      <dl className="grid gap-3 text-label md:grid-cols-2" data-testid="search-luck">
        {rows.map(({ id, name, words }) => (
          <div key={id} className="flex flex-col gap-0.5">
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted tabular-nums">{words}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const leaderColumns: readonly Column[] = [
  { name: 'Set', isText: true },
  { name: 'Actions', isSilent: true },
  { name: 'Net, USDT' },
  { name: 'Drawdown' },
  { name: 'Sharpe' },
  { name: 'Trades' },
];

function Leaders({ search }: { search: PortfolioSearch }) {
  const { leaders, ranked, samples } = search;
  const apply = useApply();
  if (leaders.length === 0) return null;
  return (
    <Panel
      title="Best sets in training"
      aside={`${formatCount(ranked)} of ${formatCount(samples)} ranked`}
      bodyClassName="p-0"
    >
      <ScrollSideways label="Best sets in training">
        <table className="table w-full text-label tabular-nums">
          <TableHead columns={leaderColumns} />
          <tbody>
            {leaders.map((row) => (
              <tr key={row.index}>
                <th scope="row" className="lead wraps min-w-36 font-normal">
                  {setText(row)}
                </th>
                <td>
                  <button
                    type="button"
                    className="btn btn-small"
                    aria-label={`Use set ${row.index}`}
                    disabled={row.index === 0}
                    onClick={() => apply(row)}
                  >
                    Use
                  </button>
                </td>
                <td className={signTone(row.train.netPnl)}>{formatMoney(row.train.netPnl, true)}</td>
                <td>{formatPercent(row.train.maxDrawdownFraction)}</td>
                <td>{formatFixed(row.train.sharpe.value, 2)}</td>
                <td>{formatCount(row.train.tradeCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}
