import type { BookTrailing, ChangedTrailing, LevelChange } from '@sextant/workers/src/positions/bookTypes.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { PositionRow } from './positionRow.ts';

/** Trailing as the columns of a position have it: percent, 0.5 is 0.5 %. A mode of null is off. */
export interface StoredTrailing {
  mode: 'percent' | 'atr' | null;
  callback_pct: number | null;
  step_pct: number | null;
  atr_mult: number | null;
  atr_period: number | null;
  activation_pct: number | null;
}

/** A change of the owner in `changes_pending`; absent fields are unchanged. */
export interface StoredChange {
  number: number;
  /** From when on it applies. */
  at: string;
  stop_loss?: number;
  take_profit?: number;
  /** Targets still ahead from then on; null: `take_profit` closes all of it. Set together with `take_profit`. */
  take_profits?: BookTarget[] | null;
  trailing?: StoredTrailing;
  /** With `trailing`: the price from which the stop trails. */
  peak?: number;
}

/** The changes that no judged candle has reached, oldest first. */
export const pendingOf = (row: Pick<PositionRow, 'changes_pending' | 'changes_applied'>): StoredChange[] =>
  ((row.changes_pending ?? []) as unknown as StoredChange[]).filter(({ number }) => number > row.changes_applied);

/** The row with the levels its owner set, also those that the watch has not reached; of a closed position those that applied to its end. */
export function withChanges(row: PositionRow): PositionRow {
  const endMs = row.closed_at?.getTime() ?? Infinity;
  let now = row;
  for (const { at, stop_loss: stop, take_profit: target, take_profits: targets, trailing, peak } of pendingOf(row)) {
    if (Date.parse(at) > endMs) break;
    now = {
      ...now,
      stop_loss: stop === undefined ? now.stop_loss : String(stop),
      take_profit: target === undefined ? now.take_profit : String(target),
      targets: targets === undefined ? now.targets : targets,
    };
    if (trailing !== undefined)
      now = { ...now, ...trailingColumns(trailing), trail_peak: String(peak ?? now.trail_peak) };
  }
  return now;
}

const trailingColumns = (trailing: StoredTrailing) => ({
  trailing_by_owner: true,
  trailing_enabled: trailing.mode !== null,
  trail_mode: trailing.mode,
  trail_callback_pct: trailing.callback_pct,
  trail_step_pct: trailing.step_pct,
  trail_atr_mult: trailing.atr_mult,
  trail_atr_period: trailing.atr_period,
  trail_activation_pct: trailing.activation_pct,
});

export const storedTrailing = (row: PositionRow): StoredTrailing => ({
  mode: row.trail_mode as StoredTrailing['mode'],
  callback_pct: row.trail_callback_pct,
  step_pct: row.trail_step_pct,
  atr_mult: row.trail_atr_mult,
  atr_period: row.trail_atr_period,
  activation_pct: row.trail_activation_pct,
});

/** How the watch trails by the stored columns. */
export function bookTrailing(trailing: StoredTrailing): BookTrailing {
  const activationFraction = (trailing.activation_pct ?? 0) / 100;
  if (trailing.mode === 'atr') return { mode: 'atr', atrMultiplier: trailing.atr_mult ?? 0, activationFraction };
  if (trailing.mode !== 'percent') return { mode: 'off' };
  // Stored in percent; 0.5 / 100 is the same f64 as the literal 0.005.
  return {
    mode: 'percent',
    callbackFraction: (trailing.callback_pct ?? 0) / 100,
    stepFraction: (trailing.step_pct ?? 0) / 100,
    activationFraction,
  };
}

/** The pending changes of a row as the watch applies them. */
export const bookChanges = (row: PositionRow): LevelChange[] =>
  pendingOf(row).map(({ number, at, stop_loss: stop, take_profit: target, take_profits: targets, trailing, peak }) => ({
    number,
    atMs: Date.parse(at),
    stopPrice: stop ?? null,
    targetPrice: target ?? null,
    ...(targets === undefined ? {} : { targets }),
    trailing: trailing === undefined ? null : changedTrailing(row, trailing, peak),
  }));

const changedTrailing = (row: PositionRow, trailing: StoredTrailing, peak: number | undefined): ChangedTrailing => ({
  trailing: bookTrailing(trailing),
  atr: trailing.mode === 'atr' ? { interval: row.interval, period: trailing.atr_period ?? 1 } : null,
  bestPrice: peak ?? Number(row.trail_peak),
});

/** A node that hangs in the middle of a change would stop the watch: PostgreSQL ends its transaction after this. */
const HANG_MS = 3000;

/**
 * Changes of owners and writes of the watch never overlap: the watch sees each change before it judges, and a change sees each close that
 * was decided before it. Held until the transaction ends. @param how owners share it, the watch has it alone
 */
export async function lockLevels(tx: SystemTx, how: 'owner' | 'watch'): Promise<void> {
  if (how === 'owner')
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(HANG_MS)}, true)`.execute(tx);
  const key = sql`hashtextextended('levels of positions', 0)`;
  await (
    how === 'watch' ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx);
}
