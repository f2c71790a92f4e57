import { AUTO_SCAN_MINUTES } from '@sextant/workers/src/core/limits.ts';
import type { MarketMode } from '../../../config.ts';
import { type RawBuilder, sql } from 'kysely';
import { notifyUser } from '../../../platform/events/notify.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { isLeaving } from '../../../platform/auth/leaving.ts';
import { inLedger } from '../../credits/ledger.ts';
import { ScanBody } from '../contract.ts';
import { paramsOf, queueScan } from '../startScan.ts';

export interface AwayDeps {
  db: Db;
  jobs: Jobs;
  config: { market: MarketMode };
  /** Reference time of the slots; the database's clock when absent. */
  clock?: () => RawBuilder<Date>;
}

/** In seconds. */
export const slotS = AUTO_SCAN_MINUTES * 60;
/** A user who scanned this recently is not away. A little less than a slot, so that slots do not drift. */
const recentS = slotS - 15;
const batchMax = 50;

interface Due {
  user_id: string;
  slot_at: Date;
}

/**
 * Starts the scan of each user with scans while away whose current slot has none yet. The slots of users start at different seconds, to
 * spread the load. Returns how many were started.
 */
export async function runAwayScans(deps: AwayDeps): Promise<number> {
  const now = (deps.clock ?? (() => sql<Date>`now()`))();
  const due = await withSystem(deps.db, (tx) => readDue(tx, now));
  let startedCount = 0;
  const failures: unknown[] = [];
  for (const each of due) {
    // A scan that cannot be started must not block those of other users.
    const isStarted = await startSlot(deps, each).catch((error: unknown) => void failures.push(error));
    if (isStarted === true) startedCount++;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} scans not started`);
  return startedCount;
}

async function readDue(tx: SystemTx, now: RawBuilder<Date>): Promise<Due[]> {
  const offset = sql`abs(hashtext(p.user_id::text)::bigint) % ${slotS}`;
  const slot = sql`to_timestamp(floor((extract(epoch from ${now}) - ${offset}) / ${slotS}) * ${slotS} + ${offset})`;
  const { rows } = await sql<Due>`
    select p.user_id, s.slot_at from preferences p cross join lateral (select ${slot} as slot_at) s
    where p.keep_scanning
      -- Accounts scheduled for deletion spend nothing and run no AI check.
      and not exists (select from deletion_requests d where d.user_id = p.user_id)
      and not exists (select from away_scans a where a.user_id = p.user_id and a.slot_at = s.slot_at)
      and not exists (select from scans c where c.user_id = p.user_id
        and c.created_at > ${now} - make_interval(secs => ${recentS}))
    order by s.slot_at limit ${batchMax}`.execute(tx);
  return rows;
}

/** Slot, hold, scan and job are created in one transaction: a server that dies leaves all of them or none. */
async function startSlot({ db, jobs, config }: AwayDeps, { user_id: userId, slot_at: slotAt }: Due): Promise<boolean> {
  const settled = await paramsOf({ db, config }, userId, ScanBody.parse({}));
  if (!settled.ok) {
    await stop(db, { userId, slotAt, reason: 'rules_invalid' });
    return false;
  }
  const params = settled.value;
  const started = await inLedger(db, async (tx) => {
    if (!(await isMine(tx, userId))) return false;
    // The list of due users is older than this transaction.
    if (await isLeaving(tx, userId)) return false;
    const taken = await tx
      .selectFrom('away_scans')
      .select('slot_at')
      .where('user_id', '=', userId)
      .where('slot_at', '=', slotAt)
      .executeTakeFirst();
    if (taken !== undefined) return false;
    const { id } = await queueScan(tx, jobs, { userId, params, key: `away:${slotAt.toISOString()}` });
    await tx.insertInto('away_scans').values({ user_id: userId, slot_at: slotAt, scan_id: id }).execute();
    await notifyUser(tx, userId, 'scan', { scan_id: id, status: 'queued', done: 0, total: 0 });
    return true;
  });
  if (started.ok) return started.value;
  if (noCredits.has(started.error.code)) await stop(db, { userId, slotAt, reason: 'insufficient_credits' });
  return false;
}

const noCredits = new Set(['insufficient_credits', 'credits_owed']);

/** Locks a user for one server; the others skip to the next user. The unique key of the slot prevents duplicates even without the lock. */
async function isMine(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`away ${userId}`}, 0)) as mine`.execute(tx);
  return rows[0]?.mine === true;
}

interface Stopped {
  userId: string;
  slotAt: Date;
  reason: 'insufficient_credits' | 'rules_invalid';
}

/** Without credits or rules that compile the setting is switched off: nothing is spent until the user switches it on again. */
const stop = (db: Db, { userId, slotAt, reason }: Stopped): Promise<void> =>
  withSystem(db, async (tx) => {
    await tx
      .insertInto('away_scans')
      .values({ user_id: userId, slot_at: slotAt, refused: reason })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`update preferences set keep_scanning = false, updated_at = now() where user_id = ${userId}`.execute(tx);
    await notifyUser(tx, userId, 'preferences');
    await notifyUser(tx, userId, 'scan', { scan_id: null, status: 'stopped', done: 0, total: 0 });
  });
