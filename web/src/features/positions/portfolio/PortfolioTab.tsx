import { ArrowRight, FileDown } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { useAnalytics, useClosedPositions } from '../../../data/positions.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { formatCount } from '../../../format/number.ts';
import { chooseSymbol } from '../../../state/market.ts';
import { navigation, openPage, openTab, setOpened } from '../../../state/navigation.ts';
import { tabPages, useOpenPage } from '../../../state/tabPages.ts';
import { Age } from '../../../ui/Time.tsx';
import { downloadText } from '../../../ui/download.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { PagedTab } from '../../../ui/PagedTab.tsx';
import { EmptyState, ErrorState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { JournalPanel } from '../journal/JournalPanel.tsx';
import { ReconciliationPanel } from '../reconciliation/ReconciliationPanels.tsx';
import { PositionDetail } from '../detail/PositionDetail.tsx';
import {
  ChipRow,
  chipTakes,
  NoPositions,
  NothingUnderChip,
  OpenPositionsView,
  portfolioState,
  WaitingPanel,
} from '../OpenPositionsView.tsx';
import { CloseDialog } from '../CloseDialog.tsx';
import { RiskCard } from '../risk/RiskCard.tsx';
import { ClosedTable } from '../table/ClosedTable.tsx';
import { OpenTable } from '../table/OpenTable.tsx';
import { useMarked, useServed } from '../useMarked.ts';
import { mark } from '../mark.ts';
import { WhatIfPanel } from '../whatif/WhatIfPanel.tsx';
import { AnalyticsPage, equityOf, SummaryStrip } from './AnalyticsPage.tsx';

const TAB = 'dashboard';

interface Parts {
  /** The watch list and its chart. */
  market: ReactNode;
  /** The status of the service. */
  service: ReactNode;
  /** The resting orders. */
  orders: ReactNode;
  /** The first steps of a new account. */
  start: ReactNode;
  /** The page of alerts. */
  alerts: ReactNode;
}

/** The portfolio, as the dashboard shows it, with parts of other features. */
export function PortfolioTab({ orders, alerts, ...parts }: Parts) {
  const page = useOpenPage(TAB);
  return (
    <PagedTab tab={TAB} title="Portfolio" pages={tabPages[TAB]} page={page} layout="full">
      {page === 'overview' && <OverviewPage {...parts} />}
      {page === 'positions' && <OpenPositionsView title="Open positions" hasChips orders={orders} />}
      {page === 'history' && <HistoryPage />}
      {page === 'analytics' && <AnalyticsPage />}
      {page === 'alerts' && alerts}
    </PagedTab>
  );
}

const RECENT_COUNT = 10;
const DAY_HOURS = 24;

/** Open positions with their risk, then the last trades and the market; an account that never traded has the market first. */
function OverviewPage({ market, service, start }: Omit<Parts, 'orders' | 'alerts'>) {
  const marked = useMarked();
  const analytics = useAnalytics();
  // Decided once the account is known: the market must not move when the first position opens.
  const [isNew, setNew] = useState<boolean | null>(null);
  if (isNew === null && marked.known !== null && analytics.data !== undefined)
    setNew(marked.known.length === 0 && marked.waiting.length === 0 && analytics.data.all.trades === 0);
  // With keys, so that the market moves without loading again.
  const account = [
    <OpenPanel key="open" marked={marked} />,
    <WaitingPanel key="waiting" positions={marked.waiting} decimalsOf={marked.decimalsOf} />,
    <RecentTrades key="recent" decimalsOf={marked.decimalsOf} />,
  ];
  const shownMarket = <Fragment key="market">{market}</Fragment>;
  return (
    <div className="flex flex-col gap-3">
      <Guarded>{start}</Guarded>
      <Guarded>
        <SummaryStrip analytics={analytics.data} rows={marked.known} />
      </Guarded>
      {analytics.error !== null && analytics.data === undefined && (
        <ErrorState
          failure={analytics.error}
          text={messageOf(analytics.error, 'Could not load your account figures.')}
          onRetry={() => void analytics.refetch()}
        />
      )}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-[minmax(0,1fr)_400px] docked:max-[1800px]:grid-cols-[minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <Guarded>{isNew === true ? [shownMarket, ...account] : [...account, shownMarket]}</Guarded>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <Guarded>
            <RiskCard rows={marked.known} equity={equityOf(analytics.data, marked.known)} />
            {service}
          </Guarded>
        </div>
      </div>
    </div>
  );
}

function OpenPanel({ marked }: { marked: ReturnType<typeof useMarked> }) {
  const { open, rows, confirmedAtMs, decimalsOf } = marked;
  const selectedOpen = useSnapshot(navigation).opened.position;
  const [closing, setClosing] = useState<string | null>(null);
  const leaving = rows.find(({ position }) => position.id === closing);
  const select = (id: string) => {
    setOpened('position', id);
    const row = rows.find(({ position }) => position.id === id);
    if (row !== undefined) chooseSymbol(row.position.symbol);
  };
  return (
    <Panel
      title="Open positions"
      aside={
        <span className="flex items-center gap-3">
          {confirmedAtMs !== null && rows.length > 0 && (
            <span className="max-md:hidden">
              <Age sinceMs={confirmedAtMs} prefix="prices" />
            </span>
          )}
          {rows.length > 0 && (
            <button type="button" className="btn btn-small" onClick={() => openPage('dashboard', 'positions')}>
              Charts and details <ArrowRight size={14} aria-hidden="true" />
            </button>
          )}
        </span>
      }
      bodyClassName=""
    >
      <Loaded response={open} failure="Could not load positions." rows={3}>
        {() =>
          rows.length === 0 ? (
            <NoPositions isSomeWaiting={marked.waiting.length > 0} />
          ) : (
            <OpenTable
              label="Open positions"
              rows={rows}
              decimalsOf={decimalsOf}
              selected={selectedOpen}
              heightMaxPx={360}
              onSelect={select}
              onClose={({ id }) => setClosing(id)}
            />
          )
        }
      </Loaded>
      <CloseDialog row={leaving} decimalsOf={decimalsOf} onDone={() => setClosing(null)} />
    </Panel>
  );
}

function RecentTrades({ decimalsOf }: { decimalsOf: (symbol: string) => number | undefined }) {
  const closed = useClosedPositions(DAY_HOURS);
  const show = (id: string) => {
    setOpened('closed', id);
    openPage('dashboard', 'history');
  };
  return (
    <Panel
      title="Recent trades"
      aside={
        (closed.data?.length ?? 0) > 0 && (
          <button type="button" className="btn btn-small" onClick={() => openPage('dashboard', 'history')}>
            All of 24 h <ArrowRight size={14} aria-hidden="true" />
          </button>
        )
      }
      bodyClassName=""
    >
      <Loaded response={closed} failure="Could not load trades." rows={3}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState text="No trades in the last 24 hours. Closed positions appear here." />
          ) : (
            <ClosedTable
              label="Recent trades"
              rows={all.slice(0, RECENT_COUNT)}
              decimalsOf={decimalsOf}
              selected={null}
              onSelect={show}
              isNarrow
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columns = [
  'id',
  'symbol',
  'side',
  'interval',
  'source',
  'openedAt',
  'closedAt',
  'entryPrice',
  'closePrice',
  'qty',
  'leverage',
  'notional',
  'margin',
  'initialStopLoss',
  'stopLoss',
  'takeProfit',
  'liquidationApprox',
  'closeReason',
  'pnl',
  'roiPct',
  'fees',
  'funding',
  'netPnl',
  'returnOnMarginPct',
  'riskMultiple',
  'confidence',
  'market',
] as const satisfies readonly (keyof PositionView)[];

/** Closed positions as CSV, numbers in full: times are epoch ms, money USDT, `Pct` percent. */
function historyCsv(positions: readonly PositionView[]): string {
  const rows = positions.map((position) => columns.map((column) => String(position[column] ?? '')).join(','));
  return `${[columns.join(','), ...rows].join('\n')}\n`;
}

/** The last 24 hours; further back on request. Hours by name. */
const spans = { '24 h': 24, '7 d': 168, '30 d': 720 } as const;
type Span = keyof typeof spans;
const spanNames = Object.keys(spans) as Span[];

function HistoryPage() {
  const [span, setSpan] = useState<Span>('24 h');
  const closed = useClosedPositions(spans[span]);
  const { decimalsOf } = useMarked();
  const { isServed } = useServed();
  const { chip } = useSnapshot(portfolioState);
  const selectedClosed = useSnapshot(navigation).opened.closed;
  const shown = (closed.data ?? []).filter((position) => chipTakes(chip, position));
  const chosen = shown.find(({ id }) => id === selectedClosed) ?? shown[0];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Panel
        title={`Closed positions (${formatCount(shown.length)})`}
        aside={
          <span className="flex items-center gap-2">
            <Segments label="Since" isSmall options={spanNames} value={span} onSelect={setSpan} />
            {shown.length > 0 && <CsvButton shown={shown} />}
          </span>
        }
        bodyClassName=""
      >
        <ChipRow />
        <Loaded response={closed} failure="Could not load history." rows={6}>
          {(all) => {
            if (all.length === 0) return <NoTrades span={span} />;
            if (shown.length === 0) return <NothingUnderChip />;
            return (
              <ClosedTable
                label="Closed positions"
                rows={shown}
                decimalsOf={decimalsOf}
                selected={chosen?.id ?? null}
                heightMaxPx={320}
                onSelect={(id) => setOpened('closed', id)}
              />
            );
          }}
        </Loaded>
      </Panel>
      {chosen !== undefined && (
        <PositionDetail
          row={mark(chosen, null)}
          decimals={decimalsOf(chosen.symbol)}
          journal={(chart) => <JournalPanel key={`journal ${chosen.id}`} id={chosen.id} chart={chart} />}
        >
          <ReconciliationPanel
            key={`lab ${chosen.id}`}
            id={chosen.id}
            side={chosen.side}
            decimals={decimalsOf(chosen.symbol)}
          />
          {isServed(chosen) && <WhatIfPanel key={chosen.id} position={chosen} decimals={decimalsOf(chosen.symbol)} />}
        </PositionDetail>
      )}
    </div>
  );
}

function CsvButton({ shown }: { shown: readonly PositionView[] }) {
  return (
    <span className="max-md:hidden">
      <button
        type="button"
        className="btn btn-small"
        onClick={() => downloadText('positions.csv', historyCsv(shown), 'text/csv')}
      >
        <FileDown size={14} aria-hidden="true" /> CSV
      </button>
    </span>
  );
}

function NoTrades({ span }: { span: Span }) {
  return (
    <EmptyState text={`No trades in the last ${span}. Closed positions appear here with every cost.`}>
      <button type="button" className="btn" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}
