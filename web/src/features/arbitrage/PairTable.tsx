import type { ArbitrageItem } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatMoney, formatQuoted, formatSigned, NO_VALUE, signTone } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { DataGrid, type GridSort } from '../../ui/grid/DataGrid.tsx';
import { GridCells, nextSort, type SortableColumn, sortRows } from '../../ui/grid/GridCells.tsx';
import { aboveCostsMs, Badge, netOf, pctText } from './ScanFacts.tsx';

interface ItemRow {
  item: ArbitrageItem;
  scannedAt: string;
}

const words = 'truncate px-2';
const figure = 'px-2 text-right font-mono';
const depthWords = { read: '', not_read: 'depth not read', failed: 'no depth data' } as const;

/** Columns in display order. */
const columns = [
  {
    id: 'symbol',
    label: 'Symbol',
    width: 'minmax(110px, 1.2fr)',
    isText: true,
    sortKey: ({ symbol }) => symbol,
    isLeastFirst: true,
    className: `${words} font-medium`,
    cell: ({ item }) => item.symbol,
  },
  {
    id: 'buy',
    label: 'Buy at',
    width: 'minmax(130px, 1.2fr)',
    isText: true,
    sortKey: ({ bestBuy }) => bestBuy,
    isLeastFirst: true,
    className: words,
    cell: ({ item: { quotes, bestBuy } }) => <Quote at={bestBuy} price={quotes[bestBuy]?.ask} />,
  },
  {
    id: 'sell',
    label: 'Sell at',
    width: 'minmax(130px, 1.2fr)',
    isText: true,
    sortKey: ({ bestSell }) => bestSell,
    isLeastFirst: true,
    className: words,
    cell: ({ item: { quotes, bestSell } }) => <Quote at={bestSell} price={quotes[bestSell]?.bid} />,
  },
  {
    id: 'spread',
    label: 'Spread, gross',
    width: 'minmax(132px, 1fr)',
    sortKey: ({ spreadPct }) => spreadPct,
    className: `${figure} flex items-center justify-end gap-2`,
    cell: ({ item }) => (
      <>
        <Badge badge={item.badge} />
        {pctText(item.spreadPct, 3)}
      </>
    ),
  },
  {
    id: 'gross',
    label: 'PnL gross, USDT',
    width: 'minmax(116px, 1fr)',
    sortKey: ({ theoreticalPnlUsdt }) => theoreticalPnlUsdt,
    className: `${figure} text-muted`,
    cell: ({ item }) => formatMoney(item.theoreticalPnlUsdt),
  },
  {
    id: 'netUsdt',
    label: 'PnL net, USDT',
    width: 'minmax(108px, 1fr)',
    sortKey: (item) => netOf(item).usdt,
    className: figure,
    toneOf: ({ item }) => signTone(netOf(item).usdt),
    cell: ({ item }) => {
      const { usdt } = netOf(item);
      return usdt === null ? NO_VALUE : formatMoney(usdt, true);
    },
  },
  {
    id: 'net',
    label: 'Net, %',
    width: 'minmax(76px, 0.8fr)',
    sortKey: (item) => netOf(item).pct,
    className: figure,
    toneOf: ({ item }) => netTone(item),
    titleOf: ({ item }) => (netOf(item).isSized ? undefined : 'Best prices only; order books not read'),
    cell: ({ item }) => formatSigned(netOf(item).pct, 3),
  },
  {
    id: 'best',
    label: 'Best net at size, USDT',
    width: 'minmax(166px, 1.2fr)',
    sortKey: ({ atBestSize }) => atBestSize?.netUsdt ?? null,
    className: figure,
    cell: ({ item: { atBestSize, depth } }) =>
      atBestSize === null ? (
        <span className="text-muted">{depth === 'read' ? 'no profitable size' : depthWords[depth]}</span>
      ) : (
        `${formatMoney(atBestSize.netUsdt, true)} at ${formatCount(atBestSize.notionalUsdt)}`
      ),
  },
  {
    id: 'since',
    label: 'Profitable for',
    width: 'minmax(112px, 0.8fr)',
    sortKey: ({ existsSinceMs }) => (existsSinceMs === null ? null : -existsSinceMs),
    className: `${figure} text-muted`,
    cell: ({ item, scannedAt }) => {
      const aboveMs = aboveCostsMs(item, scannedAt);
      return aboveMs === null ? NO_VALUE : formatDuration(aboveMs);
    },
  },
] as const satisfies readonly SortableColumn<ItemRow, ArbitrageItem>[];
const MIN_WIDTH_PX = 1080;
/** Columns beside the open details, which show the rest. */
const besideDetails = columns.filter(({ id }) => id !== 'since' && id !== 'best');
const MIN_WIDTH_BESIDE_DETAILS_PX = 802;

type ItemColumn = (typeof columns)[number]['id'];
export type ItemSort = GridSort<ItemColumn>;

export const badgeChoices = ['All', 'high', 'medium', 'low'] as const;

export interface ItemFilter {
  text: string;
  badge: (typeof badgeChoices)[number];
  /** Only pairs profitable after fees, depth and funding. */
  isNetPositive: boolean;
}

/** The rows that pass, in order. */
export function shownItems(
  items: readonly ArbitrageItem[],
  { text, badge, isNetPositive }: ItemFilter,
  sort: ItemSort,
): ArbitrageItem[] {
  const wanted = text.trim().toUpperCase();
  const passing = items.filter(
    (item) =>
      item.symbol.includes(wanted) &&
      (badge === 'All' || item.badge === badge) &&
      (!isNetPositive || netOf(item).pct > 0),
  );
  return sortRows(passing, columns, sort);
}

export const nextItemSort = (sort: ItemSort, column: ItemColumn): ItemSort => nextSort(columns, sort, column);

interface Props {
  rows: readonly ArbitrageItem[];
  sort: ItemSort;
  selected: string | null;
  onSelect: (item: ArbitrageItem | null) => void;
  onSort: (sort: ItemSort) => void;
  scannedAt: string;
}

/** The pairs of a scan, sortable; the details follow the selected row. */
export function PairTable({ rows, sort, selected, onSelect, onSort, scannedAt }: Props) {
  const isBeside = selected !== null;
  const shown = isBeside ? besideDetails : columns;
  return (
    <DataGrid
      label="Arbitrage results"
      columns={shown}
      rows={rows}
      keyOf={({ symbol }) => symbol}
      cells={(item) => <GridCells columns={shown} row={{ item, scannedAt }} />}
      compact={{ rowPx: 56, template: '1fr auto', cells: (item) => <TwoLines item={item} /> }}
      minWidthPx={isBeside ? MIN_WIDTH_BESIDE_DETAILS_PX : MIN_WIDTH_PX}
      heightMaxPx={560}
      sort={sort}
      onSort={(column) => onSort(nextItemSort(sort, column))}
      selected={selected}
      onSelect={onSelect}
      onLeave={() => onSelect(null)}
    />
  );
}

function Quote({ at, price }: { at: ArbitrageItem['bestBuy']; price: number | undefined }) {
  return (
    <>
      {exchangeName(at)} <span className="font-mono">{formatQuoted(price)}</span>
    </>
  );
}

/** Muted where depth was not read: best prices alone show neither gain nor loss. */
function netTone(item: ArbitrageItem): string {
  const { isSized, pct } = netOf(item);
  return isSized ? signTone(pct) : 'text-muted';
}

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
        <span className={`font-mono font-medium ${netTone(item)}`}>{formatSigned(net.pct, 2)} %</span>
        <span className="text-muted">
          {net.usdt === null ? 'net, best prices' : `net ${formatMoney(net.usdt, true)} USDT`}
        </span>
      </span>
    </>
  );
}
