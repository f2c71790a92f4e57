import { sql } from 'kysely';
import { type Db, withUser, type UserTx } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { CreditsResponse, type Credits } from './contract.ts';

const entriesShown = 20;

/** Balance, held credits and the newest entries: one statement each, in the user's own transaction. */
async function readCredits(tx: UserTx): Promise<Credits> {
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

export interface CreditsDeps {
  db: Db;
}

export function creditsRoutes(app: App, { db }: CreditsDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/credits',
    {
      schema: {
        access: 'read:account',
        sandbox: { answer: { balance: 0, credits: 0, held: 0, entries: [] } },
        tags: ['Credits'],
        summary: 'Read your credits and ledger entries',
        response: { 200: CreditsResponse, ...problems('not_authenticated', 'database_unavailable') },
      },
    },
    (request) => withUser(db, request.user.id, readCredits),
  );
}
