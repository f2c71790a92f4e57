import { useMemo } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import type { ArbitrageItem, ArbitrageResults, ArbitrageScan } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatMoney, formatPrice, formatSigned, NO_VALUE, signTone } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { openPage } from '../../state/navigation.ts';
import { onUserReset } from '../../state/userReset.ts';
import { DataGrid, type GridColumn, type GridSort } from '../../ui/grid/DataGrid.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { PairDrawer } from './PairDrawer.tsx';
import { aboveCostsMs, Badge, netOf, pctText, ScanFacts, ScanFigures } from './ScanFacts.tsx';
import { AutoRefresh, NothingFound, ScanProgress } from './ScannerPage.tsx';
import { type ArbitrageRun, texts } from './useArbitrageScan.ts';

const badgeChoices = ['All', 'high', 'medium', 'low'] as const;

export interface ItemFilter {
  text: string;
  badge: (typeof badgeChoices)[number];
  /** Only what leaves something after fees, depth and funding. */
  isNetPositive: boolean;
}

type ItemColumn = 'symbol' | 'buy' | 'sell' | 'spread' | 'gross' | 'net' | 'netUsdt' | 'best' | 'since';
export type ItemSort = GridSort<ItemColumn>;

interface ViewState {
  filter: ItemFilter;
  sort: ItemSort;
  /** Symbol of the row whose details are open. */
  selected: string | null;
}

const noFilter = (): ItemFilter => ({ text: '', badge: 'All', isNetPositive: false });
const byNet: ItemSort = { column: 'net', isDescending: true };
const first = (): ViewState => ({ filter: noFilter(), sort: byNet, selected: null });

/** What the results remember while other tabs are looked at. */
const viewState = proxy<ViewState>(first());
onUserReset(() => Object.assign(viewState, first()));

const keys: Record<ItemColumn, (item: ArbitrageItem) => number | string | null> = {
  symbol: ({ symbol }) => symbol,
  buy: ({ bestBuy }) => bestBuy,
  sell: ({ bestSell }) => bestSell,
  spread: ({ spreadPct }) => spreadPct,
  gross: ({ theoreticalPnlUsdt }) => theoreticalPnlUsdt,
  net: (item) => netOf(item).pct,
  netUsdt: (item) => netOf(item).usdt,
  best: ({ atBestSize }) => atBestSize?.netUsdt ?? null,
  since: ({ existsSinceMs }) => (existsSinceMs === null ? null : -existsSinceMs),
};

/** The rows that pass, in order. What has no value comes last either way; equals keep the order they came in. */
export function shownItems(
  items: readonly ArbitrageItem[],
  { text, badge, isNetPositive }: ItemFilter,
  { column, isDescending }: ItemSort,
): ArbitrageItem[] {
  const wanted = text.trim().toUpperCase();
  const sign = isDescending ? -1 : 1;
  return items
    .filter(
      (item) =>
        item.symbol.includes(wanted) &&
        (badge === 'All' || item.badge === badge) &&
        (!isNetPositive || netOf(item).pct > 0),
    )
    .sort((a, b) => {
      const [one, two] = [keys[column](a), keys[column](b)];
      if (one === null || two === null) return Number(one === null) - Number(two === null);
      return one === two ? 0 : sign * (one < two ? -1 : 1);
    });
}

const textColumns: readonly ItemColumn[] = ['symbol', 'buy', 'sell'];

export const nextSort = (sort: ItemSort, column: ItemColumn): ItemSort => ({
  column,
  isDescending: sort.column === column ? !sort.isDescending : !textColumns.includes(column),
});

export function ResultsPage({ run }: { run: ArbitrageRun }) {
  const { last, emptyAt } = run;
  const scan = last.data?.scan ?? null;
  if (last.error !== null && scan === null)
    return (
      <ErrorState
        text={messageOf(last.error, 'The last scan could not be read.')}
        onRetry={() => void last.refetch()}
      />
    );
  if (last.isPending) return <SkeletonRows rows={8} />;
  if (scan?.results == null || scan.results.items.length === 0)
    return (
      <Panel title="Results">
        {emptyAt !== null && <NothingFound at={emptyAt} />}
        <EmptyState text="No results yet" ghost={['Symbol', 'Buy', 'Sell', 'Spread', 'Net']}>
          <button type="button" className="btn btn-primary" onClick={() => openPage('arb', 'scanner')}>
            Go to Scanner
          </button>
        </EmptyState>
      </Panel>
    );
  return <Results run={run} scan={scan} results={scan.results} />;
}

function Results({ run, scan, results }: { run: ArbitrageRun; scan: ArbitrageScan; results: ArbitrageResults }) {
  const { filter, sort, selected } = useSnapshot(viewState);
  const rows = useMemo(() => shownItems(results.items, filter, sort), [results, filter, sort]);
  const chosen = results.items.find(({ symbol }) => symbol === selected) ?? null;
  const select = (item: ArbitrageItem | null) => (viewState.selected = item?.symbol ?? null);
  return (
    <div className="flex min-w-0 flex-1 gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        {run.emptyAt !== null && <NothingFound at={run.emptyAt} />}
        <Panel title="Scan" aside={<Time at={scan.createdAt} />} bodyClassName="flex flex-col gap-3 p-3">
          <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
            <ScanFigures results={results} notionalUsdt={scan.params.notionalUsdt} />
            <div className="flex flex-wrap items-center gap-3">
              <AutoRefresh run={run} isShort />
              <button
                type="button"
                className="btn btn-small btn-primary"
                disabled={run.isBusy || run.credits === undefined || run.credits <= 0}
                onClick={() => run.start(true)}
              >
                {run.isBusy ? 'Scanning...' : `Scan again (${texts.price})`}
              </button>
            </div>
          </div>
          {run.failure !== null && <ErrorState text={run.failure} />}
          <ScanProgress run={run} />
          <ScanFacts results={results} />
        </Panel>
        <Panel
          title={
            rows.length < results.items.length
              ? `Pairs: ${formatCount(rows.length)} of ${formatCount(results.items.length)}`
              : `Pairs (${formatCount(results.items.length)})`
          }
          aside={
            <span className="max-md:hidden">Spreads pay only when the two prices meet. No orders are placed.</span>
          }
          bodyClassName="flex flex-col"
        >
          <FilterRow />
          {rows.length === 0 ? (
            <EmptyState text="None of the pairs passes these filters.">
              <button type="button" className="btn" onClick={() => (viewState.filter = noFilter())}>
                Clear filters
              </button>
            </EmptyState>
          ) : (
            <PairTable rows={rows} sort={sort} selected={chosen?.symbol ?? null} onSelect={select} at={scan} />
          )}
        </Panel>
      </div>
      <Guarded>
        {chosen !== null && (
          <PairDrawer
            key={chosen.symbol}
            item={chosen}
            params={scan.params}
            scannedAt={scan.createdAt}
            onClose={() => select(null)}
          />
        )}
      </Guarded>
    </div>
  );
}

function FilterRow() {
  const { filter } = useSnapshot(viewState);
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-3 border-b border-line p-2">
      <span className="w-36">
        <input
          type="search"
          aria-label="Symbol contains"
          placeholder="Symbol"
          className="input input-small"
          maxLength={40}
          value={filter.text}
          onChange={(event) => (viewState.filter.text = event.target.value)}
        />
      </span>
      <span className="text-label">Gross spread</span>
      <Segments
        label="Spread badge"
        isSmall
        isFitted
        options={badgeChoices}
        value={filter.badge}
        onSelect={(badge) => (viewState.filter.badge = badge)}
      />
      <span className="flex items-center gap-2 text-label">
        <Switch
          label="Net above zero only"
          isOn={filter.isNetPositive}
          onToggle={(isOn) => (viewState.filter.isNetPositive = isOn)}
        />
        Net above zero only
      </span>
    </div>
  );
}

const columns: readonly GridColumn<ItemColumn>[] = [
  { id: 'symbol', label: 'Symbol', width: 'minmax(110px, 1.2fr)', isText: true },
  { id: 'buy', label: 'Buy at', width: 'minmax(130px, 1.2fr)', isText: true },
  { id: 'sell', label: 'Sell at', width: 'minmax(130px, 1.2fr)', isText: true },
  { id: 'spread', label: 'Spread, gross', width: 'minmax(132px, 1fr)' },
  { id: 'gross', label: 'PnL gross, USDT', width: 'minmax(116px, 1fr)' },
  { id: 'netUsdt', label: 'PnL net, USDT', width: 'minmax(108px, 1fr)' },
  { id: 'net', label: 'Net, %', width: 'minmax(76px, 0.8fr)' },
  { id: 'best', label: 'Most net at size, USDT', width: 'minmax(166px, 1.2fr)' },
  { id: 'since', label: 'Above costs for', width: 'minmax(112px, 0.8fr)' },
];
const MIN_WIDTH_PX = 1080;
/** Beside the open details, which say the rest. */
const besideDetails = columns.filter(({ id }) => id !== 'since' && id !== 'best');
const MIN_WIDTH_BESIDE_DETAILS_PX = 802;

interface TableProps {
  rows: readonly ArbitrageItem[];
  sort: ItemSort;
  selected: string | null;
  onSelect: (item: ArbitrageItem | null) => void;
  at: ArbitrageScan;
}

function PairTable({ rows, sort, selected, onSelect, at }: TableProps) {
  const isBeside = selected !== null;
  return (
    <DataGrid
      label="Arbitrage results"
      columns={isBeside ? besideDetails : columns}
      rows={rows}
      keyOf={({ symbol }) => symbol}
      cells={(item) => <WideCells item={item} isBeside={isBeside} scannedAt={at.createdAt} />}
      compact={{ rowPx: 56, template: '1fr auto', cells: (item) => <TwoLines item={item} /> }}
      minWidthPx={isBeside ? MIN_WIDTH_BESIDE_DETAILS_PX : MIN_WIDTH_PX}
      heightMaxPx={560}
      sort={sort}
      onSort={(column) => (viewState.sort = nextSort(sort, column))}
      selected={selected}
      onSelect={onSelect}
      onLeave={() => onSelect(null)}
    />
  );
}

function WideCells({ item, isBeside, scannedAt }: { item: ArbitrageItem; isBeside: boolean; scannedAt: string }) {
  const { quotes, bestBuy, bestSell, atBestSize } = item;
  const net = netOf(item);
  const aboveMs = aboveCostsMs(item, scannedAt);
  const figure = 'px-2 text-right font-mono';
  return (
    <>
      <span role="gridcell" className="truncate px-2 font-medium">
        {item.symbol}
      </span>
      <span role="gridcell" className="truncate px-2">
        {exchangeName(bestBuy)} <span className="font-mono">{formatPrice(quotes[bestBuy]?.ask)}</span>
      </span>
      <span role="gridcell" className="truncate px-2">
        {exchangeName(bestSell)} <span className="font-mono">{formatPrice(quotes[bestSell]?.bid)}</span>
      </span>
      <span role="gridcell" className={`${figure} flex items-center justify-end gap-2`}>
        <Badge badge={item.badge} />
        {pctText(item.spreadPct, 3)}
      </span>
      <span role="gridcell" className={`${figure} text-muted`}>
        {formatMoney(item.theoreticalPnlUsdt)}
      </span>
      <span role="gridcell" className={`${figure} ${signTone(net.usdt)}`}>
        {net.usdt === null ? NO_VALUE : formatMoney(net.usdt, true)}
      </span>
      <span
        role="gridcell"
        className={`${figure} ${net.isSized ? signTone(net.pct) : 'text-muted'}`}
        title={net.isSized ? undefined : 'At the best prices; the order books were not read'}
      >
        {formatSigned(net.pct, 3)}
      </span>
      {!isBeside && (
        <>
          <span role="gridcell" className={figure}>
            {atBestSize === null ? (
              <span className="text-muted">{item.depth === 'read' ? 'no size pays' : depthWords[item.depth]}</span>
            ) : (
              `${formatMoney(atBestSize.netUsdt, true)} at ${formatCount(atBestSize.notionalUsdt)}`
            )}
          </span>
          <span role="gridcell" className={`${figure} text-muted`}>
            {aboveMs === null ? NO_VALUE : formatDuration(aboveMs)}
          </span>
        </>
      )}
    </>
  );
}

const depthWords = { read: '', not_read: 'books not read', failed: 'no books' } as const;

/** The figures that matter, in two lines. */
function TwoLines({ item }: { item: ArbitrageItem }) {
  const net = netOf(item);
  return (
    <>
      <span role="gridcell" className="flex min-w-0 flex-col px-2">
        <span className="flex items-center gap-2">
          <span className="font-medium">{item.symbol}</span>
          <Badge badge={item.badge} isNamed />
        </span>
        <span className="truncate text-muted">
          {exchangeName(item.bestBuy)} to {exchangeName(item.bestSell)}, gross {pctText(item.spreadPct)}
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className={`font-mono font-medium ${net.isSized ? signTone(net.pct) : 'text-muted'}`}>
          {formatSigned(net.pct, 2)} %
        </span>
        <span className="text-muted">
          {net.usdt === null ? 'net, best prices' : `net ${formatMoney(net.usdt, true)} USDT`}
        </span>
      </span>
    </>
  );
}
