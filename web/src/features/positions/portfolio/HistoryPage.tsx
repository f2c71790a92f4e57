import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import type { PositionView } from '../../../api/positionView.ts';
import { useClosedPositions } from '../../../api/positions.ts';
import { formatCount } from '../../../format/number.ts';
import { openTab } from '../../../state/navigation.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { downloadText } from '../../../ui/download.ts';
import { PositionDetail } from '../detail/PositionDetail.tsx';
import { ClosedTable } from '../table/ClosedTable.tsx';
import { useMarked } from '../useMarked.ts';
import { useServed } from '../useServed.ts';
import { mark } from '../valuation/mark.ts';
import { WhatIfPanel } from '../whatif/WhatIfPanel.tsx';
import { ChipRow } from './ChipRow.tsx';
import { chipTakes } from './chips.ts';
import { NothingUnderChip } from './emptyStates.tsx';
import { portfolioState } from './portfolioState.ts';

const columns = [
  ...(['id', 'symbol', 'side', 'interval', 'source', 'openedAt', 'closedAt', 'entryPrice', 'closePrice'] as const),
  ...(['qty', 'leverage', 'notional', 'margin', 'initialStopLoss', 'stopLoss', 'takeProfit'] as const),
  ...(['liquidationApprox', 'closeReason', 'pnl', 'roiPct', 'fees', 'funding', 'netPnl', 'returnOnMarginPct'] as const),
  ...(['confidence', 'market'] as const),
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

export function HistoryPage() {
  const [span, setSpan] = useState<Span>('24 h');
  const closed = useClosedPositions(spans[span]);
  const { decimalsOf } = useMarked();
  const { isServed } = useServed();
  const { chip, selectedClosed } = useSnapshot(portfolioState);
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
        <Loaded answer={closed} failure="The history could not be read." rows={6}>
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
                onSelect={(id) => (portfolioState.selectedClosed = id)}
              />
            );
          }}
        </Loaded>
      </Panel>
      {chosen !== undefined && (
        <PositionDetail row={mark(chosen, null)} decimals={decimalsOf(chosen.symbol)}>
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
    <EmptyState text={`No trades in the last ${span}. Positions that close are kept here with every cost.`}>
      <button type="button" className="btn" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}
