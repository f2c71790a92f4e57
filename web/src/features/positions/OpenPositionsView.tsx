import { useState } from 'react';
import { useSnapshot } from 'valtio';
import type { PositionView } from '../../api/positionView.ts';
import { formatCount } from '../../format/number.ts';
import { Age } from '../../ui/Time.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CloseDialog } from './detail/CloseDialog.tsx';
import { PositionDetail } from './detail/PositionDetail.tsx';
import { ChipRow, NoPositions, NothingUnderChip } from './portfolio/ChipRow.tsx';
import { chipTakes, portfolioState } from './portfolio/portfolioState.ts';
import { OpenTable } from './table/OpenTable.tsx';
import { useMarked } from './useMarked.ts';
import { WaitingPanel } from './WaitingPanel.tsx';
import type { Marked } from './valuation/mark.ts';

interface Props {
  title: string;
  /** The choice of filters above the rows. */
  hasChips?: boolean;
}

/** Every open position; the chart and the details follow the selected row. */
export function OpenPositionsView({ title, hasChips = false }: Props) {
  const marked = useMarked();
  const { open, rows, waiting, confirmedAtMs, decimalsOf } = marked;
  const { chip, selectedOpen } = useSnapshot(portfolioState);
  const [closing, setClosing] = useState<string | null>(null);
  const shown = hasChips ? rows.filter(({ position }) => chipTakes(chip, position)) : rows;
  const chosen = shown.find(({ position }) => position.id === selectedOpen) ?? shown[0];
  const leaving = rows.find(({ position }) => position.id === closing);
  const ask = ({ id }: PositionView) => setClosing(id);
  const select = (id: string) => {
    portfolioState.selectedOpen = id;
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Panel
        title={`${title} (${countText(shown, rows)})`}
        aside={confirmedAtMs !== null && <Age sinceMs={confirmedAtMs} prefix="prices" />}
        bodyClassName=""
      >
        {hasChips && <ChipRow />}
        <Loaded answer={open} failure="The positions could not be read." rows={4}>
          {() => (
            <Rows
              rows={rows}
              shown={shown}
              decimalsOf={decimalsOf}
              isSomeWaiting={waiting.length > 0}
              label={title}
              selected={chosen?.position.id ?? null}
              onSelect={select}
              onClose={ask}
            />
          )}
        </Loaded>
      </Panel>
      {chosen !== undefined && (
        <PositionDetail row={chosen} decimals={decimalsOf(chosen.position.symbol)} onClose={ask} />
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
