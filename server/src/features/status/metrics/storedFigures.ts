import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';

export interface QueueRow {
  queue: string;
  waiting: number;
  running: number;
  /** Age of the oldest job that is due; null without one. */
  age_s: number | null;
}
export interface LeaderRow {
  name: string;
  epoch: number;
  node: string;
  is_led: boolean;
}
export interface StorageRow {
  /** Bytes of the database on disk. */
  size: number;
  /** Bytes of write-ahead log since the cluster was made; null on a standby. */
  wal: number | null;
  /** Used part of the queue of notices, 0 to 1: a listener that hangs fills it. */
  notice_queue: number;
  connections_max: number;
  /** Connections of the whole cluster by application; those of other logins, whose names are hidden, as `other`. */
  connections: Record<string, number>;
}

/** What a metric of the database shows, by one read. */
export interface StoredFigures {
  queues: QueueRow[];
  leaders: LeaderRow[];
  storage: StorageRow;
}

const readQueues = async (tx: SystemTx): Promise<QueueRow[]> =>
  (
    await sql<QueueRow>`
    select name as queue, count(*) filter (where state < 'active')::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::float8 as age_s
    from jobs.job where state < 'completed' group by name
    union all
    select 'email', count(*)::int, 0, extract(epoch from now() - min(created_at))::float8 from mails
    union all
    select 'delivery', count(*)::int, 0,
      extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now()))::float8
    from notification_deliveries where state = 'waiting'`.execute(tx)
  ).rows;

const readLeaders = async (tx: SystemTx): Promise<LeaderRow[]> =>
  (
    await sql<LeaderRow>`
    select name, epoch, node, expires_at > clock_timestamp() as is_led from leaderships order by name`.execute(tx)
  ).rows;

async function readStorage(tx: SystemTx): Promise<StorageRow> {
  const { rows } = await sql<StorageRow>`
    select pg_database_size(current_database())::float8 as size,
      case when pg_is_in_recovery() then null else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as wal,
      pg_notification_queue_usage() as notice_queue,
      current_setting('max_connections')::int as connections_max,
      (select coalesce(jsonb_object_agg(name, n), '{}') from (
        select coalesce(nullif(application_name, ''), 'other') as name, count(*) as n
        from pg_stat_activity where datid is not null group by 1) by_name) as connections`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no figures');
  return row;
}

export const readStoredFigures = async (tx: SystemTx): Promise<StoredFigures> => ({
  queues: await readQueues(tx),
  leaders: await readLeaders(tx),
  storage: await readStorage(tx),
});
