import type { ReactNode } from 'react';
import type { PositionView } from '../../../api/positionView.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { PositionChart } from '../chart/PositionChart.tsx';
import { marketNames, useServed } from '../useServed.ts';
import type { Marked } from '../valuation/mark.ts';
import { EventList } from './EventList.tsx';
import { factsOf } from './facts.ts';

interface Props {
  row: Marked;
  decimals: number | undefined;
  /** Shown for an open position. */
  onClose?: (position: PositionView) => void;
  /** Stands below the facts. */
  children?: ReactNode;
}

/** The selected position: its chart, its figures, what happened to it. */
export function PositionDetail({ row, decimals, onClose, children }: Props) {
  const { position, price, netIfClosed } = row;
  const { isServed } = useServed();
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(0,1fr)_360px]">
      <div className="flex min-w-0 flex-col gap-3">
        {isServed(position) ? (
          <PositionChart
            key={position.id}
            position={position}
            price={price}
            net={position.closedAt === null ? netIfClosed : position.netPnl}
            className="min-h-105 flex-1"
          />
        ) : (
          <Panel title={`${position.symbol} ${position.side}`}>
            <EmptyState
              text={`It ran on ${marketNames[position.market]} prices. This service now uses others, so it has no candles to show or replay.`}
            />
          </Panel>
        )}
        {children}
      </div>
      <Panel
        title={`${position.symbol} ${position.side} ${position.leverage}x`}
        aside={
          onClose !== undefined && (
            <button type="button" className="btn btn-small" onClick={() => onClose(position)}>
              Close position
            </button>
          )
        }
        bodyClassName="flex flex-col"
      >
        <dl className="px-3 py-1 text-label">
          {factsOf(row, decimals).map(([name, value]) => (
            <div key={name} className="flex justify-between gap-3 py-0.75">
              <dt className="text-muted">{name}</dt>
              <dd className="text-right font-medium">{value}</dd>
            </div>
          ))}
        </dl>
        <EventList id={position.id} decimals={decimals} />
      </Panel>
    </div>
  );
}
