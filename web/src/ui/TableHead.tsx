export interface Column {
  name: string;
  /** Text, aligned left; figures are aligned right. */
  isText?: boolean;
  /** Read by screen readers only: the cells below need no visible heading. */
  isSilent?: boolean;
  /** Left out below 768 px, with its cells. */
  isWideOnly?: boolean;
}

/** The one row of column heads of a plain table. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, isText = false, isSilent = false, isWideOnly = false }) => (
          <th key={name} scope="col" className={`${isText ? 'lead' : ''} ${isWideOnly ? 'max-md:hidden' : ''}`}>
            {isSilent ? <span className="sr-only">{name}</span> : name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
