import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { rowWindow, scrollTopFor } from '../rowWindow.ts';
import { useIsWide } from '../useIsWide.ts';
import { type GridColumn, type GridSort, rowOfKey, templateOf } from './gridColumns.ts';
import { GridHead } from './GridHead.tsx';

/** Height of a row, and of the head. */
export const GRID_ROW_PX = 32;

type Key = string | number;

interface Props<Row, Id extends string> {
  /** What screen readers call it. */
  label: string;
  columns: readonly GridColumn<Id>[];
  /** In the order they are shown; a typed array of indices will do. */
  rows: ArrayLike<Row>;
  keyOf: (row: Row) => Key;
  /** Cells of one row, `role="gridcell"` each, one for every column. */
  cells: (row: Row) => ReactNode;
  /** Narrower than this the rows scroll sideways. */
  minWidthPx: number;
  /** Of the rows; more of them scroll. */
  heightMaxPx: number;
  sort?: GridSort<NoInfer<Id>>;
  onSort?: (column: Id) => void;
  /** Key of the selected row. */
  selected: Key | null;
  /** By click and by arrow key. */
  onSelect: (row: Row, by: 'click' | 'key') => void;
  /** Escape while a row is selected. */
  onLeave?: () => void;
  /** The row under the pointer, null when it is gone. */
  onPoint?: (row: Row | null) => void;
  /** Below a tablet's width: rows of this height, without a head. */
  compact?: { rowPx: number; template: string; cells: (row: Row) => ReactNode };
}

/** A long list of equally high rows, of which only those in sight exist. Arrow keys walk the rows, and the scroll follows. */
export function DataGrid<Row, Id extends string>(props: Props<Row, Id>) {
  const { label, columns, rows, keyOf, minWidthPx, heightMaxPx, sort, onSort, selected, onSelect } = props;
  const isWide = useIsWide('tablet');
  const compact = isWide ? undefined : props.compact;
  const template = compact?.template ?? templateOf(columns);
  const cells = compact?.cells ?? props.cells;
  const rowPx = compact?.rowPx ?? GRID_ROW_PX;
  const headPx = compact === undefined ? GRID_ROW_PX : 0;
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const view = { top: scrollTop, height: Math.min(heightMaxPx, rows.length * rowPx), rowPx };
  const { from, to } = rowWindow({ ...view, count: rows.length });
  const shown = Array.from({ length: to - from }, (_, at) => ({ index: from + at, row: rows[from + at] as Row }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && selected !== null) props.onLeave?.();
    const at = selected === null ? -1 : Array.from(rows).findIndex((row) => keyOf(row) === selected);
    const next = rowOfKey(event.key, at, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(rows[next] as Row, 'key');
    scroller.current?.scrollTo({ top: scrollTopFor(next, view) });
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      className="overflow-auto text-label tabular-nums"
      style={{ height: view.height + headPx + 2 }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onPointerLeave={() => props.onPoint?.(null)}
    >
      {compact === undefined && <GridHead {...{ columns, template, minWidthPx, sort, onSort }} rowPx={GRID_ROW_PX} />}
      <div
        role="rowgroup"
        className="relative"
        style={{ height: rows.length * rowPx, ...(compact === undefined ? { minWidth: minWidthPx } : {}) }}
      >
        {shown.map(({ index, row }) => {
          const key = keyOf(row);
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={key === selected}
              className={`absolute inset-x-0 grid cursor-pointer items-center border-b border-line hover:bg-row-hover ${
                key === selected ? 'bg-accent-soft' : ''
              }`}
              style={{ gridTemplateColumns: template, height: rowPx, transform: `translateY(${index * rowPx}px)` }}
              onClick={() => onSelect(row, 'click')}
              onPointerEnter={() => props.onPoint?.(row)}
            >
              {cells(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
