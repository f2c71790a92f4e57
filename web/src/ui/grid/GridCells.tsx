import type { ReactNode } from 'react';
import type { GridColumn } from './DataGrid.tsx';

/** A column with what stands in its cells: one entry is all that a table needs to have another column. */
export interface CellColumn<Row, Id extends string = string> extends GridColumn<Id> {
  className: string;
  /** A class that depends on the row, such as the colour of a gain. */
  toneOf?: (row: Row) => string;
  cell: (row: Row) => ReactNode;
}

/** The cells of one row, in the order of the columns. */
export function GridCells<Row>({ columns, row }: { columns: readonly CellColumn<Row>[]; row: Row }) {
  return columns.map(({ id, className, toneOf, cell }) => (
    <span key={id} role="gridcell" className={toneOf === undefined ? className : `${className} ${toneOf(row)}`}>
      {cell(row)}
    </span>
  ));
}
