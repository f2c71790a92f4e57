import { HIGH_CONFIDENCE } from '@sextant/workers/src/core/limits.ts';
import { type ReactNode, useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import type { PositionView } from '../../api/positionView.ts';
import { formatCount, formatMoney, formatPrice } from '../../format/number.ts';
import { navigation, openTab, setOpened } from '../../state/navigation.ts';
import { onUserReset } from '../../state/userReset.ts';
import { EmptyState, Loaded, Panel } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Age, Time } from '../../ui/Time.tsx';
import { CloseAllMenu } from './CloseAllMenu.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { PositionDetail } from './detail/PositionDetail.tsx';
import { MarketMark, OpenTable, SideMark } from './table/OpenTable.tsx';
import { marketNames, useMarked, useServed } from './useMarked.ts';
import type { Marked } from './mark.ts';

interface Props {
  title: string;
  /** The choice of filters above the rows. */
  hasChips?: boolean;
  /** Below the rows: the resting orders, of another feature. */
  orders?: ReactNode;
}

/** Every open position; the chart and the details follow the selected row. */
export function OpenPositionsView({ title, hasChips = false, orders }: Props) {
  const marked = useMarked();
  const { open, rows, waiting, confirmedAtMs, decimalsOf } = marked;
  const { chip } = useSnapshot(portfolioState);
  const selectedOpen = useSnapshot(navigation).opened.position;
  const [closing, setClosing] = useState<string | null>(null);
  const shown = hasChips ? rows.filter(({ position }) => chipTakes(chip, position)) : rows;
  const chosen = shown.find(({ position }) => position.id === selectedOpen) ?? shown[0];
  const leaving = rows.find(({ position }) => position.id === closing);
  const request = ({ id }: PositionView) => setClosing(id);
  const select = (id: string) => setOpened('position', id);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Panel
        title={`${title} (${countText(shown, rows)})`}
        aside={
          <span className="flex items-center gap-2">
            {confirmedAtMs !== null && <Age sinceMs={confirmedAtMs} prefix="prices" />}
            <CloseAllMenu rows={rows} />
          </span>
        }
        bodyClassName=""
      >
        {hasChips && <ChipRow />}
        <Loaded response={open} failure="Could not load positions." rows={4}>
          {() => (
            <Rows
              rows={rows}
              shown={shown}
              decimalsOf={decimalsOf}
              isSomeWaiting={waiting.length > 0}
              label={title}
              selected={chosen?.position.id ?? null}
              onSelect={select}
              onClose={request}
            />
          )}
        </Loaded>
      </Panel>
      {orders}
      {chosen !== undefined && (
        <PositionDetail row={chosen} decimals={decimalsOf(chosen.position.symbol)} onClose={request} />
      )}
      <WaitingPanel positions={waiting} decimalsOf={decimalsOf} />
      <CloseDialog row={leaving} decimalsOf={decimalsOf} onDone={() => setClosing(null)} />
    </div>
  );
}

const countText = (shown: readonly Marked[], rows: readonly Marked[]): string =>
  shown.length === rows.length ? formatCount(rows.length) : `${shown.length} of ${rows.length}`;

interface RowsProps {
  label: string;
  rows: readonly Marked[];
  shown: readonly Marked[];
  isSomeWaiting: boolean;
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  onClose: (position: PositionView) => void;
}

function Rows({ rows, shown, isSomeWaiting, ...table }: RowsProps) {
  if (rows.length === 0) return <NoPositions isSomeWaiting={isSomeWaiting} />;
  if (shown.length === 0) return <NothingUnderChip />;
  return <OpenTable {...table} rows={shown} heightMaxPx={320} />;
}

interface WaitingProps {
  positions: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
}

/** Open positions of another market than the service runs on. */
export function WaitingPanel({ positions, decimalsOf }: WaitingProps) {
  const { served } = useServed();
  if (positions.length === 0 || served === undefined) return null;
  return (
    <Panel title={`Waiting positions (${positions.length})`} bodyClassName="">
      <p className="border-b border-line px-3 py-2 text-muted">
        Opened on another market; this service now uses {marketNames[served]} prices. Until the other market returns,
        these positions are paused: no price, no watching, not counted in figures.
      </p>
      <ul className="divide-y divide-line">
        {positions.map((position) => (
          <li key={position.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-1.5 text-label">
            <span>
              <span className="font-medium">{position.symbol}</span> <SideMark side={position.side} />{' '}
              <span className="text-muted">{position.leverage}x</span>
            </span>
            <MarketMark market={position.market} />
            <span className="text-muted">
              entry <span className="font-mono">{formatPrice(position.entryPrice, decimalsOf(position.symbol))}</span>
            </span>
            <span className="text-muted">
              size <span className="font-mono">{formatMoney(position.notional)}</span> USDT
            </span>
            <span className="whitespace-nowrap text-muted">
              opened <Time at={position.openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The same choice for open and closed positions. */
export function ChipRow() {
  const { chip } = useSnapshot(portfolioState);
  return (
    <div className="relative overflow-x-auto border-b border-line p-2">
      <div className="w-max">
        <Segments
          label="Positions shown"
          isSmall
          isFitted
          options={chips}
          value={chip}
          nameOf={(each) => chipNames[each]}
          onSelect={(each) => (portfolioState.chip = each)}
        />
      </div>
    </div>
  );
}

/** What to do next. `isSomeWaiting`: there are positions of another market, in a separate panel. */
export function NoPositions({ isSomeWaiting }: { isSomeWaiting: boolean }) {
  const none = isSomeWaiting ? 'No open positions on this market. Others are listed below.' : 'No open positions.';
  return (
    <EmptyState text={`${none} Scans open signals that pass your conditions. You can also open one by hand.`}>
      <button type="button" className="btn btn-primary" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}

export function NothingUnderChip() {
  return (
    <EmptyState text="No positions match this filter.">
      <button type="button" className="btn" onClick={() => (portfolioState.chip = 'all')}>
        Show all
      </button>
    </EmptyState>
  );
}

/** The filters, in this order. */
export const chips = ['all', 'long', 'short', 'high', 'low'] as const;
type Chip = (typeof chips)[number];
const chipNames: Record<Chip, string> = {
  all: 'All',
  long: 'Long',
  short: 'Short',
  high: 'High confidence',
  low: 'Low confidence',
};

const takes: Record<Chip, (position: Pick<PositionView, 'side' | 'confidence'>) => boolean> = {
  all: () => true,
  long: ({ side }) => side === 'LONG',
  short: ({ side }) => side === 'SHORT',
  high: ({ confidence }) => confidence >= HIGH_CONFIDENCE,
  low: ({ confidence }) => confidence < HIGH_CONFIDENCE,
};

export const chipTakes = (chip: Chip, position: Pick<PositionView, 'side' | 'confidence'>): boolean =>
  takes[chip](position);

interface PortfolioState {
  chip: Chip;
}

const first = (): PortfolioState => ({ chip: 'all' });

/** State of the portfolio, preserved while other tabs are open. */
export const portfolioState = proxy<PortfolioState>(first());

onUserReset(() => Object.assign(portfolioState, first()));
