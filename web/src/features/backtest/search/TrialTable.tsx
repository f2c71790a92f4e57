import { parameterOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { useEffect, useMemo, useState } from 'react';
import { formatCount } from '../../../format/number.ts';
import { startSlices } from '../../../state/slices.ts';
import { DataGrid, type GridColumn, type GridSort } from '../../../ui/grid/DataGrid.tsx';
import { type Drawdowns, useDrawdowns } from './drawdowns.ts';
import { drawdownMeasure, figuresOf, parametersOf } from './searchDefinitions.ts';
import type { SearchRun } from './searchState.ts';
import { mergedCounts, orderSteps, parameterColumn, rowOf, type Trials } from './trials.ts';

interface Column {
  id: string;
  name: string;
  valueOf: (trial: number) => number;
  /** Only needed to sort. */
  values: () => Float64Array;
  format: (value: number) => string;
}

/** @param drawdowns of each trial; pending cells say so */
function columnsOf(run: SearchRun, drawdowns: Drawdowns | null): Column[] {
  const { trials, input } = run;
  const ranked = figuresOf(run).flatMap(({ id, name, format }) => {
    const column = {
      id,
      name,
      format,
      valueOf: (trial: number) => trials.columns[id][trial] ?? Number.NaN,
      values: () => trials.columns[id],
    };
    return id === 'closedDrawdownFraction' ? [markedColumn(trials, drawdowns), column] : [column];
  });
  // The weights are in the plots, and on the sliders once a set is opened.
  const shown = parametersOf(input).filter(({ parameter }) => parameter.kind !== 'weight');
  const varied = shown.map(({ id, name, format, parameter }) => ({
    id,
    name,
    format,
    valueOf: (trial: number) => parameterOf(trials.sets, trial, parameter),
    values: () => parameterColumn(trials, parameter),
  }));
  return [...ranked, ...varied];
}

function markedColumn({ count }: Trials, drawdowns: Drawdowns | null): Column {
  const { id, name, format } = drawdownMeasure;
  return {
    id,
    name,
    format: (value) => (Number.isNaN(value) && drawdowns?.isWhole !== true ? '…' : format(value)),
    valueOf: (trial) => drawdowns?.values[trial] ?? Number.NaN,
    values: () => drawdowns?.values ?? new Float64Array(count).fill(Number.NaN),
  };
}

/** The first set is the one on the sliders, the last ones come from the refinement. */
export function trialName({ sampleCount }: Pick<Trials, 'sampleCount'>, trial: number): string {
  if (trial === 0) return 'your set';
  return trial < sampleCount ? `set ${formatCount(trial)}` : `refined set ${formatCount(trial - sampleCount)}`;
}

/** The rows sorted by a column, or the previous rows while sorting; null until a search has some. */
function useOrder(trials: Trials, values: Float64Array, isDescending: boolean): Uint32Array | null {
  const [shown, setShown] = useState<{ trials: Trials; order: Uint32Array } | null>(null);
  useEffect(
    () => startSlices(orderSteps(trials, values, isDescending), (order) => setShown({ trials, order })),
    [trials, values, isDescending],
  );
  return shown?.trials === trials ? shown.order : null;
}

/** Trades without a loss: the profit factor would divide by zero. */
const isWithoutLoss = ({ columns: { profitFactor, tradeCount } }: Trials, trial: number): boolean =>
  (tradeCount[trial] ?? 0) > 0 && Number.isNaN(profitFactor[trial]);

interface Props {
  run: SearchRun;
  selected: number | null;
  onSelect: (trial: number) => void;
}

/** Every trial, sortable by any figure; the chart follows the selected row. */
export function TrialTable({ run, selected, onSelect }: Props) {
  const { trials } = run;
  const [sort, setSort] = useState<GridSort>({ column: 'value', isDescending: true });
  const drawdowns = useDrawdowns(run);
  const columns = useMemo(() => columnsOf(run, drawdowns), [run, drawdowns]);
  const values = useMemo(
    () => columns.find(({ id }) => id === sort.column)?.values() ?? trials.columns.value,
    [columns, trials, sort.column],
  );
  const order = useOrder(trials, values, sort.isDescending);
  const heads: GridColumn[] = [
    { id: 'set', label: 'Set', width: '184px', isText: true, isUnsorted: true },
    ...columns.map(({ id, name }) => ({ id, label: name, width: 'minmax(84px, 1fr)' })),
  ];
  if (order === null) return <div aria-busy="true" className="skeleton m-3 h-96" />;
  const merged = mergedCounts(trials);
  return (
    <DataGrid
      label="Trials"
      columns={heads}
      rows={order}
      keyOf={(trial) => trial}
      cells={(trial) => (
        <>
          <span role="gridcell" className="px-2 text-muted">
            {trialName(trials, trial)}
            {(merged[trial] ?? 0) > 1 && (
              <span title={`${formatCount(merged[trial])} sets with these exact results`}>
                {' '}
                ({formatCount(merged[trial])} alike)
              </span>
            )}
          </span>
          {columns.map(({ id, valueOf, format }) => (
            <span key={id} role="gridcell" className="px-2 text-right font-mono">
              {id === 'profitFactor' && isWithoutLoss(trials, trial) ? 'no loss' : format(valueOf(trial))}
            </span>
          ))}
        </>
      )}
      minWidthPx={1206}
      heightMaxPx={420}
      sort={sort}
      onSort={(id) => setSort({ column: id, isDescending: sort.column === id ? !sort.isDescending : true })}
      selected={selected === null ? null : rowOf(trials, selected)}
      onSelect={onSelect}
    />
  );
}
