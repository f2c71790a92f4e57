import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import type { PaymentAnalyticsWire } from './contract.ts';
import { methods, type PaymentMethod } from './states.ts';

const MONTHS = 12;

interface Month {
  month: string;
  bought: number;
  scan: number;
  arbitrage: number;
  vision: number;
  plan: number;
}

/** Credits bought and used in each of the last months, from payments and ledger. */
async function readMonths(tx: UserTx): Promise<PaymentAnalyticsWire['months']> {
  const { rows } = await sql<Month>`
    with months as (
      select to_char(date_trunc('month', now() at time zone 'utc') - make_interval(months => n), 'YYYY-MM') as month
      from generate_series(0, ${MONTHS - 1}) n
    ), bought as (
      select to_char(created_at at time zone 'utc', 'YYYY-MM') as month, sum(credits)::int as credits from payment_events group by 1
    ), used as (
      select to_char(c.created_at at time zone 'utc', 'YYYY-MM') as month, c.reason, -sum(h.delta_credits)::int as credits
      from credit_ledger c join credit_ledger h on h.id = c.hold_id where c.kind = 'capture' group by 1, 2
    )
    select month, coalesce((select credits from bought b where b.month = m.month), 0) as bought,
      ${sql.join(
        (['scan', 'arbitrage', 'vision', 'plan'] as const).map(
          (reason) =>
            sql`coalesce((select credits from used u where u.month = m.month and u.reason = ${reason}), 0) as ${sql.ref(reason)}`,
        ),
      )}
    from months m order by month`.execute(tx);
  return rows.map(({ month, bought, ...used }) => ({
    month,
    bought,
    // 1 credit was 1 USD.
    spent_cents: bought * 100,
    used,
    used_total: used.scan + used.arbitrage + used.vision + used.plan,
  }));
}

async function readMethods(tx: UserTx): Promise<PaymentAnalyticsWire['methods']> {
  const { rows } = await sql<{
    method: PaymentMethod;
    started: number;
    completed: number;
    ended: number;
    medianS: number | null;
  }>`
    select method, count(*)::int as started, count(*) filter (where credits > 0)::int as completed,
      count(*) filter (where status <> 'PENDING')::int as ended,
      percentile_cont(0.5) within group (order by extract(epoch from credited_at - created_at)::float8)
        filter (where credited_at is not null) as "medianS"
    from payments group by method`.execute(tx);
  return methods.map((method) => {
    const row = rows.find((each) => each.method === method);
    return {
      method,
      started: row?.started ?? 0,
      completed: row?.completed ?? 0,
      success_rate: row === undefined || row.ended === 0 ? null : row.completed / row.ended,
      median_seconds_to_credit: row?.medianS ?? null,
    };
  });
}

export async function readPaymentAnalytics(tx: UserTx): Promise<PaymentAnalyticsWire> {
  const { rows } = await sql<{ bought: number; used: number }>`
    select (select coalesce(sum(credits), 0)::int from payment_events) as bought,
      (select coalesce(-sum(h.delta_credits), 0)::int from credit_ledger c join credit_ledger h on h.id = c.hold_id
       where c.kind = 'capture' and c.reason = any (array['scan', 'arbitrage', 'vision', 'plan'])) as used`.execute(tx);
  const { bought, used } = rows[0] ?? { bought: 0, used: 0 };
  return {
    months: await readMonths(tx),
    methods: await readMethods(tx),
    totals: { bought, spent_cents: bought * 100, used },
  };
}
