import { sql } from 'kysely';
import { type Db, type SystemTx, type UserTx, withSystem, withUser } from '../../platform/db/scope.ts';
import type { Answer, Source } from './answer.ts';
import { type HelpMessageWire, RATINGS_MIN } from './contract.ts';

const SHOWN_MAX = 100;
const RETAINED_MAX = 200;

interface Row {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  written_by: Answer['writtenBy'] | null;
  sources: Source[];
  suggested: string[];
  created_at: Date;
  is_helpful: boolean | null;
}

const wireOf = ({ created_at: at, ...row }: Row): HelpMessageWire => ({ ...row, created_at: at.toISOString() });

export async function readMessages(tx: UserTx): Promise<HelpMessageWire[]> {
  const { rows } = await sql<Row>`
    select m.id, m.role, m.text, m.written_by, m.sources, m.suggested, m.created_at, r.is_helpful
    from help_messages m left join help_ratings r on r.message_id = m.id
    order by m.created_at desc, m.id limit ${SHOWN_MAX}`.execute(tx);
  return rows.reverse().map(wireOf);
}

/** Stores a question with its answer and deletes the oldest beyond the limit. */
export function keepExchange(db: Db, userId: string, question: string, answer: Answer): Promise<HelpMessageWire[]> {
  return withUser(db, userId, async (tx) => {
    const retained: Row[] = [];
    const keep = async (role: Row['role'], text: string, given?: Answer) => {
      const { rows } = await sql<Row>`
        insert into help_messages (user_id, role, text, written_by, sources, suggested)
        values (${userId}, ${role}, ${text}, ${given?.writtenBy ?? null}, ${JSON.stringify(given?.sources ?? [])}::jsonb,
          ${JSON.stringify(given?.suggested ?? [])}::jsonb)
        returning id, role, text, written_by, sources, suggested, created_at, null::boolean as is_helpful`.execute(tx);
      retained.push(...rows);
    };
    await keep('user', question);
    await keep('assistant', answer.text, answer);
    await sql`delete from help_messages where id in (
      select id from help_messages order by created_at desc offset ${RETAINED_MAX})`.execute(tx);
    return retained.map(wireOf);
  });
}

export async function clearMessages(tx: UserTx): Promise<void> {
  await tx.deleteFrom('help_messages').execute();
}

/** Fraction of answers rated helpful; null until there are enough ratings. */
export async function readRatings(
  tx: SystemTx,
): Promise<{ count: number; count_min: number; helpful_fraction: number | null }> {
  const { rows } = await sql<{ count: number; helpful: number }>`
    select count(*)::int as count, count(*) filter (where is_helpful)::int as helpful from help_ratings`.execute(tx);
  const { count, helpful } = rows[0] ?? { count: 0, helpful: 0 };
  return { count, count_min: RATINGS_MIN, helpful_fraction: count < RATINGS_MIN ? null : helpful / count };
}

/** Rates an answer in the user's chat; a second rating replaces the first. False when there is no such answer. */
export async function rateAnswer(
  db: Db,
  { userId, messageId, isHelpful }: { userId: string; messageId: string; isHelpful: boolean },
): Promise<boolean> {
  const own = await withUser(db, userId, (tx) =>
    tx.selectFrom('help_messages').select('id').where('id', '=', messageId).where('role', '=', 'assistant').execute(),
  );
  if (own.length === 0) return false;
  await withSystem(db, (tx) =>
    sql`insert into help_ratings (message_id, user_id, is_helpful) values (${messageId}, ${userId}, ${isHelpful})
      on conflict (message_id) do update set is_helpful = excluded.is_helpful, created_at = now()`.execute(tx),
  );
  return true;
}
