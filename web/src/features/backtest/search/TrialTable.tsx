import { parameterOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../format/number.ts';
import { rowWindow, scrollTopFor } from '../../../ui/rowWindow.ts';
import { figuresOf, parameters } from './searchDefinitions.ts';
import type { SearchRun } from './searchState.ts';
import { sortedTrials, type Trials } from './trials.ts';

const ROW_PX = 32;
const HEIGHT_PX = 420;
/** Shown beside the figures; all others are in the plots and on the sliders once a set is opened. */
const shownParameters = parameters.filter(({ parameter }) => parameter.kind !== 'weight');

interface Column {
  id: string;
  name: string;
  values: Float64Array;
  format: (value: number) => string;
}

function columnsOf(trials: Trials): Column[] {
  const ranked = figuresOf(trials).map(({ id, name, format }) => ({ id, name, format, values: trials.columns[id] }));
  const varied = shownParameters.map(({ id, name, format, parameter }) => ({
    ...{ id, name, format },
    values: Float64Array.from({ length: trials.count }, (_, trial) => parameterOf(trials.sets, trial, parameter)),
  }));
  return [...ranked, ...varied];
}

export function trialName({ sampleCount }: Trials, trial: number): string {
  return trial < sampleCount ? `#${formatCount(trial)}` : `refined ${formatCount(trial - sampleCount)}`;
}

interface Props {
  run: SearchRun;
  selected: number | null;
  onSelect: (trial: number) => void;
}

/** Every trial, sortable by any figure; only the rows in sight exist. Arrow keys walk, and the chart follows. */
export function TrialTable({ run, selected, onSelect }: Props) {
  const { trials } = run;
  const [sort, setSort] = useState({ column: 'value', isDescending: true });
  const columns = useMemo(() => columnsOf(trials), [trials]);
  const order = useMemo(() => {
    const values = columns.find(({ id }) => id === sort.column)?.values ?? trials.columns.value;
    return sortedTrials(values, sort.isDescending);
  }, [columns, trials, sort]);
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const view = { top: scrollTop, height: Math.min(HEIGHT_PX, order.length * ROW_PX), rowPx: ROW_PX };
  const { from, to } = rowWindow({ ...view, count: order.length });
  const template = `96px repeat(${columns.length}, minmax(84px, 1fr))`;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = selected === null ? (step > 0 ? -1 : order.length) : order.indexOf(selected);
    const next = Math.min(order.length - 1, Math.max(0, at + step));
    onSelect(order[next] ?? 0);
    scroller.current?.scrollTo({ top: scrollTopFor(next, view) });
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Trials"
      aria-rowcount={order.length + 1}
      tabIndex={0}
      className="overflow-auto text-label tabular-nums"
      style={{ height: view.height + ROW_PX + 2 }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <Head columns={columns} template={template} sort={sort} onSort={setSort} />
      <div role="rowgroup" className="relative min-w-[1060px]" style={{ height: order.length * ROW_PX }}>
        {Array.from(order.subarray(from, to), (trial, at) => (
          <div
            key={trial}
            role="row"
            aria-rowindex={from + at + 2}
            aria-selected={trial === selected}
            className={`absolute inset-x-0 grid cursor-pointer items-center border-b border-line hover:bg-row-hover ${
              trial === selected ? 'bg-accent-soft' : ''
            }`}
            style={{
              gridTemplateColumns: template,
              height: ROW_PX,
              transform: `translateY(${(from + at) * ROW_PX}px)`,
            }}
            onClick={() => onSelect(trial)}
          >
            <span role="gridcell" className="px-2 text-muted">
              {trialName(trials, trial)}
            </span>
            {columns.map(({ id, values, format }) => (
              <span key={id} role="gridcell" className="px-2 text-right">
                {format(values[trial] ?? Number.NaN)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface Sort {
  column: string;
  isDescending: boolean;
}

interface HeadProps {
  columns: Column[];
  template: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

function Head({ columns, template, sort, onSort }: HeadProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 min-w-[1060px] bg-panel">
      <div
        role="row"
        aria-rowindex={1}
        className="grid items-center border-b border-line text-muted"
        style={{ gridTemplateColumns: template, height: ROW_PX }}
      >
        <span role="columnheader" className="px-2 font-medium">
          Set
        </span>
        {columns.map(({ id, name }) => {
          const isSorted = sort.column === id;
          const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
          return (
            <span
              key={id}
              role="columnheader"
              aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
              className="text-right"
            >
              <button
                type="button"
                className="inline-flex h-8 items-center gap-1 px-2 font-medium hover:text-text"
                onClick={() => onSort({ column: id, isDescending: isSorted ? !sort.isDescending : true })}
              >
                {isSorted && <Arrow size={12} aria-hidden="true" />} {name}
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
}
