import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { settleOwed } from '../credits/ledger.ts';
import { creditsOf } from './decide.ts';
import type { PaymentProvider, TransferReport } from './port.ts';
import { applyReport } from './record.ts';
import { creditingKinds, type PaymentStatus, phaseOf, type ProviderName } from './states.ts';

export interface ReconcileDeps {
  db: Db;
  limiter: Pick<RateLimiter, 'hit' | 'forget'>;
  providers: readonly PaymentProvider[];
}

/** A payment is asked for so long: money may come days after an invoice ran out. */
const WATCHED_DAYS = 8;
const asksPerRound = 20;
const hourS = 3600;

/**
 * Asks for payments whose notification may be lost: every minute in their first hour, every hour after that. Nodes take turns, because
 * asking marks the row.
 */
export async function checkPayments({ db, providers }: Pick<ReconcileDeps, 'db' | 'providers'>): Promise<number> {
  let asked = 0;
  for (const provider of providers) {
    const { rows } = await withSystem(db, (tx) =>
      sql<{ transferId: string }>`
        update payments set checked_at = now() where id in (
          select id from payments
          where provider = ${provider.name} and provider_payment_id is not null and credits = 0 and status <> 'REFUNDED'
            and created_at > now() - make_interval(days => ${WATCHED_DAYS})
            and coalesce(checked_at, created_at) < now() - case when created_at > now() - interval '1 hour'
              then interval '1 minute' else interval '1 hour' end
          order by coalesce(checked_at, created_at) limit ${asksPerRound} for update skip locked)
        returning provider_payment_id as "transferId"`.execute(tx),
    );
    for (const { transferId } of rows) {
      asked++;
      const status = await provider.readStatus(transferId);
      if (status.ok) await withSystem(db, (tx) => applyReport(tx, status.value));
    }
  }
  return asked;
}

const since = (days: number): Date => new Date(Date.now() - days * 24 * hourS * 1000);

/** Whether this node does the work now: once in the window among all nodes. */
async function isMyTurn({ limiter }: ReconcileDeps, name: string, windowS: number): Promise<boolean> {
  return (await limiter.hit([{ key: `payments:${name}`, hitMax: 1, windowS }])) === undefined;
}

/** Brings every payment up to what the provider's list says, further transfers included. Once an hour. */
export async function reconcile(deps: ReconcileDeps): Promise<void> {
  if (!(await isMyTurn(deps, 'reconcile', hourS))) return;
  await heal(deps).catch(async (error: unknown) => {
    await deps.limiter.forget('payments:reconcile');
    throw error;
  });
}

/** @returns what the lists of the providers hold; undefined for a provider whose list cannot be read */
export async function heal({
  db,
  providers,
}: Pick<ReconcileDeps, 'db' | 'providers'>): Promise<(TransferReport[] | undefined)[]> {
  const lists: (TransferReport[] | undefined)[] = [];
  for (const provider of providers) {
    const listed = await provider.list(since(WATCHED_DAYS));
    lists.push(listed?.ok === true ? listed.value : undefined);
    if (listed?.ok !== true) continue;
    for (const report of listed.value) await withSystem(db, (tx) => applyReport(tx, report));
  }
  return lists;
}

/** What one provider says was paid, against what our ledger has of it. */
export interface Comparison {
  transferCount: number;
  providerCredits: number;
  ledgerCredits: number;
  /** Transfers whose credits differ. */
  differing: string[];
}

/** Compares once a day, after healing what can be healed. The result stands in `payment_comparisons`, where health reads it. */
export async function compareDaily(deps: ReconcileDeps): Promise<void> {
  if (!(await isMyTurn(deps, 'compare', 24 * hourS))) return;
  await compareAll(deps).catch(async (error: unknown) => {
    await deps.limiter.forget('payments:compare');
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

/** Credits of each transfer by our ledger, for the providers whose list was read. */
async function readBooked(db: Db, providers: readonly ProviderName[]): Promise<Booked[]> {
  const { rows } = await withSystem(db, (tx) =>
    sql<Booked>`
      select e.provider, e.provider_payment_id as transfer_id, sum(l.delta_credits)::int as credits
      from payment_events e
      join credit_ledger l on l.user_id = e.user_id and l.idempotency_key = 'payment:' || e.provider || ':' || e.idempotency_key
      join payments p on p.id = e.payment_id
      where e.kind = any (${[...creditingKinds]}) and e.provider = any (${[...providers]})
        and p.created_at > now() - make_interval(days => ${WATCHED_DAYS})
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
    (await readBooked(db, providers)).map((row) => [`${row.provider}:${row.transfer_id}`, row.credits]),
  );
  const expected = new Map<string, number>();
  for (const report of reports) {
    const credits = await expectedOf(db, report);
    if (credits > 0) expected.set(`${report.provider}:${report.transferId}`, credits);
  }
  const names = [...new Set([...expected.keys(), ...booked.keys()])];
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  return {
    transferCount: names.length,
    providerCredits: sum(expected.values()),
    ledgerCredits: sum(booked.values()),
    differing: names.filter((name) => (expected.get(name) ?? 0) !== (booked.get(name) ?? 0)),
  };
}

/** Credits a transfer should have brought. Orders that are not ours, or went with their account, are no difference. */
async function expectedOf(db: Db, report: TransferReport): Promise<number> {
  if (phaseOf(report.provider, report.word) === 'refunded') return 0;
  const payment = await withSystem(db, (tx) =>
    tx
      .selectFrom('payments')
      .selectAll()
      .where('provider', '=', report.provider)
      .where(
        'provider_order_id',
        '=',
        sql<string>`case when ${report.orderId ?? ''} ~ '^[0-9a-f-]{36}$' then ${report.orderId ?? ''}::uuid end`,
      )
      .executeTakeFirst(),
  );
  return payment === undefined ? 0 : creditsOf({ ...payment, status: payment.status as PaymentStatus }, report);
}

/** Whether the newest comparison found a difference; false before the first. */
export async function hasDifference(db: Db): Promise<boolean> {
  const row = await withSystem(db, (tx) =>
    tx.selectFrom('payment_comparisons').select('differing').orderBy('compared_at', 'desc').limit(1).executeTakeFirst(),
  );
  return (row?.differing.length ?? 0) > 0;
}

const debtsPerSweep = 200;

/** Takes what accounts owe from credits that came back to them, e.g. from a scan that was cancelled. */
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
