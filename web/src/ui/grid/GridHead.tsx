import { ArrowDown, ArrowUp } from 'lucide-react';
import type { GridColumn, GridSort } from './gridColumns.ts';

interface Props<Id extends string> {
  columns: readonly GridColumn<Id>[];
  template: string;
  minWidthPx: number;
  rowPx: number;
  sort: GridSort<NoInfer<Id>> | undefined;
  onSort: ((column: Id) => void) | undefined;
}

/** Stays in sight while rows scroll under it. A click on a label sorts by its column. */
export function GridHead<Id extends string>({ columns, template, minWidthPx, rowPx, sort, onSort }: Props<Id>) {
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

type CellProps<Id extends string> = Pick<Props<Id>, 'sort' | 'onSort'> & { column: GridColumn<Id> };

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
