import type { ReactNode } from 'react';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';

/** A table of the documentation: its names, and rows as the caller gives them. */
export function DocTable({
  title,
  columns,
  children,
}: {
  title: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <ScrollSideways label={title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} className="lead" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollSideways>
  );
}
