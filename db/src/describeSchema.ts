import type pg from 'pg';

interface Column {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  /** `none`, `default` (may be left out) or `generated` (may not be written). */
  filled: 'none' | 'default' | 'generated';
}

const typeScriptTypes: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  // Read as text: the driver would make a midnight of the local zone of it.
  date: 'string',
  _float8: 'number[]',
  float4: 'number',
  float8: 'number',
  _int2: 'number[]',
  int4: 'number',
  _int4: 'number[]',
  int8: 'number',
  jsonb: 'Jsonb',
  // As text in both directions: a float would lose digits.
  numeric: 'string',
  text: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
  timestamptz: 'Timestamp',
  _timestamptz: 'Date[]',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
};

async function readColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as column, coalesce(base.typname, t.typname) as type, not a.attnotnull as "isNullable",
       case when a.attgenerated <> '' or a.attidentity = 'a' then 'generated' when a.atthasdef then 'default' else 'none' end as filled
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
       left join pg_type base on t.typtype = 'd' and base.oid = t.typbasetype
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
     order by c.relname collate "C", a.attnum`,
  );
  return rows;
}

function typeOf({ table, column, type, isNullable, filled }: Column): string {
  const known = typeScriptTypes[type];
  if (known === undefined) throw new Error(`${table}.${column}: type ${type} is missing in db/src/describeSchema.ts`);
  const value = isNullable ? `${known} | null` : known;
  if (filled === 'generated') return `GeneratedAlways<${value}>`;
  return filled === 'default' ? `Generated<${value}>` : value;
}

const interfaceName = (table: string): string =>
  table.replace(/(^|_)([a-z])/g, (_match, _bar: string, letter: string) => letter.toUpperCase()) + 'Table';

/** TypeScript source of the database's tables, as Kysely wants them. The same database gives the same text. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const columns = await readColumns(client);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const interfaces = tables.map((table) => {
    const lines = columns.filter((column) => column.table === table);
    return `export interface ${interfaceName(table)} {\n${lines.map((line) => `  ${line.column}: ${typeOf(line)};\n`).join('')}}\n`;
  });
  return [
    '// Written by npm run generate from the migrated database. Do not edit.\n',
    "import type { ColumnType, GeneratedAlways } from 'kysely';\n",
    '/** Has a default: may be left out when inserting. */',
    'type Generated<T> =\n  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;',
    'type Timestamp = ColumnType<Date, Date | string, Date | string>;',
    '/** Read as parsed JSON. Written as text: the driver would turn an array into a PostgreSQL array. */',
    'type Jsonb = ColumnType<unknown, string, string>;\n',
    ...interfaces,
    `export interface DB {\n${tables.map((table) => `  ${table}: ${interfaceName(table)};\n`).join('')}}\n`,
  ].join('\n');
}
