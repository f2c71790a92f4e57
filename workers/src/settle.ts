import type { BacktestResult, Candles, TaskResult } from './protocol.ts';
import { canSettle, minutesFor, type MinutesByBar, missingOpens, SETTLE_ROUNDS_MAX } from './minutes.ts';

export interface SettleOptions {
  /** The candles of the run. */
  candles: Candles;
  intervalMs: number;
  run: (fineCandles: Candles | undefined) => Promise<TaskResult<BacktestResult>>;
  /** The minutes of these candles, or a word why they cannot be had. */
  load: (opens: readonly number[]) => Promise<{ found: MinutesByBar } | { problem: string }>;
}

export interface SettledRun {
  result: TaskResult<BacktestResult>;
  /** What the last run was given. */
  fineCandles: Candles | undefined;
  /** Why some candles stayed open that minutes could have settled; null when none did. */
  problem: string | null;
}

/** Runs, loads the minutes it asks for, and runs again until it asks for no new ones. */
export async function settleRun({ run, load, ...market }: SettleOptions): Promise<SettledRun> {
  const known = new Map<number, Candles | null>();
  let fineCandles: Candles | undefined;
  for (let round = 0; ; round++) {
    const result = await run(fineCandles);
    if (!result.ok) return { result, fineCandles, problem: null };
    const missing = missingOpens(result.value, market, known);
    if (missing.length === 0 || round === SETTLE_ROUNDS_MAX) return { result, fineCandles, problem: null };
    const loaded = await load(missing);
    if ('problem' in loaded) return { result, fineCandles, problem: loaded.problem };
    for (const openMs of missing) known.set(openMs, loaded.found.get(openMs) ?? null);
    if (!canSettle(result.value, market, known)) return { result, fineCandles, problem: null };
    fineCandles = minutesFor(result.value, market, known);
  }
}
