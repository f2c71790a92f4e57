import { ArrowDown, ArrowUp, Star } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { ScanSignal } from '../../../api/types.ts';
import { useChangeWatchlist, useWatchlist } from '../../../api/watchlist.ts';
import { formatPrice } from '../../../format/number.ts';
import { rowWindow, scrollTopFor } from '../../../ui/rowWindow.ts';
import { useIsWide } from '../../../ui/useIsWide.ts';
import { scannerState } from '../scannerState.ts';
import { DirectionMark } from './DirectionMark.tsx';
import { nextSort, type ResultSort, type SortColumn } from './resultView.ts';
import { confidenceText, horizonText } from './signalText.ts';

const ROW_PX = 32;
const TWO_LINES_PX = 56;
const HEIGHT_MAX_PX = 560;
const template = 'minmax(140px,1.4fr) 60px 76px 88px repeat(4,minmax(82px,1fr)) 76px 72px';

/** SIG-008; `Actions` is not sorted by. */
const columns: readonly { id: SortColumn | null; label: string; isText?: boolean }[] = [
  { id: 'symbol', label: 'Symbol', isText: true },
  { id: 'interval', label: 'Interval', isText: true },
  { id: 'direction', label: 'Direction', isText: true },
  { id: 'confidence', label: 'Confidence' },
  { id: 'price', label: 'Entry Price' },
  { id: 'stopLoss', label: 'Stop Loss' },
  { id: 'takeProfit', label: 'Take Profit' },
  { id: 'liquidation', label: 'Liquidation' },
  { id: 'risk', label: 'Risk', isText: true },
  { id: null, label: 'Actions' },
];

interface Props {
  rows: readonly ScanSignal[];
  sort: ResultSort;
  /** `signal_id` of the open row. */
  selected: string | null;
  onSelect: (signal: ScanSignal | null) => void;
}

/** Every result, sortable; only the rows in sight exist. Arrow keys walk, and the details follow. */
export function ResultTable({ rows, sort, selected, onSelect }: Props) {
  const isWide = useIsWide('tablet');
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const rowPx = isWide ? ROW_PX : TWO_LINES_PX;
  const height = Math.min(HEIGHT_MAX_PX, rows.length * rowPx);
  const view = { top: scrollTop, height, rowPx };
  const { from, to } = rowWindow({ ...view, count: rows.length });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && selected !== null) onSelect(null);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = rows.findIndex(({ signal_id }) => signal_id === selected);
    const start = at < 0 && step < 0 ? rows.length : at;
    const next = Math.min(rows.length - 1, Math.max(0, start + step));
    onSelect(rows[next] ?? null);
    scroller.current?.scrollTo({ top: scrollTopFor(next, view) });
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Scan results"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      className="overflow-auto text-label tabular-nums"
      style={{ height: height + (isWide ? ROW_PX : 0) + 2 }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      {isWide && <Head sort={sort} />}
      <div role="rowgroup" className="relative md:min-w-[880px]" style={{ height: rows.length * rowPx }}>
        {rows.slice(from, to).map((signal, at) => (
          <div
            key={signal.signal_id}
            role="row"
            aria-rowindex={from + at + 2}
            aria-selected={signal.signal_id === selected}
            className={`absolute inset-x-0 grid cursor-pointer items-center border-b border-line hover:bg-row-hover ${
              signal.signal_id === selected ? 'bg-row-hover shadow-[inset_2px_0_0_var(--accent)]' : ''
            }`}
            style={{
              gridTemplateColumns: isWide ? template : '1fr auto',
              height: rowPx,
              transform: `translateY(${(from + at) * rowPx}px)`,
            }}
            onClick={() => onSelect(signal)}
          >
            {isWide ? <WideCells signal={signal} /> : <TwoLines signal={signal} />}
          </div>
        ))}
      </div>
    </div>
  );
}

function Head({ sort }: { sort: ResultSort }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 min-w-[880px] bg-panel">
      <div
        role="row"
        aria-rowindex={1}
        className="grid items-center border-b border-line text-muted"
        style={{ gridTemplateColumns: template, height: ROW_PX }}
      >
        {columns.map(({ id, label, isText = false }) => {
          const isSorted = id !== null && sort.column === id;
          const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
          const direction = sort.isDescending ? 'descending' : 'ascending';
          return (
            <div
              key={label}
              role="columnheader"
              {...(id === null ? {} : { 'aria-sort': isSorted ? direction : 'none' })}
              className={isText ? '' : 'text-right'}
            >
              {id === null ? (
                <span className="px-2 font-medium">{label}</span>
              ) : (
                <button
                  type="button"
                  className="inline-flex h-8 items-center gap-1 px-2 font-medium hover:text-text"
                  onClick={() => (scannerState.sort = nextSort(sort, id))}
                >
                  {label}
                  {isSorted && <Arrow size={12} aria-hidden="true" />}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function WideCells({ signal }: { signal: ScanSignal }) {
  const prices = [signal.price, signal.stopLoss, signal.takeProfit, signal.position.liquidationApprox];
  return (
    <>
      <span role="gridcell" className="flex items-center gap-1 px-1">
        <WatchStar symbol={signal.symbol} />
        <span className="font-medium">{signal.symbol}</span>
      </span>
      <span role="gridcell" className="px-2 text-muted">
        {signal.interval}
      </span>
      <span role="gridcell" className="px-2">
        <DirectionMark direction={signal.direction} />
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {confidenceText(signal.confidence)}
      </span>
      {prices.map((price, at) => (
        <span key={at} role="gridcell" className="px-2 text-right font-mono">
          {formatPrice(price)}
        </span>
      ))}
      <span role="gridcell" className="px-2">
        {signal.riskLabel}
      </span>
      <span role="gridcell" className="px-2 text-right">
        {/* The row does the same; this is its name for those who do not click rows. */}
        <button type="button" tabIndex={-1} className="btn btn-ghost btn-small">
          Details
        </button>
      </span>
    </>
  );
}

/** The three figures that matter, in two lines. */
function TwoLines({ signal }: { signal: ScanSignal }) {
  const horizon = horizonText(signal.horizon_min);
  return (
    <>
      <span role="gridcell" className="flex min-w-0 items-center gap-1 px-1">
        <WatchStar symbol={signal.symbol} />
        <span className="flex flex-col">
          <span className="flex items-center gap-2">
            <span className="font-medium">{signal.symbol}</span>
            <span className="text-muted">{signal.interval}</span>
            <DirectionMark direction={signal.direction} />
          </span>
          <span className="text-muted">
            {formatPrice(signal.price)}
            {horizon !== null && ` · ${horizon}`}
          </span>
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className="font-mono font-medium">{confidenceText(signal.confidence)}</span>
        <span className="text-muted">{signal.riskLabel}</span>
      </span>
    </>
  );
}

export function WatchStar({ symbol }: { symbol: string }) {
  const isWatched = useWatchlist().data?.includes(symbol) === true;
  const change = useChangeWatchlist();
  return (
    <button
      type="button"
      className={`grid size-6 place-items-center rounded-sm ${isWatched ? 'text-accent' : 'text-muted'}`}
      aria-label={isWatched ? `Stop watching ${symbol}` : `Watch ${symbol}`}
      onClick={(event) => {
        event.stopPropagation();
        change.mutate({ symbol, isWatched: !isWatched });
      }}
    >
      <Star size={14} fill={isWatched ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}
