import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { type ClockOffset, offsetOf } from '../../../platform/clockOffset.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { readStoredFigures, type StorageRow, type StoredFigures } from '../metrics/storedFigures.ts';

export interface VenueProbes {
  part: string;
  /** Median duration of the successful probes of the last 15 minutes; null without one. */
  median_ms: number | null;
  probes: number;
  failures: number;
}

export interface TableSize {
  name: string;
  /** With its indexes. */
  bytes: number;
}

export interface DatabaseReading extends StoredFigures {
  version: string;
  responseMs: number;
  /** Clock of the database against this machine's. */
  clock: ClockOffset;
  venues: VenueProbes[];
  tables: TableSize[];
  /** The storage again, `seconds` later; undefined when it did not arrive. */
  later: { storage: StorageRow; seconds: number } | undefined;
}

const readVenues = async (tx: SystemTx): Promise<VenueProbes[]> =>
  (
    await sql<VenueProbes>`
    select part, (percentile_cont(0.5) within group (order by duration_ms) filter (where is_ok))::float8 as median_ms,
      count(*)::int as probes, count(*) filter (where not is_ok)::int as failures
    from status_probes where minute > now() - interval '15 minutes' and part in (${sql.join([...venueIds])})
    group by part order by part`.execute(tx)
  ).rows;

/** A partitioned table has the size of its partitions. */
const readTables = async (tx: SystemTx): Promise<TableSize[]> =>
  (
    await sql<TableSize>`
    select n.nspname || '.' || t.relname as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c
      join pg_class t on t.oid = coalesce(pg_partition_root(c.oid), c.oid)
      join pg_namespace n on n.oid = t.relnamespace
    where c.relkind in ('r', 'm') and n.nspname in ('public', 'jobs') group by 1 order by bytes desc limit 5`.execute(
      tx,
    )
  ).rows;

async function readAll(db: Db, pause: () => Promise<void>): Promise<DatabaseReading> {
  // The first query connects; its time says nothing of the database.
  await withSystem(db, (tx) => sql`select 1`.execute(tx));
  const sentAtMs = Date.now();
  const startedMs = performance.now();
  const theirsMs = await withSystem(db, databaseNowMs);
  const responseMs = performance.now() - startedMs;
  const clock = offsetOf({ sentAtMs, receivedAtMs: Date.now(), theirsMs });
  const read = await withSystem(db, async (tx) => ({
    ...(await readStoredFigures(tx)),
    version:
      (await sql<{ version: string }>`select current_setting('server_version') as version`.execute(tx)).rows[0]
        ?.version ?? '',
    venues: await readVenues(tx),
    tables: await readTables(tx),
  }));
  const firstMs = performance.now();
  await pause();
  const later = await withSystem(db, readStoredFigures).then(
    ({ storage }) => ({ storage, seconds: (performance.now() - firstMs) / 1000 }),
    () => undefined,
  );
  return { ...read, responseMs, clock, later };
}

const insufficientPrivilege = '42501';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reads what the database knows of all nodes. Only selects.
 * @param urls logins to try in turn: one that may not become `app_system` is skipped
 */
export async function readDatabase(
  urls: readonly string[],
  pause: () => Promise<void>,
): Promise<Result<DatabaseReading, string>> {
  let failure: string | undefined;
  for (const url of urls) {
    const database = openDatabase({ url, connectionsMax: 1, waitMsMax: 3000, onError: () => undefined });
    try {
      return ok(await readAll(database.db, pause));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      // Of several logins the first says why, unless it only lacks the right to change its role.
      const isRightMissing = cause instanceof Error && 'code' in cause && cause.code === insufficientPrivilege;
      if (!isRightMissing) failure ??= messageOf(cause);
    } finally {
      await database.close().catch(() => undefined);
    }
  }
  return failWith(failure ?? 'no login may become app_system');
}
