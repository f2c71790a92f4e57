import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import type { Credits } from './contract.ts';

const entriesShown = 20;

/** Balance, what is held of it, and the newest entries: one statement each, in the user's own transaction. */
export async function readCredits(tx: UserTx): Promise<Credits> {
  const { credits } = await tx.selectFrom('balances').select('credits').executeTakeFirstOrThrow();
  const { rows } = await sql<{ held: number }>`
    select coalesce(-sum(delta_credits), 0)::int as held from credit_ledger h
    where kind = 'hold' and not exists (select from credit_ledger s where s.hold_id = h.id)`.execute(tx);
  const entries = await tx
    .selectFrom('credit_ledger')
    .select(['id', 'created_at', 'kind', 'reason', 'delta_credits', 'ref', 'note'])
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(entriesShown)
    .execute();
  return {
    balance: credits,
    credits,
    held: rows[0]?.held ?? 0,
    entries: entries.map(({ created_at, kind, delta_credits, ...entry }) => ({
      ...entry,
      at: created_at.toISOString(),
      kind: kind as Credits['entries'][number]['kind'],
      credits: delta_credits,
    })),
  };
}
