import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { settleOwed } from '../credits/ledger.ts';
import { creditsOf } from './decideTransfer.ts';
import type { PaymentProvider, TransferReport } from './port.ts';
import { applyReport, findReported } from './record.ts';
import { creditingKinds, type PaymentStatus, phaseOf, type ProviderName } from './states.ts';

export interface ReconcileDeps {
  db: Db;
  limiter: Pick<RateLimiter, 'hit' | 'forget'>;
  providers: readonly PaymentProvider[];
}

/** Days a payment is polled: money may come days after an invoice expired. */
const WATCHED_DAYS = 8;
/** Days of the comparison: shorter than the provider's list, so that the clocks of both sides may differ. */
const COMPARED_DAYS = WATCHED_DAYS - 1;
const requestsPerRound = 20;
const hourS = 3600;

/** Applies reports. A report that fails does not block the others; the first failure is thrown at the end. */
async function applyAll(db: Db, reports: readonly TransferReport[]): Promise<void> {
  const failures: unknown[] = [];
  for (const report of reports) {
    await withSystem(db, (tx) => applyReport(tx, report)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${reports.length} reports of payments were not applied`, {
      cause: failures[0],
    });
}

/**
 * Polls payments whose notification may be lost: every minute in their first hour, every hour after that; every six hours once they
 * are paid in full, because a refund may follow. Each poll marks the row, so that nodes do not poll the same payment.
 */
export async function checkPayments({ db, providers }: Pick<ReconcileDeps, 'db' | 'providers'>): Promise<number> {
  let requestCount = 0;
  const reported: TransferReport[] = [];
  for (const provider of providers) {
    const { rows } = await withSystem(db, (tx) =>
      sql<{ transferId: string }>`
        update payments set checked_at = now() where id in (
          select id from payments
          where provider = ${provider.name} and provider_payment_id is not null and status <> 'REFUNDED'
            and created_at > now() - make_interval(days => ${WATCHED_DAYS})
            and coalesce(checked_at, created_at) < now() - case when credits >= tokens then interval '6 hours'
              when created_at > now() - interval '1 hour' then interval '1 minute' else interval '1 hour' end
          order by coalesce(checked_at, created_at) limit ${requestsPerRound} for update skip locked)
        returning provider_payment_id as "transferId"`.execute(tx),
    );
    for (const { transferId } of rows) {
      requestCount++;
      const status = await provider.readStatus(transferId);
      if (status.ok) reported.push(status.value);
    }
  }
  await applyAll(db, reported);
  return requestCount;
}

const since = (days: number): Date => new Date(Date.now() - days * 24 * hourS * 1000);

/** Minimum interval between retries after a failure. */
const retryS = 300;

/** Whether this node does the work now: once per window among all nodes. */
async function isMyTurn({ limiter }: ReconcileDeps, name: string, windowS: number): Promise<boolean> {
  const isTryDue = (await limiter.hit([{ key: `payments:${name}:try`, hitMax: 1, windowS: retryS }])) === undefined;
  return isTryDue && (await limiter.hit([{ key: `payments:${name}`, hitMax: 1, windowS }])) === undefined;
}

/** Updates every payment from the provider's list, including further transfers. Once an hour. */
export async function reconcile(deps: ReconcileDeps): Promise<void> {
  if (!(await isMyTurn(deps, 'reconcile', hourS))) return;
  await heal(deps).catch(async (error: unknown) => {
    await deps.limiter.forget('payments:reconcile');
    throw error;
  });
}

/**
 * @returns the lists of the providers; undefined for a provider whose list this installation cannot access
 * @throws when a list cannot be read now, or a report in one cannot be applied; all others are applied then
 */
export async function heal({
  db,
  providers,
}: Pick<ReconcileDeps, 'db' | 'providers'>): Promise<(TransferReport[] | undefined)[]> {
  const lists = await Promise.all(providers.map((provider) => provider.list(since(WATCHED_DAYS))));
  await applyAll(
    db,
    lists.flatMap((listed) => (listed?.ok === true ? listed.value : [])),
  );
  return lists.map((listed, at) => {
    if (listed?.ok === false)
      throw new Error(`the list of ${providers[at]?.name ?? ''} was not read: ${listed.error.message}`);
    return listed?.value;
  });
}

/** Comparison of one provider's list with our ledger. */
export interface Comparison {
  transferCount: number;
  providerCredits: number;
  ledgerCredits: number;
  /** Transfers whose credits differ. */
  differing: string[];
}

/**
 * Compares once a day, and every hour while there is a difference, after applying the lists. The result is stored in `payment_comparisons`, where health reads it. Without the list
 * of a provider nothing is compared, so that an earlier difference stays visible.
 */
export async function compareDaily(deps: ReconcileDeps): Promise<void> {
  // A difference that was corrected is no difference an hour later.
  const doDiffer = await hasDifference(deps.db);
  const turn = doDiffer ? 'compareAgain' : 'compare';
  if (!(await isMyTurn(deps, turn, doDiffer ? hourS : 24 * hourS))) return;
  await compareAll(deps).catch(async (error: unknown) => {
    await deps.limiter.forget(`payments:${turn}`);
    throw error;
  });
}

export async function compareAll(deps: Pick<ReconcileDeps, 'db' | 'providers'>): Promise<Comparison> {
  const lists = await heal(deps);
  const reports = lists.flatMap((list) => list ?? []);
  const read = deps.providers.filter((_, at) => lists[at] !== undefined).map(({ name }) => name);
  const comparison = await compare(deps.db, reports, read);
  await withSystem(deps.db, (tx) =>
    tx
      .insertInto('payment_comparisons')
      .values({
        transfer_count: comparison.transferCount,
        provider_credits: comparison.providerCredits,
        ledger_credits: comparison.ledgerCredits,
        differing: comparison.differing.slice(0, 100),
      })
      .execute(),
  );
  return comparison;
}

interface Booked {
  provider: ProviderName;
  transfer_id: string;
  credits: number;
}

/** Credits of each transfer by our ledger, for the providers whose list was read: the recent ones, and those in the list. */
async function readBooked(
  db: Db,
  providers: readonly ProviderName[],
  listed: readonly TransferReport[],
): Promise<Booked[]> {
  const { rows } = await withSystem(db, (tx) =>
    sql<Booked>`
      select e.provider, e.provider_payment_id as transfer_id, sum(l.delta_credits)::int as credits
      from payment_events e
      join credit_ledger l on l.user_id = e.user_id and l.idempotency_key = 'payment:' || e.provider || ':' || e.idempotency_key
      join payments p on p.id = e.payment_id
      where e.kind = any (${[...creditingKinds]}) and e.provider = any (${[...providers]})
        and (p.created_at > now() - make_interval(days => ${COMPARED_DAYS})
          or e.provider_payment_id = any (${listed.map(({ transferId }) => transferId)}))
        and not exists (select from payment_events r where r.provider = e.provider
          and r.provider_payment_id = e.provider_payment_id and r.kind = 'refunded')
      group by e.provider, e.provider_payment_id`.execute(tx),
  );
  return rows;
}

async function compare(
  db: Db,
  reports: readonly TransferReport[],
  providers: readonly ProviderName[],
): Promise<Comparison> {
  const booked = new Map(
    (await readBooked(db, providers, reports)).map((row) => [`${row.provider}:${row.transfer_id}`, row.credits]),
  );
  const expected = await readExpected(db, reports);
  const names = [...new Set([...expected.keys(), ...booked.keys()])];
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  return {
    transferCount: names.length,
    providerCredits: sum(expected.values()),
    ledgerCredits: sum(booked.values()),
    differing: names.filter((name) => (expected.get(name) ?? 0) !== (booked.get(name) ?? 0)),
  };
}

/** Expected credits of each transfer. Orders that are not ours, or were deleted with their account, are no difference. */
function readExpected(db: Db, reports: readonly TransferReport[]): Promise<Map<string, number>> {
  return withSystem(db, async (tx) => {
    const expected = new Map<string, number>();
    for (const report of reports) {
      if (phaseOf(report.provider, report.word) === 'refunded') continue;
      const payment = await findReported(tx, report);
      if (payment === undefined) continue;
      const credits = creditsOf({ ...payment, status: payment.status as PaymentStatus }, report);
      if (credits > 0) expected.set(`${report.provider}:${report.transferId}`, credits);
    }
    return expected;
  });
}

/** Whether the newest comparison found a difference; false before the first. */
export async function hasDifference(db: Db): Promise<boolean> {
  const row = await withSystem(db, (tx) =>
    tx.selectFrom('payment_comparisons').select('differing').orderBy('compared_at', 'desc').limit(1).executeTakeFirst(),
  );
  return (row?.differing.length ?? 0) > 0;
}

const debtsPerSweep = 200;

/** Collects the debts of accounts from credits that returned to them, e.g. from a cancelled scan. */
export async function settleDebts(db: Db): Promise<void> {
  const due = await withSystem(db, (tx) =>
    tx
      .selectFrom('balances')
      .select('user_id')
      .where('owed_credits', '>', 0)
      .where('credits', '>', 0)
      .limit(debtsPerSweep)
      .execute(),
  );
  for (const { user_id: userId } of due) await withSystem(db, (tx) => settleOwed(tx, userId, 'owed'));
}
