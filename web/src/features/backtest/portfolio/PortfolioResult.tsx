import { GitCompareArrows } from 'lucide-react';
import type { PortfolioRun } from '../../../api/types.ts';
import {
  formatCount,
  formatFixed,
  formatMany,
  formatMoney,
  formatPercent,
  NO_VALUE,
  signTone,
} from '../../../format/number.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TableHead } from '../../../ui/TableHead.tsx';
import { comparePortfolio, freeName, useSavedRuns } from '../saved/comparedRuns.ts';
import { pinIdOf, pinned, pinNameOf, pinOf } from '../saved/pinnedPortfolios.ts';
import { MonthMap } from './MonthMap.tsx';
import { PortfolioCurves } from './PortfolioCurves.tsx';
import {
  biasText,
  capacityText,
  contributionBars,
  leftOutText,
  missingTexts,
  regimeNames,
  sizeText,
  skipRows,
} from './portfolioText.ts';

/** Net and drawdown first, then where they come from and what limits the trust in them. */
export function PortfolioResult({ run, isOld }: { run: PortfolioRun; isOld: boolean }) {
  return (
    <section
      aria-label="Portfolio result"
      data-status={isOld ? 'old' : 'fresh'}
      className={`flex min-w-0 flex-col gap-3 ${isOld ? 'opacity-60' : ''}`}
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 truncate text-section font-semibold">{pinNameOf(run)}</h2>
        <ComparePortfolio run={run} />
      </div>
      <Figures run={run} />
      <Verdict honesty={run.honesty} />
      <PortfolioCurves curve={run.curve} equity={run.account.equity} />
      <div className="grid min-w-0 gap-3 xl:grid-cols-2">
        <Contributions run={run} />
        <div className="flex min-w-0 flex-col gap-3">
          <Regimes run={run} />
          <Skips run={run} />
        </div>
      </div>
      <MonthMap months={run.months} />
      <Notes run={run} />
    </section>
  );
}

/** Puts the run beside the other compared runs. */
function ComparePortfolio({ run }: { run: PortfolioRun }) {
  const saved = useSavedRuns().data ?? [];
  const add = () => {
    const others = pinned.runs.filter(({ id }) => id !== pinIdOf(run));
    const known = pinned.runs.find(({ id }) => id === pinIdOf(run));
    const [market = '', rules = ''] = pinNameOf(run).split(', ');
    const names = [...saved, ...others].map(({ name }) => name);
    comparePortfolio(known ?? pinOf(run, freeName(market, rules, names)));
    toast('Run added to the comparison', 'success');
  };
  return (
    <button type="button" className="btn btn-small" title="Put this run beside others" onClick={add}>
      <GitCompareArrows size={14} aria-hidden="true" /> Compare
    </button>
  );
}

function Figures({ run }: { run: PortfolioRun }) {
  const { summary, account } = run;
  const { netPnl, maxDrawdownFraction, winRate, profitFactor, sharpe } = summary;
  const cells: [name: string, value: string, note: string, tone?: string][] = [
    ['Net PnL', formatMoney(netPnl, true), formatPercent(netPnl / account.equity, true), signTone(netPnl)],
    ['Max drawdown', formatPercent(maxDrawdownFraction), 'of the highest equity'],
    ['Trades', formatCount(summary.tradeCount), sizeText(run)],
    ['Win rate', formatPercent(winRate), `profit factor ${formatFixed(profitFactor, 2)}`],
    ['Sharpe', formatFixed(sharpe.value, 2), formatMany(sharpe.count, 'day')],
    ['Fees', formatMoney(summary.fees), `fundings ${formatMoney(-summary.funding, true)}`],
    ['Turnover', formatMoney(summary.turnover), `${formatFixed(summary.turnoverRatio, 1)} × equity`],
    [
      'Open positions',
      formatFixed(summary.meanOpenCount, 2),
      `at most ${formatCount(summary.maxOpenCount)}, gross ${formatPercent(summary.maxGrossFraction)}`,
    ],
  ];
  return (
    <dl className="grid grid-cols-2 gap-px border border-line bg-line md:grid-cols-4" data-testid="portfolio-figures">
      {cells.map(([name, value, note, tone = '']) => (
        <div key={name} className="flex min-w-0 flex-col gap-0.5 bg-panel p-2">
          <dt className="text-label text-muted">{name}</dt>
          <dd className={`truncate text-body font-semibold tabular-nums ${tone}`}>{value}</dd>
          <dd className="text-label text-muted tabular-nums">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

const levelTones = {
  luck: 'text-warn',
  unclear: 'text-text',
  'holds up': 'text-accent',
  'not enough data': 'text-muted',
} as const;

export function Verdict({ honesty }: Pick<PortfolioRun, 'honesty'>) {
  if (honesty === null) return null;
  const { level, words, figures } = honesty;
  return (
    <Panel title="Verdict">
      <div className="flex flex-col gap-2">
        <p>
          <b className={levelTones[level]}>{level.charAt(0).toUpperCase() + level.slice(1)}.</b> {words}
        </p>
        <details>
          <summary className="cursor-pointer text-label text-muted">All {figures.length} figures</summary>
          <dl className="mt-2 flex flex-col gap-1 text-label">
            {figures.map(({ id, name, words: own, reason }) => (
              <div key={id} className="flex flex-col border-b border-line py-1">
                <dt className="font-medium">{name}</dt>
                <dd className="text-muted">{own === '' ? (reason ?? NO_VALUE) : own}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </Panel>
  );
}

function Contributions({ run }: { run: PortfolioRun }) {
  const rows = contributionBars(run.contributions);
  return (
    <Panel title="Contribution by symbol" aside="net, USDT">
      <ul aria-label="Contribution by symbol" className="flex max-h-96 flex-col overflow-y-auto" tabIndex={0}>
        {rows.map(({ symbol, netPnl, tradeCount, widthPct }) => (
          <li
            key={symbol}
            className="grid grid-cols-[6.5rem_minmax(0,1fr)_5.5rem] items-center gap-2 border-b border-line py-1 text-label"
          >
            <span className="truncate font-medium" title={symbol}>
              {symbol}
            </span>
            <span className="flex items-center gap-2">
              <span aria-hidden="true" className="min-w-0 flex-1">
                <span
                  className={`block h-2 min-w-px ${netPnl < 0 ? 'bg-down' : 'bg-up'}`}
                  style={{ width: `${widthPct}%` }}
                />
              </span>
              <span className="shrink-0 text-muted tabular-nums">{formatMany(tradeCount, 'trade')}</span>
            </span>
            <span className={`text-right font-semibold tabular-nums ${signTone(netPnl)}`}>
              {formatMoney(netPnl, true)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const regimeColumns = [
  { name: 'Regime', isText: true },
  { name: 'Trades' },
  { name: 'Win rate' },
  { name: 'Net, USDT' },
];

function Regimes({ run: { regimes } }: { run: PortfolioRun }) {
  const rows = regimes.filter(({ tradeCount }) => tradeCount > 0);
  return (
    <Panel title="By regime at the entry" bodyClassName="p-0">
      {rows.length === 0 ? (
        <p className="p-3 text-label text-muted">No trades.</p>
      ) : (
        <table className="table w-full">
          <TableHead columns={regimeColumns} />
          <tbody>
            {rows.map(({ regime, tradeCount, netPnl, winRate }) => (
              <tr key={regime}>
                <th scope="row" className="lead">
                  {regimeNames[regime]}
                </th>
                <td>{formatCount(tradeCount)}</td>
                <td>{formatPercent(winRate)}</td>
                <td className={signTone(netPnl)}>{formatMoney(netPnl, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Skips({ run: { skips } }: { run: PortfolioRun }) {
  const rows = skipRows(skips);
  return (
    <Panel title="Skipped signals">
      {rows.length === 0 ? (
        <p className="text-label text-muted">Every signal was entered.</p>
      ) : (
        <dl className="flex flex-col text-label" data-testid="portfolio-skips">
          {rows.map(([name, count]) => (
            <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
              <dt className="text-muted">{name}</dt>
              <dd className="font-medium tabular-nums">{formatCount(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

/** What limits the trust in the result: survivors, symbols that took no part, unknown costs, what Auto does beyond. */
function Notes({ run }: { run: PortfolioRun }) {
  const { left_out: left, account, survivors_text: survivors, survivor_bias: bias, correlation, capacity } = run;
  return (
    <Panel title="What to know">
      <div className="flex flex-col gap-2 text-label" data-testid="portfolio-notes">
        <p>
          {survivors} <span className="text-muted">{biasText(bias)}</span>
        </p>
        {left.length > 0 && <Notice tone="warn">Left out: {leftOutText(left)}.</Notice>}
        {[...missingTexts(run), ...account.notes].map((text) => (
          <p key={text}>{text}</p>
        ))}
        <p className="text-muted">
          Capacity at a tenth of each candle&apos;s turnover: {capacityText(capacity)}. Mean correlation of symbols:{' '}
          {formatFixed(correlation.mean, 2)}.
        </p>
      </div>
    </Panel>
  );
}
