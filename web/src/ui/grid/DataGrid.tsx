import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useIsWide } from '../useMedia.ts';

export interface GridColumn<Id extends string = string> {
  id: Id;
  label: string;
  /** CSS grid track: `76px`, `minmax(88px, 1fr)`. */
  width: string;
  /** Text is aligned left; figures are aligned right. */
  isText?: boolean;
  /** A column that cannot be sorted, such as a row of buttons. */
  isUnsorted?: boolean;
}

export interface GridSort<Id extends string = string> {
  column: Id;
  isDescending: boolean;
}

interface RowWindow {
  /** First row to draw. */
  from: number;
  /** One past the last row to draw. */
  to: number;
}

interface Scrolled {
  /** Pixels scrolled, and pixels in sight. */
  top: number;
  height: number;
  rowPx: number;
  count: number;
}

/** Rows drawn beyond each edge, so that a fast scroll does not show the background. */
const OVERSCAN = 8;

/** The rows in sight of a long list of equally high rows. */
export function rowWindow({ top, height, rowPx, count }: Scrolled): RowWindow {
  const first = Math.floor(top / rowPx) - OVERSCAN;
  const last = Math.ceil((top + height) / rowPx) + OVERSCAN;
  return { from: Math.min(count, Math.max(0, first)), to: Math.min(count, Math.max(0, last)) };
}

/** Scroll position that shows a row fully; unchanged when it is already visible. */
export function scrollTopFor(row: number, { top, height, rowPx }: Omit<Scrolled, 'count'>): number {
  const start = row * rowPx;
  if (start < top) return start;
  return Math.max(top, start + rowPx - height);
}

/** Height of a row, and of the head. */
const GRID_ROW_PX = 32;

type Key = string | number;

interface Props<Row, Id extends string> {
  /** Name for screen readers. */
  label: string;
  columns: readonly GridColumn<Id>[];
  /** In the order they are shown; a typed array of indices will do. */
  rows: ArrayLike<Row>;
  keyOf: (row: Row) => Key;
  /** Cells of one row, `role="gridcell"` each, one for every column. */
  cells: (row: Row) => ReactNode;
  /** Narrower than this the rows scroll sideways. */
  minWidthPx: number;
  /** Height of the rows; more of them scroll. */
  heightMaxPx: number;
  sort?: GridSort<NoInfer<Id>>;
  onSort?: (column: Id) => void;
  /** Key of the selected row. */
  selected: Key | null;
  /** By click and by arrow key. */
  onSelect: (row: Row, by: 'click' | 'key') => void;
  /** Escape while a row is selected. */
  onLeave?: () => void;
  /** The row under the pointer, null after it leaves. */
  onPoint?: (row: Row | null) => void;
  /** Below a tablet's width: rows of this height, without a head. */
  compact?: { rowPx: number; template: string; cells: (row: Row) => ReactNode };
}

/** A virtualised list of equally high rows: only visible rows are rendered. Arrow keys move through the rows, and the scroll follows. */
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
      className="more-sideways overflow-auto text-label tabular-nums"
      style={{ height: view.height + headPx + 2 }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onPointerLeave={() => props.onPoint?.(null)}
    >
      {compact === undefined && (
        <GridHead
          columns={columns}
          template={template}
          minWidthPx={minWidthPx}
          sort={sort}
          onSort={onSort}
          rowPx={GRID_ROW_PX}
        />
      )}
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

interface GridHeadProps<Id extends string> {
  columns: readonly GridColumn<Id>[];
  template: string;
  minWidthPx: number;
  rowPx: number;
  sort: GridSort<NoInfer<Id>> | undefined;
  onSort: ((column: Id) => void) | undefined;
}

/** Stays in sight while rows scroll under it. A click on a label sorts by its column. */
function GridHead<Id extends string>({ columns, template, minWidthPx, rowPx, sort, onSort }: GridHeadProps<Id>) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-panel" style={{ minWidth: minWidthPx }}>
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line text-muted"
        style={{ gridTemplateColumns: template, height: rowPx }}
      >
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

type CellProps<Id extends string> = Pick<GridHeadProps<Id>, 'sort' | 'onSort'> & { column: GridColumn<Id> };

function HeadCell<Id extends string>({ column, sort, onSort }: CellProps<Id>) {
  const { id, label, isText = false, isUnsorted = false } = column;
  const side = isText ? '' : 'justify-end';
  const text = `flex h-full w-full items-center gap-1 px-2 font-medium ${side}`;
  if (isUnsorted || onSort === undefined)
    return (
      <div role="columnheader" className={text}>
        {label}
      </div>
    );
  const isSorted = sort?.column === id;
  const Arrow = sort?.isDescending === true ? ArrowDown : ArrowUp;
  const direction = sort?.isDescending === true ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'}>
      <button type="button" className={`${text} hover:text-text`} onClick={() => onSort(id)}>
        {label}
        {isSorted && <Arrow size={12} aria-hidden="true" className="shrink-0" />}
      </button>
    </div>
  );
}

/** One template for head and rows, so that they stay aligned. */
export const templateOf = (columns: readonly GridColumn[]): string => columns.map(({ width }) => width).join(' ');

/**
 * The row an arrow key leads to: from no row, down is the first and up the last; the ends hold. Undefined for any other key and for
 * an empty list.
 */
export function rowOfKey(key: string, at: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || count === 0) return undefined;
  const start = at < 0 && step < 0 ? count : at;
  return Math.min(count - 1, Math.max(0, start + step));
}
