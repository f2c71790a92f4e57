import { csvCell } from '@sextant/workers/src/core/csvCell.ts';
import { type NotNull, sql } from 'kysely';
import type { Seller } from '../../config.ts';
import { type Db, type UserTx, withSystem } from '../../platform/db/scope.ts';
import { methodNameOf } from './coins.ts';
import type { ReceiptWire } from './contract.ts';
import type { PaymentMethod } from './states.ts';

const perSweep = 200;

/**
 * Issues a receipt for every event that added or took back credits and has none. Numbers have no gaps within a year: transactions are
 * serialised, and a failed one returns its numbers.
 * @returns number of issued receipts
 */
export function issueReceipts(db: Db, seller: Seller): Promise<number> {
  const details = JSON.stringify({ name: seller.name, address: seller.address, tax_id: seller.taxId });
  return withSystem(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('receipts', 0))`.execute(tx);
    const { rows } = await sql<{ id: string }>`
      with due as (
        select e.*, p.provider_order_id, p.method, row_number() over (order by e.seq)::int as place,
          extract(year from now() at time zone 'utc')::int as year
        from payment_events e join payments p on p.id = e.payment_id
        where e.credits <> 0 and not exists (select from receipts r where r.event_id = e.id)
        order by e.seq limit ${perSweep}
      ), counted as (
        insert into receipt_counters as c (year, last_number) select year, count(*)::int from due group by year
        on conflict (year) do update set last_number = c.last_number + excluded.last_number
        returning year, last_number
      )
      insert into receipts (user_id, event_id, year, number, provider_order_id, provider_payment_id, method, credits, amount_cents, seller)
      select user_id, due.id, due.year, last_number - (select count(*)::int from due) + place, provider_order_id, provider_payment_id,
        method, credits, credits * 100, ${details}::jsonb
      from due join counted using (year) returning id`.execute(tx);
    return rows.length;
  });
}

// Row-level security returns the user's receipts only: those of a deleted account, without an order, belong to no user.
const readRows = (tx: UserTx) => tx.selectFrom('receipts').selectAll().$narrowType<{ provider_order_id: NotNull }>();
type Row = Awaited<ReturnType<ReturnType<typeof readRows>['executeTakeFirstOrThrow']>>;

const toWire = (row: Row): ReceiptWire => ({
  id: row.id,
  number: `${row.year}-${String(row.number).padStart(6, '0')}`,
  year: row.year,
  issued_at: row.created_at.toISOString(),
  order_id: row.provider_order_id,
  payment_id: row.provider_payment_id,
  method: row.method as PaymentMethod,
  method_name: methodNameOf(row.method as PaymentMethod),
  credits: row.credits,
  amount_cents: row.amount_cents,
  seller: row.seller as ReceiptWire['seller'],
});

export async function readReceipt(tx: UserTx, id: string): Promise<ReceiptWire | null> {
  const row = await readRows(tx).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toWire(row);
}

/** Newest first; of one year, or all. */
export async function readReceipts(tx: UserTx, year: number | undefined): Promise<ReceiptWire[]> {
  const all = readRows(tx).orderBy('year', 'desc').orderBy('number', 'desc');
  const rows = await (year === undefined ? all : all.where('year', '=', year)).execute();
  return rows.map(toWire);
}

export async function readReceiptYears(tx: UserTx): Promise<number[]> {
  const rows = await tx.selectFrom('receipts').select('year').distinct().orderBy('year', 'desc').execute();
  return rows.map(({ year }) => year);
}

/** The amount of a receipt in US dollars, for its PDF and the file of the year. */
export const usdOf = ({ amount_cents: cents }: Pick<ReceiptWire, 'amount_cents'>): string => (cents / 100).toFixed(2);

const columns = ['number', 'issued_at', 'order_id', 'payment_id', 'method', 'credits', 'amount_usd', 'seller'];

/** The receipts of a year as CSV (RFC 4180), oldest first. */
export function toCsv(receipts: readonly ReceiptWire[]): string {
  const lines = receipts.toReversed().map((receipt) => {
    const texts = [receipt.number, receipt.issued_at, receipt.order_id, receipt.payment_id, receipt.method];
    const figures = [String(receipt.credits), usdOf(receipt)];
    return [...texts.map(csvCell), ...figures, csvCell(receipt.seller.name)].join(',');
  });
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
