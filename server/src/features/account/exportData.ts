import type { Db } from '../../platform/db/scope.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import type { FileStore } from '../profile/files/port.ts';
import { findUserTables, readRows } from './exportRepository.ts';

export interface ExportDeps {
  db: Db;
  files: FileStore;
}

interface AccountUser {
  id: string;
  email: string;
}

/** Tables left out of the export of a demo account, which anyone may open without a password. */
const withheldInDemo = new Set(['sessions']);

/** All stored data of a user, as pieces of one JSON document (ExportResponse). */
export async function* exportData({ db, files }: ExportDeps, user: AccountUser, at: Date): AsyncGenerator<string> {
  const { id: userId, email } = user;
  const tables = await findUserTables(db);
  const head = { format: 'sextant-export-1', exported_at: at.toISOString(), user_id: userId };
  yield `${JSON.stringify(head).slice(0, -1)},\n"tables":{`;
  for (const [index, table] of tables.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(table.name)}:[`;
    let separator = '\n';
    if (isDemoEmail(email) && withheldInDemo.has(table.name)) {
      yield ']';
      continue;
    }
    for await (const rows of readRows(db, userId, table)) {
      yield separator + rows.join(',\n');
      separator = ',\n';
    }
    yield ']';
  }
  const withheld = tables
    .filter((table) => table.withheld.length > 0)
    .map((table) => ({ table: table.name, columns: table.withheld }));
  yield `},\n"withheld":${JSON.stringify(withheld)},\n"files":${JSON.stringify(await listFiles(files, userId))}}\n`;
}

/** Lists URLs instead of the bytes, which would make the document many times as large. */
async function listFiles(files: FileStore, userId: string): Promise<{ path: string; url: string }[]> {
  const paths = await files.list(userId);
  return paths.sort().map((path) => ({ path, url: `/api/account/export/files/${path.split('/').at(-1) ?? ''}` }));
}
