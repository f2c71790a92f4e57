import { sql, type Transaction } from 'kysely';
import type { DB } from '@sextant/db/src/schema.gen.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';

/** A table with user rows, as described by the database catalogue. */
export interface UserTable {
  name: string;
  /** Column with the owner of a row: `user_id`, or `id` of the users table. */
  ownerColumn: string;
  /** Exported columns. */
  columns: string[];
  /** Columns that hold secrets. */
  withheld: string[];
  /** In the order of the primary key. */
  keyColumns: string[];
  /** Rows may be as large as their bytes. */
  rowsPerPage: number;
  /** Which role reads the table: the user, or the service for the user. Null means no policy, which a test forbids. */
  reader: 'app_user' | 'app_system' | null;
}

interface CatalogueRow {
  name: string;
  columns: { name: string; isJson: boolean; isBytes: boolean; user: boolean; system: boolean }[];
  key_columns: string[];
}

/** Names of columns that hold secrets or proofs of knowledge. */
const secretName = /password|token|secret|code|sealed|(^|_)hash$|(^|_)key$/;
/** Names that match the pattern but are no secrets: hashes of backtest inputs, client-chosen idempotency keys, credits of a payment. */
const harmless = new Set([
  'engine_hash',
  'data_hash',
  'params_hash',
  'result_hash',
  'body_hash',
  'idempotency_key',
  'tokens',
]);
const isSecret = (table: string, column: string): boolean =>
  secretName.test(column) && !harmless.has(column) && !(table === 'idempotency_keys' && column === 'key');

/** JSON and bytes make large rows: a backtest has up to 8 MiB, a search up to 32 MiB, which doubles as text. */
const pageRows = { withBytes: 1, withJson: 5, plain: 500 };

function toUserTable({ name, columns, key_columns: keyColumns }: CatalogueRow): UserTable {
  const reader = columns.some(({ user }) => user)
    ? 'app_user'
    : columns.some((each) => each.system)
      ? 'app_system'
      : null;
  const readable = columns.filter((each) => (reader === 'app_user' ? each.user : each.system));
  return {
    name,
    ownerColumn: name === 'users' ? 'id' : 'user_id',
    columns: readable.map((each) => each.name).filter((column) => !isSecret(name, column)),
    withheld: columns.map((each) => each.name).filter((column) => isSecret(name, column)),
    keyColumns,
    rowsPerPage: columns.some(({ isBytes }) => isBytes)
      ? pageRows.withBytes
      : columns.some(({ isJson }) => isJson)
        ? pageRows.withJson
        : pageRows.plain,
    reader,
  };
}

/** Every table with a `user_id` column, and the users table. Read from the catalogue, so that new tables are included automatically. */
export async function findUserTables(db: Db): Promise<UserTable[]> {
  const { rows } = await withSystem(db, (tx) =>
    sql<CatalogueRow>`
      select c.relname as name,
        json_agg(json_build_object('name', a.attname, 'isJson', a.atttypid = 'jsonb'::regtype,
          'isBytes', a.atttypid = 'bytea'::regtype,
          'user', has_column_privilege('app_user', c.oid, a.attnum, 'select'),
          'system', has_column_privilege('app_system', c.oid, a.attnum, 'select')) order by a.attnum) as columns,
        coalesce((select array_agg(k.attname::text order by array_position(i.indkey::int2[], k.attnum))
          from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey::int2[])
          where i.indrelid = c.oid and i.indisprimary), '{}') as key_columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname = 'users' or exists (
          select from pg_attribute u where u.attrelid = c.oid and u.attname = 'user_id' and not u.attisdropped))
      group by c.oid, c.relname order by c.relname`.execute(tx),
  );
  return rows.map(toUserTable);
}

interface PageRow {
  json: string;
  keys: string[];
}

/** The next rows after `after`, as JSON text, so that no digit of a number passes through a float. */
async function readPage(db: Db, userId: string, table: UserTable, after: string[] | null): Promise<PageRow[]> {
  const { name, columns, keyColumns, rowsPerPage, ownerColumn } = table;
  const keys = sql.join(keyColumns.map((column) => sql.ref(`t.${column}`)));
  // The parameters take the types of the columns they are compared with.
  const beyond = after === null ? sql`true` : sql`(${keys}) > (${sql.join(after)})`;
  const read = (tx: Transaction<DB>) =>
    sql<PageRow>`
      select (select to_jsonb(r) from (select ${sql.join(columns.map((column) => sql.ref(`t.${column}`)))}) r)::text as json,
        array[${sql.join(keyColumns.map((column) => sql`${sql.ref(`t.${column}`)}::text`))}] as keys
      from ${sql.table(name)} t where ${sql.ref(`t.${ownerColumn}`)} = ${userId} and ${beyond}
      order by ${keys} limit ${rowsPerPage}`.execute(tx);
  const { rows } = await (table.reader === 'app_user' ? withUser(db, userId, read) : withSystem(db, read));
  return rows;
}

/** Rows of a user in a table as JSON texts, one page at a time, to hold neither much memory nor a connection for long. */
export async function* readRows(db: Db, userId: string, table: UserTable): AsyncGenerator<string[]> {
  if (table.reader === null || table.keyColumns.length === 0) return;
  let after: string[] | null = null;
  for (;;) {
    const page: PageRow[] = await readPage(db, userId, table, after);
    if (page.length === 0) return;
    yield page.map(({ json }) => json);
    after = page.at(-1)?.keys ?? null;
  }
}
