import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { sql } from 'kysely';
import type { Verdict } from './verdict.ts';

/** Subject and author of a verdict. */
export interface VerdictKey {
  userId: string;
  inputHash: string;
  promptHash: string;
  model: string;
}

export async function readVerdict(tx: UserTx, key: VerdictKey): Promise<Verdict | undefined> {
  const row = await tx
    .selectFrom('ai_verdicts')
    .select('verdict')
    .where('user_id', '=', key.userId)
    .where('input_hash', '=', key.inputHash)
    .where('prompt_hash', '=', key.promptHash)
    .where('model', '=', key.model)
    .executeTakeFirst();
  return row?.verdict as Verdict | undefined;
}

/** Stores the first verdict. Later ones on the same input are ignored, so that users cannot repeat a check to pick the better verdict. */
export async function keepVerdict(tx: SystemTx, key: VerdictKey, verdict: Verdict): Promise<void> {
  await tx
    .insertInto('ai_verdicts')
    .values({ ...columns(key), verdict: JSON.stringify(verdict) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A user may spend a quarter of the daily cap, and at least the checks of one scan; the rest is reserved for other users. */
const shareOf = ({
  reservedMicrousd,
  dailyMicrousdMax,
}: {
  reservedMicrousd: number;
  dailyMicrousdMax: number;
}): number => Math.max(dailyMicrousdMax / 4, 10 * reservedMicrousd);

/**
 * Permission to send one request about this input (the first or its retry), booked against today's cap (UTC). Committed before the
 * request is sent: a crash in between costs a verdict, never a second payment.
 */
export async function reserveCall(
  tx: SystemTx,
  key: VerdictKey & { attempt: 1 | 2 },
  price: { reservedMicrousd: number; dailyMicrousdMax: number },
): Promise<'reserved' | 'asked_before' | 'cap_reached' | 'share_used'> {
  // Serialised across nodes: the sum below must not change between read and write.
  await sql`select pg_advisory_xact_lock(hashtext('ai_calls of a day'))`.execute(tx);
  const { spent, own } = await tx
    .selectFrom('ai_calls')
    .select(sql<number>`coalesce(sum(reserved_microusd), 0)::int8`.as('spent'))
    .select(sql<number>`coalesce(sum(reserved_microusd) filter (where user_id = ${key.userId}), 0)::int8`.as('own'))
    .where('created_at', '>=', sql<Date>`date_trunc('day', now(), 'UTC')`)
    .executeTakeFirstOrThrow();
  if (spent + price.reservedMicrousd > price.dailyMicrousdMax) return 'cap_reached';
  if (own + price.reservedMicrousd > shareOf(price)) return 'share_used';
  const inserted = await tx
    .insertInto('ai_calls')
    .values({ ...columns(key), attempt: key.attempt, reserved_microusd: price.reservedMicrousd })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined ? 'asked_before' : 'reserved';
}

const columns = ({ userId, inputHash, promptHash, model }: VerdictKey) => ({
  user_id: userId,
  input_hash: inputHash,
  prompt_hash: promptHash,
  model,
});
