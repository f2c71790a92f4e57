import { ArrowDown, ArrowUp } from 'lucide-react';
import type { WhyNoPrice } from '../../../data/market.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { formatMoney, formatPercent, formatPrice, NO_VALUE, signTone } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { FlashingPrice } from '../../../ui/FlashingPrice.tsx';
import { DataGrid } from '../../../ui/grid/DataGrid.tsx';
import { type CellColumn, GridCells } from '../../../ui/grid/GridCells.tsx';
import { useNow } from '../../../ui/Time.tsx';
import type { Marked } from '../mark.ts';
import { marketNames, useServed } from '../useMarked.ts';

interface Mark {
  name: 'liquidated at' | 'stop' | 'entry' | 'target' | 'last';
  price: number;
  /** 0 at the lowest price of the line, 1 at the highest. */
  place: number;
}

/** Levels of a position on one line, to scale, lowest price first. Without a last price it is left out. */
export function levelMarks(position: PositionView, price: number | null): Mark[] {
  const { liquidationApprox, stopLoss, entryPrice, takeProfit } = position;
  const levels: [Mark['name'], number | null][] = [
    ['liquidated at', liquidationApprox],
    ['stop', stopLoss],
    ['entry', entryPrice],
    ['target', takeProfit],
    ['last', price],
  ];
  const known = levels.flatMap(([name, at]) => (at === null ? [] : [{ name, price: at }]));
  const prices = known.map((each) => each.price);
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low;
  return known
    .map((each) => ({ ...each, place: span > 0 ? (each.price - low) / span : 0.5 }))
    .sort((a, b) => a.price - b.price);
}

/** A row of open or closed positions. */
export interface PositionRow {
  position: PositionView;
  decimals: number | undefined;
}

interface OpenRow extends PositionRow {
  marked: Marked;
  nowMs: number;
  onClose: (position: PositionView) => void;
}

/** Class of a cell that holds a figure. */
export const figure = 'px-2 text-right font-mono';

export const sideColumn = {
  id: 'side',
  label: 'Side',
  width: '92px',
  isText: true,
  className: 'flex items-center gap-1.5 px-2',
  cell: ({ position: { side, leverage } }) => (
    <>
      <SideMark side={side} /> <span className="text-muted">{leverage}x</span>
    </>
  ),
} as const satisfies CellColumn<PositionRow>;

export const entryColumn = {
  id: 'entry',
  label: 'Entry',
  width: 'minmax(88px, 1fr)',
  className: figure,
  cell: ({ position, decimals }) => formatPrice(position.entryPrice, decimals),
} as const satisfies CellColumn<PositionRow>;

/** In this order. */
const openColumns: readonly CellColumn<OpenRow>[] = [
  {
    id: 'symbol',
    label: 'Symbol',
    width: 'minmax(128px, 1.2fr)',
    isText: true,
    className: 'truncate px-2',
    cell: ({ position: { symbol, interval } }) => (
      <>
        <span data-symbol={symbol} className="font-medium">
          {symbol}
        </span>{' '}
        <span className="text-muted">{interval}</span>
      </>
    ),
  },
  sideColumn,
  {
    id: 'size',
    label: 'Size, USDT',
    width: 'minmax(92px, 1fr)',
    className: figure,
    cell: ({ position }) => formatMoney(position.notional),
  },
  entryColumn,
  {
    id: 'last',
    label: 'Last',
    width: 'minmax(88px, 1fr)',
    className: figure,
    cell: ({ marked: { price, whyNoPrice }, decimals }) =>
      price === null ? <NoPrice why={whyNoPrice} /> : <FlashingPrice price={price} decimals={decimals} />,
  },
  {
    id: 'levels',
    label: 'Stop to target',
    width: 'minmax(90px, 1.6fr)',
    isText: true,
    className: 'px-3',
    cell: ({ position, marked, decimals }) => (
      <LevelLine position={position} price={marked.price} decimals={decimals} />
    ),
  },
  {
    id: 'net',
    label: 'Net, USDT',
    width: 'minmax(84px, 1fr)',
    className: `${figure} font-medium`,
    toneOf: ({ marked }) => signTone(marked.netIfClosed),
    cell: ({ marked }) => <Net row={marked} />,
  },
  {
    id: 'roi',
    label: 'Gross ROI',
    width: '80px',
    className: figure,
    cell: ({ marked }) => percentText(marked.roiPct),
  },
  {
    id: 'margin',
    label: 'Net on margin',
    width: '108px',
    className: figure,
    cell: ({ marked }) => percentText(marked.returnOnMarginPct),
  },
  {
    id: 'age',
    label: 'Open for',
    width: '72px',
    className: 'px-2 text-right text-muted',
    cell: ({ position, nowMs }) => formatDuration(nowMs - position.openedAt),
  },
  {
    id: 'actions',
    label: 'Actions',
    width: '70px',
    className: 'px-2 text-right',
    cell: ({ position, onClose }) => <CloseButton position={position} onClose={onClose} />,
  },
];

const TWO_LINES_PX = 60;

interface Props {
  label: string;
  rows: readonly Marked[];
  /** Decimals of a symbol's prices, when its tick is known. */
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  onClose: (position: PositionView) => void;
  heightMaxPx?: number;
}

/** Open positions at their last prices. Arrow keys walk the rows. */
export function OpenTable({ label, rows, decimalsOf, selected, onSelect, onClose, heightMaxPx = 560 }: Props) {
  const nowMs = useNow(10_000);
  return (
    <DataGrid
      label={label}
      columns={openColumns}
      rows={rows}
      keyOf={({ position }) => position.id}
      cells={(marked) => {
        const { position } = marked;
        return (
          <GridCells
            columns={openColumns}
            row={{ position, marked, nowMs, decimals: decimalsOf(position.symbol), onClose }}
          />
        );
      }}
      minWidthPx={1000}
      heightMaxPx={heightMaxPx}
      selected={selected}
      onSelect={({ position }) => onSelect(position.id)}
      compact={{
        rowPx: TWO_LINES_PX,
        template: '1fr auto',
        cells: (row) => <TwoLines row={row} decimals={decimalsOf(row.position.symbol)} />,
      }}
    />
  );
}

const noPriceTexts: Record<WhyNoPrice, { text: string; title: string }> = {
  not_traded: {
    text: 'not traded any more',
    title: 'Contract ended. The position settles at the last mark price within a minute.',
  },
  halted: { text: 'trading halted', title: 'Trading halted by the exchange. The position stays open.' },
  no_price: { text: 'no price', title: 'No fresh price. Left out of the totals.' },
};

/** Without a price the row shows that instead of figures. */
const NoPrice = ({ why }: { why: WhyNoPrice }) => (
  <span className="text-warn" title={noPriceTexts[why].title}>
    {noPriceTexts[why].text}
  </span>
);

/** What closing now would leave; an asterisk where the exchange sends no bid and ask. */
export const Net = ({ row: { netIfClosed, isSpreadKnown } }: { row: Marked }) =>
  isSpreadKnown === false ? (
    <span title="Spread unknown: slippage and fees alone.">
      {formatMoney(netIfClosed, true)}
      <span aria-hidden="true">*</span>
      <span className="sr-only"> spread unknown</span>
    </span>
  ) : (
    formatMoney(netIfClosed, true)
  );

function CloseButton({ position, onClose }: Pick<OpenRow, 'position' | 'onClose'>) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      aria-label={`Close ${position.side} ${position.symbol}`}
      onClick={(event) => {
        event.stopPropagation();
        onClose(position);
      }}
    >
      Close
    </button>
  );
}

interface CellsProps {
  row: Marked;
  decimals: number | undefined;
}

/** The figures that matter, in two lines; the rest is below the chart of the selected row. */
function TwoLines({ row, decimals }: CellsProps) {
  const { position, price, whyNoPrice, netIfClosed, returnOnMarginPct } = row;
  return (
    <>
      <span role="gridcell" className="flex min-w-0 flex-col gap-0.5 px-3">
        <span className="flex items-baseline gap-2">
          <span className="font-medium">{position.symbol}</span>
          <SideMark side={position.side} />
          <span className="text-muted">{position.leverage}x</span>
        </span>
        <span className="w-40 max-w-full">
          <LevelLine position={position} price={price} decimals={decimals} />
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className={`font-mono font-medium ${signTone(netIfClosed)}`}>
          {price === null ? <NoPrice why={whyNoPrice} /> : <Net row={row} />}
        </span>
        <span className="font-mono text-muted">{percentText(returnOnMarginPct)}</span>
      </span>
    </>
  );
}

export const percentText = (pct: number | null): string => (pct === null ? NO_VALUE : formatPercent(pct / 100, true));

const looks: Record<Exclude<Mark['name'], 'last'>, string> = {
  'liquidated at': 'h-2.5 w-0.5 bg-warn',
  stop: 'h-2.5 w-0.5 bg-down',
  entry: 'h-1.5 w-0.5 bg-muted',
  target: 'h-2.5 w-0.5 bg-up',
};

/** Stop, entry, last price, target and liquidation on one line, to scale. */
function LevelLine({
  position,
  price,
  decimals,
}: {
  position: PositionView;
  price: number | null;
  decimals: number | undefined;
}) {
  const marks = levelMarks(position, price);
  const placeOf = (name: Mark['name']): number | undefined => marks.find((mark) => mark.name === name)?.place;
  const entry = placeOf('entry') ?? 0;
  const last = placeOf('last');
  const gains = price !== null && price > position.entryPrice === (position.side === 'LONG');
  return (
    <span
      role="img"
      aria-label={marks.map((mark) => `${mark.name} ${formatPrice(mark.price, decimals)}`).join(', ')}
      className="relative block h-5 w-full min-w-16"
    >
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {last !== undefined && (
        <span
          className={`absolute top-1/2 h-0.5 -translate-y-1/2 ${gains ? 'bg-up' : 'bg-down'}`}
          style={{ left: `${Math.min(entry, last) * 100}%`, width: `${Math.abs(entry - last) * 100}%` }}
        />
      )}
      {marks.map(({ name, place }) => (
        <span
          key={name}
          className={`absolute top-1/2 -translate-x-1/2 -translate-y-1/2 ${
            name === 'last' ? 'size-2 rounded-full border border-panel bg-accent' : looks[name]
          }`}
          style={{ left: `${place * 100}%` }}
        />
      ))}
    </span>
  );
}

/** Word and arrow, so that colour is not the only sign. */
export function SideMark({ side }: { side: 'LONG' | 'SHORT' }) {
  const Arrow = side === 'LONG' ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-baseline gap-1 font-medium ${side === 'LONG' ? 'text-up' : 'text-down'}`}>
      <Arrow size={12} aria-hidden="true" className="self-center" />
      {side}
    </span>
  );
}

/** Names the market of a position's prices when the service runs on another one. */
export function MarketMark(position: Pick<PositionView, 'market'>) {
  const { isServed } = useServed();
  return isServed(position) ? null : <span className="text-warn">{marketNames[position.market]}</span>;
}
