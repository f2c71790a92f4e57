import { useState } from 'react';
import { usePersistence } from '../../api/arbitrage.ts';
import type { Persistence } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatFixed, formatMany, formatSigned, NO_VALUE } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Loaded, Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { type Column, TableHead } from '../../ui/TableHead.tsx';
import { FundingPanel } from './FundingPanel.tsx';
import { ResultsPage } from './ResultsPage.tsx';
import { pctText } from './ScanFacts.tsx';
import { ScannerPage } from './ScannerPage.tsx';
import { useArbitrageScan } from './useArbitrageScan.ts';

const TAB = 'arb';

export function ArbitrageTab() {
  const page = useOpenPage(TAB);
  const run = useArbitrageScan();
  return (
    <PagedTab tab={TAB} title="Arbitrage" pages={tabPages[TAB]} page={page} layout="full">
      {page === 'scanner' && <ScannerPage run={run} />}
      {page === 'results' && <ResultsPage run={run} />}
      {page === 'analytics' && <AnalyticsPage />}
    </PagedTab>
  );
}

type Figures = Persistence['overall'];
type Share = Figures['captured']['s1'];

/** Measurements of the service, once a second: lifetime of spreads above costs, and actual funding. */
function AnalyticsPage() {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Guarded>
        <PersistencePanel />
        <FundingPanel />
      </Guarded>
    </div>
  );
}

const verdicts: Record<Persistence['verdict'], string> = {
  not_enough: 'Not enough measured yet',
  no_edge: 'No edge after costs',
  edge: 'Spreads above costs can be reached',
};

const verdictReasons: Record<Persistence['verdict'], string> = {
  not_enough: '',
  no_edge: 'Net spread after 5 s: the 95 % interval includes zero or less.',
  edge: 'Net spread after 5 s: the 95 % interval is above zero. Your order speed is not measured.',
};

function PersistencePanel() {
  const persistence = usePersistence(null);
  return (
    <Panel title="Spreads above costs" bodyClassName="flex flex-col gap-4 p-3">
      <Loaded response={persistence} failure="Could not load the measurements." rows={6}>
        {(data) => (
          <>
            <Verdict data={data} />
            {data.overall.episodes > 0 && (
              <>
                <Captured figures={data.overall} thresholdPct={data.thresholdPct} />
                <Groups data={data} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Verdict({ data }: { data: Persistence }) {
  const { overall, verdict, missing, thresholdPct, sampledSeconds, days, notStored } = data;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-page font-semibold">{verdicts[verdict]}</p>
      <p>{missing ?? verdictReasons[verdict]}</p>
      <p className={`text-label text-muted ${sampledSeconds === 0 ? 'hidden' : ''}`}>
        {formatMany(overall.episodes, 'time')} above {pctText(thresholdPct)} net at the best prices in{' '}
        {formatDuration(sampledSeconds * 1000)} of sampling, one sample a second; stored for {days} days.
        {overall.cutShort > 0 &&
          ` Still open when last seen: ${formatCount(overall.cutShort)}, counted as at least that long (Kaplan-Meier).`}
        {notStored > 0 && ` ${formatCount(notStored)} beyond the daily limit were counted, not stored.`}
      </p>
    </div>
  );
}

/** The three capture rates as bars with their intervals, and the lifetime. */
function Captured({ figures, thresholdPct }: { figures: Figures; thresholdPct: number }) {
  const rows = [
    ['after 1 s', figures.captured.s1, figures.leftPct.s1],
    ['after 5 s', figures.captured.s5, figures.leftPct.s5],
    ['after 30 s', figures.captured.s30, figures.leftPct.s30],
  ] as const;
  const range = rangeText(figures);
  return (
    <div className="grid gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <section>
        <h3 className="mb-1 font-semibold">Still above zero</h3>
        <ul className="flex flex-col gap-1">
          {rows.map(([name, share, left]) => (
            <li
              key={name}
              className="grid grid-cols-[72px_minmax(40px,1fr)] items-center gap-x-3 md:grid-cols-[72px_minmax(40px,1fr)_200px_250px]"
            >
              <span className="text-muted">{name}</span>
              <ShareBar share={share} />
              <span className="tabular-nums max-md:col-span-2">{shareText(share)}</span>
              <span className="text-muted tabular-nums max-md:col-span-2">left {leftText(left)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3 className="mb-1 font-semibold">Median time above {pctText(thresholdPct)} net</h3>
        <p className="text-figure font-semibold tabular-nums">{seconds(figures.medianLifetimeS)}</p>
        <p className="text-label text-muted">
          {range === null ? 'too few for an interval' : `${range}, 95 % interval`}
        </p>
        <p className="text-label text-muted">A spread below this level may still be above zero.</p>
      </section>
    </div>
  );
}

/** Lifetimes are sampled once a second: parts of a second would be invented. */
const seconds = (value: number | null): string =>
  value === null ? NO_VALUE : formatDuration(Math.max(1, Math.round(value)) * 1000);

/** Null with fewer lifetimes than an interval needs. An upper end that is not reached yet is left open. */
export function rangeText({ medianLifetimeLowS: low, medianLifetimeHighS: high }: Figures): string | null {
  if (low === null) return null;
  if (high === null) return `${seconds(low)} or more`;
  return seconds(low) === seconds(high) ? seconds(low) : `${seconds(low)} to ${seconds(high)}`;
}

const shareText = ({ share, low, high, of }: Share): string =>
  share === null
    ? 'none tracked that long'
    : `${formatFixed(share * 100, 0)} % of ${formatCount(of)} (${formatFixed(low * 100, 0)} to ${formatFixed(high * 100, 0)} %)`;

const leftText = ({ mean, low, high }: Figures['leftPct']['s1']): string =>
  mean === null
    ? NO_VALUE
    : `${formatSigned(mean, 3)}\u00a0%${low === null || high === null ? '' : ` (${formatSigned(low, 3)} to ${formatSigned(high, 3)}\u00a0%)`}`;

/** Filled up to the share, with its interval as a line. */
function ShareBar({ share: { share, low, high } }: { share: Share }) {
  return (
    <span aria-hidden="true" className="relative block h-3 bg-row-hover">
      {share !== null && (
        <>
          <span className="absolute inset-y-0 left-0 bg-accent opacity-60" style={{ width: `${share * 100}%` }} />
          <span
            className="absolute inset-y-1 border-x border-text bg-text/40"
            style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
          />
        </>
      )}
    </span>
  );
}

const groupings = ['Symbol', 'Exchanges', 'Hour, UTC'] as const;

function Groups({ data }: { data: Persistence }) {
  const [grouping, setGrouping] = useState<(typeof groupings)[number]>('Symbol');
  const rows: [string, Figures][] = {
    Symbol: data.bySymbol.map((each): [string, Figures] => [each.symbol, each]),
    Exchanges: data.byPair.map((each): [string, Figures] => [
      `${exchangeName(each.buy)} to ${exchangeName(each.sell)}`,
      each,
    ]),
    'Hour, UTC': data.byHour.map((each): [string, Figures] => [`${String(each.hour).padStart(2, '0')}:00`, each]),
  }[grouping];
  const columns: Column[] = [
    { name: grouping, isText: true },
    { name: 'Times' },
    { name: 'End not seen', isWideOnly: true },
    { name: `Median time above ${pctText(data.thresholdPct)}` },
    { name: 'Above zero after 1 s' },
    { name: '5 s' },
    { name: '30 s' },
    { name: 'Left after 5 s' },
  ];
  return (
    <div className="flex flex-col gap-2">
      <div className="self-start">
        <Segments label="Group by" isSmall isFitted options={groupings} value={grouping} onSelect={setGrouping} />
      </div>
      <ScrollSideways label="Spreads above costs by group">
        <table className="table">
          <TableHead columns={columns} />
          <tbody>
            {rows.map(([name, figures]) => (
              <tr key={name}>
                <th scope="row" className="lead">
                  <span className="font-medium text-text">{name}</span>
                </th>
                <td>{formatCount(figures.episodes)}</td>
                <td className="max-md:hidden">{formatCount(figures.cutShort)}</td>
                <td>
                  {seconds(figures.medianLifetimeS)}
                  {rangeText(figures) !== null && <span className="text-muted"> ({rangeText(figures)})</span>}
                </td>
                {[figures.captured.s1, figures.captured.s5, figures.captured.s30].map((share, at) => (
                  <td key={at}>{share.share === null ? NO_VALUE : shareText(share)}</td>
                ))}
                <td>{leftText(figures.leftPct.s5)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </div>
  );
}
