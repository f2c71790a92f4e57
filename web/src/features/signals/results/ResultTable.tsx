import { checkOutcome, checkText } from '@sextant/workers/src/signals/signalChecks.ts';
import { intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { Check, Ellipsis, type LucideIcon, Minus } from 'lucide-react';
import { proxy, useSnapshot } from 'valtio';
import { useTickDecimals } from '../../../data/symbols.ts';
import type { ScanSignal } from '../../../api/types.ts';
import { chanceText, statedText } from '../../../format/confidence.ts';
import { formatPrice } from '../../../format/number.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { DataGrid, type GridSort } from '../../../ui/grid/DataGrid.tsx';
import { GridCells, nextSort, type SortableColumn, sortRows } from '../../../ui/grid/GridCells.tsx';
import { WatchStar } from '../../../ui/WatchStar.tsx';
import { aiCheckState } from '../check/aiChecks.ts';
import { Confidence, ConfidenceNote, isChanceNoted } from './ConfidenceCell.tsx';
import { DirectionMark, horizonText, isLiquidatedFirst } from './SignalParts.tsx';

const priceWidth = 'minmax(80px, 1fr)';
const figure = 'flex flex-col px-2 text-right leading-3.5';

interface ResultRow {
  signal: ScanSignal;
  /** Decimals of the symbol's price. */
  decimals: number | undefined;
}

type ResultColumn = SortableColumn<ResultRow, ScanSignal>;

const lengths: Partial<Record<string, number>> = intervalMs;
const risks = ['LOW', 'STANDARD', 'HIGH', 'EXTREME'];

/** In display order. All but the confidence start with the least. */
const columns = [
  {
    id: 'symbol',
    label: 'Symbol',
    width: 'minmax(130px, 1.4fr)',
    isText: true,
    sortKey: ({ symbol }) => symbol,
    isLeastFirst: true,
    className: 'flex items-center gap-1 px-1',
    cell: ({ signal: { symbol } }) => (
      <>
        <WatchStar symbol={symbol} />
        <span data-symbol={symbol} className="font-medium">
          {symbol}
        </span>
      </>
    ),
  },
  {
    id: 'interval',
    label: 'Interval',
    width: '64px',
    isText: true,
    sortKey: ({ interval }) => lengths[interval] ?? 0,
    isLeastFirst: true,
    className: 'px-2 text-muted',
    cell: ({ signal }) => signal.interval,
  },
  {
    id: 'direction',
    label: 'Direction',
    width: '76px',
    isText: true,
    sortKey: ({ direction }) => direction,
    isLeastFirst: true,
    className: 'px-2',
    cell: ({ signal }) => <DirectionMark direction={signal.direction} />,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    width: '224px',
    sortKey: ({ confidence }) => confidence,
    className: figure,
    cell: ({ signal }) => <Confidence signal={signal} isFull />,
  },
  {
    id: 'price',
    label: 'Entry Price',
    width: priceWidth,
    sortKey: ({ price }) => price,
    isLeastFirst: true,
    className: figure,
    cell: ({ signal, decimals }) => <Price price={signal.price} decimals={decimals} />,
  },
  {
    id: 'stopLoss',
    label: 'Stop Loss',
    // Room for `liquidated first`.
    width: 'minmax(104px, 1fr)',
    sortKey: ({ stopLoss }) => stopLoss,
    isLeastFirst: true,
    className: figure,
    cell: ({ signal, decimals }) => (
      <>
        <Price price={signal.stopLoss} decimals={decimals} />
        {isLiquidatedFirst(signal) && <LiquidatedFirst />}
      </>
    ),
  },
  {
    id: 'takeProfit',
    label: 'Take Profit',
    width: priceWidth,
    sortKey: ({ takeProfit }) => takeProfit,
    isLeastFirst: true,
    className: figure,
    cell: ({ signal, decimals }) => <Price price={signal.takeProfit} decimals={decimals} />,
  },
  {
    id: 'liquidation',
    label: 'Liquidation',
    width: priceWidth,
    sortKey: ({ position }) => position.liquidationApprox,
    isLeastFirst: true,
    className: figure,
    cell: ({ signal, decimals }) => <Price price={signal.position.liquidationApprox} decimals={decimals} />,
  },
  {
    id: 'risk',
    label: 'Risk',
    width: '88px',
    isText: true,
    sortKey: ({ riskLabel }) => risks.indexOf(riskLabel),
    isLeastFirst: true,
    className: 'px-2',
    cell: ({ signal }) => signal.riskLabel,
  },
  {
    id: 'actions',
    label: 'Actions',
    width: '232px',
    isUnsorted: true,
    className: 'flex items-center justify-end gap-2 px-2',
    cell: ({ signal }) => <Actions signal={signal} isShort={false} />,
  },
] as const satisfies readonly ResultColumn[];
type Column = (typeof columns)[number]['id'];
type SortColumn = Exclude<Column, 'actions'>;
type ResultSort = GridSort<SortColumn>;

const MIN_WIDTH_PX = 1158;

/** Beside the open details, which show the check as text, the row needs only its mark. */
const narrow: Partial<Record<Column, Pick<ResultColumn, 'width' | 'cell'>>> = {
  confidence: { width: '104px', cell: ({ signal }) => <Confidence signal={signal} isFull={false} /> },
  actions: { width: '104px', cell: ({ signal }) => <Actions signal={signal} isShort /> },
};
const columnsBesideDetails = columns.map((column) => ({ ...column, ...narrow[column.id] }));
const MIN_WIDTH_BESIDE_DETAILS_PX = MIN_WIDTH_PX - 128 - 120;

interface Props {
  rows: readonly ScanSignal[];
  sort: ResultSort;
  /** `signal_id` of the open row. */
  selected: string | null;
  onSelect: (signal: ScanSignal | null) => void;
}

/** Every result, sortable; the details follow the selected row. */
export function ResultTable({ rows, sort, selected, onSelect }: Props) {
  const decimalsOf = useTickDecimals();
  const isBesideDetails = selected !== null;
  const shown = isBesideDetails ? columnsBesideDetails : columns;
  const rowOf = (signal: ScanSignal): ResultRow => ({ signal, decimals: decimalsOf(signal.symbol) });
  return (
    <DataGrid
      label="Scan results"
      columns={shown}
      rows={rows}
      keyOf={({ signal_id }) => signal_id}
      cells={(signal) => <GridCells columns={shown} row={rowOf(signal)} />}
      compact={{ rowPx: 56, template: '1fr auto', cells: (signal) => <TwoLines {...rowOf(signal)} /> }}
      minWidthPx={isBesideDetails ? MIN_WIDTH_BESIDE_DETAILS_PX : MIN_WIDTH_PX}
      heightMaxPx={560}
      sort={sort}
      onSort={(column) => {
        if (column !== 'actions') scannerState.sort = nextResultSort(sort, column);
      }}
      selected={selected}
      onSelect={onSelect}
      onLeave={() => onSelect(null)}
    />
  );
}

function Price({ price, decimals }: { price: number | null; decimals: number | undefined }) {
  return <span className="font-mono">{formatPrice(price, decimals)}</span>;
}

function Actions({ signal, isShort }: { signal: ScanSignal; isShort: boolean }) {
  return (
    <>
      <AiMark signal={signal} isShort={isShort} />
      {/* The row does the same; a named button for screen readers. */}
      <button type="button" tabIndex={-1} className="btn btn-ghost btn-small">
        Details
      </button>
    </>
  );
}

/** The price passes the liquidation on its way to the stop, so the stop is never reached. */
function LiquidatedFirst() {
  return <span className="text-label leading-3.5 whitespace-nowrap text-warn">liquidated first</span>;
}

/** The three figures that matter, in two lines. */
function TwoLines({ signal, decimals }: ResultRow) {
  const horizon = horizonText(signal.horizon_min);
  const chance = chanceText(signal);
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
            {formatPrice(signal.price, decimals)}
            {isChanceNoted(signal) ? ` · chance ${chance}` : horizon !== null && ` · ${horizon}`}
            {isLiquidatedFirst(signal) && (
              <>
                {' · '}
                <LiquidatedFirst />
              </>
            )}
          </span>
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className="flex items-baseline justify-end gap-2">
          <ConfidenceNote signal={signal} isFull={false} />
          <span className="font-mono font-medium">{statedText(signal)}</span>
        </span>
        <AiMark signal={signal} isShort={false} />
      </span>
    </>
  );
}

/** Outcome of a result's check in two words, or its progress; `isShort` shows the mark alone. */
function AiMark({ signal, isShort }: { signal: ScanSignal; isShort: boolean }) {
  const { checking } = useSnapshot(aiCheckState);
  const isRequesting = checking === signal.signal_id;
  const text = isRequesting ? requestingText(signal) : checkText(signal);
  const hasPassed = !isRequesting && checkOutcome(signal) === 'passed';
  if (text === null) return null;
  if (isShort) return <ShortMark text={text} icon={isRequesting ? Ellipsis : hasPassed ? Check : Minus} />;
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${hasPassed ? 'text-text' : 'text-muted'}`}>
      {hasPassed && <Check size={12} aria-hidden="true" className="text-accent" />}
      {text}
    </span>
  );
}

const requestingText = ({ rule_check: rules }: ScanSignal): string =>
  rules === null ? 'AI: checking' : 'Rule check: running';

function ShortMark({ text, icon: Icon }: { text: string; icon: LucideIcon }) {
  return (
    <span role="img" aria-label={text} title={text} className={Icon === Check ? 'text-accent' : 'text-muted'}>
      <Icon size={12} aria-hidden="true" />
    </span>
  );
}

export const directions = ['All', 'LONG', 'SHORT'] as const;
export const intervalChoices = ['All', ...signalIntervals] as const;

interface ResultFilter {
  direction: (typeof directions)[number];
  interval: (typeof intervalChoices)[number];
  /** Percent, 0 is off. */
  minConfidencePct: number;
}

export const byRank: ResultSort = { column: 'confidence', isDescending: true };

/** Percent as entered by the user: rounding must not turn 0.6 into less than 60. */
const toPct = (confidence: number): number => Math.round(confidence * 1e8) / 1e6;

export function filtered(all: readonly ScanSignal[], filter: ResultFilter): ScanSignal[] {
  return all.filter(
    ({ direction, interval, confidence }) =>
      (filter.direction === 'All' || direction === filter.direction) &&
      (filter.interval === 'All' || interval === filter.interval) &&
      toPct(confidence) >= filter.minConfidencePct,
  );
}

export const sorted = (signals: readonly ScanSignal[], sort: ResultSort): ScanSignal[] =>
  sortRows(signals, columns, sort);

export const nextResultSort = (sort: ResultSort, column: SortColumn): ResultSort => nextSort(columns, sort, column);

interface ScannerState {
  filter: ResultFilter;
  sort: ResultSort;
}

const first = (): ScannerState => ({
  filter: { direction: 'All', interval: 'All', minConfidencePct: 0 },
  sort: byRank,
});

/** State of the scanner, preserved while other tabs are open. */
export const scannerState = proxy<ScannerState>(first());

onUserReset(() => Object.assign(scannerState, first()));
