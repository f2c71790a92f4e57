import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { repeat } from '../../platform/repeat.ts';
import { type PaidReason, release, REFUND_REASON } from './ledger.ts';

/** `unknown` until the first check, and when the last check failed. */
export type LedgerState = 'unknown' | 'ok' | 'broken';

interface Log {
  error: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

export interface LedgerWatch {
  state: () => LedgerState;
  /** Violations that the last check detected; undefined before the first check, and when the last one failed. */
  differenceCount: () => number | undefined;
  /** Runs a check now and returns all violations. */
  check: () => Promise<Violation[]>;
  /** Releases expired holds now. */
  sweep: () => Promise<number>;
  /** Checks every minute and sweeps every five seconds; the returned function stops both. */
  start: (log: Log) => () => void;
}

const checkMs = 60_000;
const sweepMs = 5000;

export function createLedgerWatch(db: Db, onExpired: OnExpired = {}): LedgerWatch {
  let state: LedgerState = 'unknown';
  let count: number | undefined;
  const check = async (): Promise<Violation[]> => {
    try {
      const matches = await findViolations(db);
      state = matches.length === 0 ? 'ok' : 'broken';
      count = matches.length;
      return matches;
    } catch (error) {
      // A broken ledger stays broken until a check passes.
      if (state === 'ok') state = 'unknown';
      if (state === 'unknown') count = undefined;
      throw error;
    }
  };
  const sweep = (): Promise<number> => expireHolds(db, onExpired);
  return {
    state: () => state,
    differenceCount: () => count,
    check,
    sweep,
    start: (log) => {
      const onError = (error: unknown): void => log.warn({ err: error }, 'the ledger was not checked');
      const checkAndLog = async (): Promise<void> => {
        const matches = await check();
        if (matches.length > 0)
          log.error({ violations: matches.slice(0, 20), count: matches.length }, 'the ledger is broken');
      };
      const stops = [repeat(checkMs, checkAndLog, onError), repeat(sweepMs, sweep, onError)];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** Further changes when a hold of this reason expires, in the same transaction. */
type OnExpired = Partial<Record<PaidReason, (tx: SystemTx, ref: string) => Promise<void>>>;

const perSweep = 200;

/** Releases holds of work that never ended, e.g. because its process was killed. Nodes may sweep concurrently. */
export async function expireHolds(db: Db, onExpired: OnExpired): Promise<number> {
  const { rows } = await withSystem(db, (tx) =>
    sql<{ id: string; reason: PaidReason; ref: string | null }>`
      select id, reason, ref from credit_ledger h
      where kind = 'hold' and expires_at <= now()
        and not exists (select from credit_ledger s where s.hold_id = h.id)
      order by expires_at limit ${perSweep}`.execute(tx),
  );
  const failures: unknown[] = [];
  for (const { id, reason, ref } of rows) {
    const giveBack = withSystem(db, async (tx) => {
      // Already settled, or released by the sweep of another node.
      const settlement = await release(tx, id, 'expired');
      if (settlement.isNew && ref !== null) await onExpired[reason]?.(tx, ref);
    });
    // A hold that cannot be released must not block the others; the next sweep tries it again.
    await giveBack.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${rows.length} holds not released`);
  return rows.length;
}

interface Violation {
  rule: string;
  userId: string;
  detail: string;
}

/** An expired hold counts as stuck when the sweep has not released it after this time. */
const sweepGraceS = 60;

/**
 * All invariants of the credits in one statement, so that they are checked on one snapshot. No rows means no violation. Tests run it
 * after each file that uses the app, the server every minute.
 */
const violations = sql<Violation>`
  with sums as (
    select user_id, sum(delta_credits) as credits from credit_ledger group by user_id
  ), settlements as (
    select s.*, h.kind as held_kind, h.user_id as held_user, h.delta_credits as held_delta
    from credit_ledger s join credit_ledger h on h.id = s.hold_id
  )
  select 'balance_is_not_the_sum' as rule, user_id as "userId",
    format('balance %s, ledger %s', b.credits, s.credits) as detail
  from balances b full join sums s using (user_id) where b.credits is distinct from coalesce(s.credits, 0)
  union all
  select 'balance_below_zero', user_id, credits::text from balances where credits < 0
  union all
  select 'user_without_balance', u.id, '' from users u left join balances b on b.user_id = u.id where b.user_id is null
  union all
  select 'hold_settled_twice', max(user_id::text)::uuid, hold_id::text
  from credit_ledger where hold_id is not null group by hold_id having count(*) > 1
  union all
  select 'settlement_does_not_fit_its_hold', user_id, id::text from settlements
  where held_kind <> 'hold' or held_user <> user_id or (kind = 'release' and delta_credits <> -held_delta)
  union all
  select 'hold_older_than_its_expiry', user_id, id::text from credit_ledger h
  where kind = 'hold' and expires_at < now() - make_interval(secs => ${sweepGraceS})
    and not exists (select from credit_ledger s where s.hold_id = h.id)
  union all
  select 'paid_without_a_result', user_id, hold_id::text from settlements c
  where kind = 'capture' and reason = 'scan'
    and not exists (select from scans where credit_ref = c.hold_id and user_id = c.user_id and status = 'done')
  union all
  select 'plan_without_payment', s.user_id, s.id::text from api_subscriptions s
  left join settlements c on c.hold_id = s.credit_ref and c.user_id = s.user_id and c.kind = 'capture' and c.reason = 'plan'
  where c.held_delta is distinct from -s.price_credits
  union all
  select 'payment_without_plan', user_id, hold_id::text from settlements c
  where kind = 'capture' and reason = 'plan' and not exists (select from api_subscriptions where credit_ref = c.hold_id)
  union all
  select 'result_without_payment', user_id, id::text from scans
  where status = 'done' and not exists (select from credit_ledger c where c.hold_id = credit_ref and c.kind = 'capture')
  union all
  select 'paid_without_a_result', user_id, hold_id::text from settlements c
  where kind = 'capture' and reason = 'arbitrage'
    and not exists (select from arbitrage_scans where credit_ref = c.hold_id and user_id = c.user_id and status = 'done')
  union all
  select 'result_without_payment', user_id, id::text from arbitrage_scans
  where status = 'done' and not exists (select from credit_ledger c where c.hold_id = credit_ref and c.kind = 'capture')
  union all
  -- The other way round does not hold: an analysis is deleted with the close of its position.
  select 'result_without_payment', user_id, id::text from vision_analyses
  where status = 'done' and not exists (select from credit_ledger c where c.hold_id = credit_ref and c.kind = 'capture')
  union all
  select 'payment_is_not_the_sum_of_its_events', p.user_id, p.id::text from payments p
  left join lateral (
    select coalesce(sum(credits) filter (where credits > 0), 0) as added, coalesce(-sum(credits) filter (where credits < 0), 0) as taken,
      (array_agg(status order by seq desc))[1] as status
    from payment_events e where e.payment_id = p.id) e on true
  where (p.credits, p.credits_refunded, p.status) is distinct from (e.added, e.taken, e.status)
  union all
  select 'payment_is_not_what_the_ledger_has', p.user_id, p.id::text from payments p
  left join (select ref, sum(delta_credits) as credits from credit_ledger where kind = 'grant' and reason = 'purchase' group by ref) l
    on l.ref = p.id::text
  where p.credits <> coalesce(l.credits, 0)
  union all
  select 'owed_is_not_what_refunds_left', b.user_id, b.owed_credits::text from balances b
  left join (select user_id, -sum(credits) as credits from payment_events where kind = 'refunded' group by user_id) r using (user_id)
  left join (select user_id, -sum(delta_credits) as credits from credit_ledger where reason = ${REFUND_REASON} group by user_id) t using (user_id)
  where b.owed_credits <> coalesce(r.credits, 0) - coalesce(t.credits, 0)`;

export async function findViolations(db: Db): Promise<Violation[]> {
  const { rows } = await withSystem(db, (tx) => violations.execute(tx));
  return rows;
}
