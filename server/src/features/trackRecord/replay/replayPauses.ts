import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';

/**
 * Pauses between the replays of an account. A start takes the whole pause, which a replay that is cancelled, or deleted with its strategy, shortens to its share of the work: so
 * an account gets at most one whole replay in each pause, however it starts, cancels, deletes and saves.
 */

/** Least time between two starts of an account. */
export const START_PAUSE_MS = 10 * MINUTE_MS;
/** Least pause after a replay that was cancelled once its first turn had started: the plan reads daily candles of the whole universe. */
export const LEAST_PAUSE_MS = MINUTE_MS;

interface Progress {
  hasHadTurn: boolean;
  /** Null before its plan is stored. */
  symbolsWanted: number | null;
  symbolsDone: number;
}

/** Pause from the start of a cancelled replay on, in milliseconds. A symbol that was being read counts. */
export function pauseOfCancelled({ hasHadTurn, symbolsWanted, symbolsDone }: Progress): number {
  if (!hasHadTurn) return 0;
  if (symbolsWanted === null || symbolsWanted === 0) return LEAST_PAUSE_MS;
  const share = Math.min(1, (symbolsDone + 1) / symbolsWanted);
  return Math.max(LEAST_PAUSE_MS, Math.ceil(share * START_PAUSE_MS));
}

/** Seconds until the account may start another replay; 0: now. */
export async function secondsToNextStart(tx: UserTx, market: MarketMode): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from ends_at - clock_timestamp()))::int as seconds
    from replay_pauses where market = ${market}`.execute(tx);
  return Math.max(0, rows[0]?.seconds ?? 0);
}

const momentAfter = (start: Date, ms: number) => sql<Date>`${start}::timestamptz + make_interval(secs => ${ms / 1000})`;

/** The whole pause, from the start of a replay on. */
export async function startPause(tx: UserTx, userId: string, market: MarketMode, start: Date): Promise<void> {
  const set = { started_at: start, ends_at: momentAfter(start, START_PAUSE_MS) };
  await tx
    .insertInto('replay_pauses')
    .values({ user_id: userId, market, ...set })
    .onConflict((conflict) => conflict.columns(['user_id', 'market']).doUpdateSet(set))
    .execute();
}

/** Shortens the pause of a replay that was cancelled, or deleted with its strategy. A later start keeps its own. */
export async function shortenPause(
  tx: UserTx | SystemTx,
  { userId, market, start, ...progress }: Progress & { userId: string; market: string; start: Date },
): Promise<void> {
  await tx
    .updateTable('replay_pauses')
    .set({ ends_at: momentAfter(start, pauseOfCancelled(progress)) })
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .where('started_at', '=', start)
    .execute();
}
