import type { BacktestResult, Candles } from '../protocol/backtest.ts';
import type { TaskResult } from '../protocol/taskResult.ts';
import { canSettle, minutesFor, type MinutesByBar, missingOpens, SETTLE_ROUNDS_MAX } from './minutes.ts';

export interface SettleOptions {
  /** The candles of the run. */
  candles: Candles;
  intervalMs: number;
  run: (fineCandles: Candles | undefined) => Promise<TaskResult<BacktestResult>>;
  /** The minutes of these candles, as many as can be had. */
  load: (opens: readonly number[]) => Promise<LoadedMinutes>;
}

/** The result of loading minutes. */
export interface LoadedMinutes {
  found: MinutesByBar;
  /** Why requested candles are not in `found`. Null when the load was complete: the exchange does not have the missing ones. */
  problem: string | null;
}

/** Adds loaded minutes to the known ones. @param opens the requested candles */
export function knownWith(
  known: MinutesByBar,
  opens: readonly number[],
  { found, problem }: LoadedMinutes,
): Map<number, Candles | null> {
  const said = opens.filter((openMs) => problem === null || found.has(openMs));
  return new Map([...known, ...said.map((openMs) => [openMs, found.get(openMs) ?? null] as const)]);
}

export interface SettledRun {
  result: TaskResult<BacktestResult>;
  /** Minutes of the last run. */
  fineCandles: Candles | undefined;
  /** Why candles that minutes could have settled stayed open; null when none did. */
  problem: string | null;
}

/** Runs, loads the minutes that the run requests, and runs again until it requests no new ones. */
export async function settleRun({ run, load, ...market }: SettleOptions): Promise<SettledRun> {
  let known: MinutesByBar = new Map();
  let fineCandles: Candles | undefined;
  let problem: string | null = null;
  for (let round = 0; ; round++) {
    const result = await run(fineCandles);
    if (!result.ok) return { result, fineCandles, problem: null };
    const missing = missingOpens(result.value, market, known);
    if (missing.length === 0) return { result, fineCandles, problem: null };
    if (problem !== null || round === SETTLE_ROUNDS_MAX) return { result, fineCandles, problem };
    const loaded = await load(missing);
    problem = loaded.problem;
    known = knownWith(known, missing, loaded);
    if (!canSettle(result.value, market, known)) return { result, fineCandles, problem };
    fineCandles = minutesFor(result.value, market, known);
  }
}
