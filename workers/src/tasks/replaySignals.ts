import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '../candles/candleColumns.ts';
import { ok } from '../core/result.ts';
import type { Engine } from '../engine/engine.ts';
import type { Candles } from '../protocol/backtest.ts';
import {
  endings,
  type ReplayedColumns,
  replayedFields,
  type ReplaySignalsInput,
  type ReplaySignalsResult,
} from '../protocol/replaySignals.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import { CANDLES_MAX, deadlineOf, outcomeOf, resolveSignal, type SignalOutcome } from '../signals/outcome.ts';
import { scoreAll, voteUnits } from './ensemble.ts';
import { atrSeries, signalOfScore } from './ensemble/signalOfScore.ts';
import { type PushedTimeframe, pushIntegers, pushParameters, pushRows, pushTimeframe } from './ensemble/timeframes.ts';
import { validateEnsemble } from './ensemble/validate.ts';
import { rejectDeadMarket } from './notTrading.ts';

export type Row = Record<keyof ReplayedColumns, number>;

/**
 * The signal that `signals` gives at each base candle of the series, and its outcome by the rule of the public record on the base candles
 * after it. Scores are columns of one run, so a candle has no effect on the signals before its close.
 */
export function replaySignals(
  engine: Engine,
  engineHash: string,
  input: ReplaySignalsInput,
): TaskResult<ReplaySignalsResult> {
  const { timeframes, fromIndex, universeDays, hasEnded = false } = input;
  const valid = validateEnsemble({ ...input.rules, timeframes });
  if (!valid.ok) return valid;
  const [first] = timeframes;
  if (first === undefined) throw new Error('validateEnsemble lets no empty list through');
  if (!(Number.isInteger(fromIndex) && fromIndex >= 0))
    return fail('bad_input', `fromIndex is ${fromIndex}, must be a whole number from 0 on`, 'fromIndex');
  const days = universeDays === undefined ? undefined : new Set(universeDays);
  const { candles, stepMs } = first;
  const signalAt = openSignals(engine, input);
  const rows: Row[] = [];
  let openCount = 0;
  for (let i = fromIndex; i < candles.time.length; i++) {
    // A signal of a candle that closes at midnight is of the new day.
    const day = Math.floor(((candles.time[i] ?? 0) + stepMs) / DAY_MS) * DAY_MS;
    if (days?.has(day) === false) continue;
    const signal = signalAt(i);
    if (signal === undefined) continue;
    const row = rowOver(signal, first, hasEnded, i);
    if (row === undefined) openCount += 1;
    else rows.push(row);
  }
  return ok({ signals: columnsOf(rows), openCount, engineHash });
}

/**
 * Undefined while the time of a signal is not over. As in the record, an early exit counts only then: early ones are stops more often than
 * the rest. The end of a contract is the end of the time of all its signals.
 */
function rowOver(
  signal: Levels,
  { candles, stepMs }: ReplaySignalsInput['timeframes'][number],
  hasEnded: boolean,
  i: number,
): Row | undefined {
  const deadlineMs = deadlineOf({ issuedAtMs: signal.closeAtMs, horizonMinutes: signal.horizonMinutes });
  const isCut = deadlineMs > (candles.time.at(-1) ?? 0) + stepMs;
  return isCut && !hasEnded ? undefined : resolvedRow(signal, candles, { stepMs, hasEnded: isCut }, i);
}

type Levels = Pick<
  Row,
  'closeAtMs' | 'side' | 'rawConfidence' | 'price' | 'stopLoss' | 'takeProfit' | 'horizonMinutes'
>;

/** Votes and scores of the whole series, once. The result gives the signal at a base candle; undefined where `signals` has none. */
function openSignals(engine: Engine, { timeframes, rules }: ReplaySignalsInput): (i: number) => Levels | undefined {
  const [first, ...others] = timeframes;
  if (first === undefined) throw new Error('validateEnsemble lets no empty list through');
  const parametersAt = pushParameters(engine, rules.parameters);
  const base = pushTimeframe(engine, { ...first, parametersAt }, new Map());
  const context = others.map((each) => pushTimeframe(engine, { ...each, parametersAt }, new Map(), base));
  const scores = scoresOf(engine, [base, ...context], { timeframes, rules });
  const atrs = atrSeries(engine, base, rules.atrPeriod ?? ATR_PERIOD);
  const { candles, stepMs } = first;
  const input = { ...rules, timeframes };
  return (i) => {
    const score = scores[i] ?? Number.NaN;
    if (!(Math.abs(score) >= rules.threshold)) return undefined;
    if (rejectDeadMarket(cut(candles, 0, i + 1), 'timeframes') !== undefined) return undefined;
    const price = candles.close[i] ?? Number.NaN;
    const mark = engine.raw.arenaMark();
    const { direction, levels, rawConfidence, horizonMinutes } = signalOfScore(engine, input, {
      score,
      atr: atrs[i] ?? Number.NaN,
      price,
    });
    engine.raw.arenaRelease(mark);
    if (direction === 'NEUTRAL' || levels === null || horizonMinutes === null) return undefined;
    const { stopLossPrice: stopLoss, takeProfitPrice: takeProfit } = levels;
    const closeAtMs = (candles.time[i] ?? Number.NaN) + stepMs;
    const side = direction === 'LONG' ? 1 : -1;
    return { closeAtMs, side, rawConfidence, price, stopLoss, takeProfit, horizonMinutes };
  };
}

export function scoresOf(
  engine: Engine,
  pushed: readonly [PushedTimeframe, ...PushedTimeframe[]],
  { timeframes, rules }: Pick<ReplaySignalsInput, 'timeframes' | 'rules'>,
): Float64Array {
  const weightsAt = pushIntegers(engine, voteUnits({ ...rules, timeframes }));
  const tenths = timeframes.map(({ weight }) => Math.round(weight * 10));
  const rowsAt = pushRows(engine, pushed, tenths);
  return scoreAll(engine, pushed[0], rowsAt, pushed.length, weightsAt).scores;
}

export const cut = (candles: Candles, from: number, until: number): Candles =>
  candlesOf((name) => candles[name].subarray(from, until));

interface Ending {
  stepMs: number;
  /** The contract ended before the time of the signal was over. */
  hasEnded: boolean;
}

function resolvedRow(signal: Levels, candles: Candles, { stepMs, hasEnded }: Ending, i: number): Row | undefined {
  const { closeAtMs: issuedAtMs, side, stopLoss, takeProfit, horizonMinutes } = signal;
  const levels = { direction: side > 0 ? ('LONG' as const) : ('SHORT' as const), stopLoss, takeProfit };
  const after = cut(candles, i + 1, i + 1 + CANDLES_MAX);
  const outcome =
    resolveSignal({ ...levels, issuedAtMs, horizonMinutes }, after, stepMs) ??
    (hasEnded ? settledOutcome(signal, candles, stepMs, i) : null);
  if (outcome === null) return undefined;
  return {
    ...signal,
    ending: endings.findIndex((each) => each === outcome.outcome),
    exitAtMs: outcome.exitAtMs,
    netFraction: outcome.netFraction,
    isAmbiguous: outcome.isAmbiguous ? 1 : 0,
  };
}

/** From the entry to the last close of a contract that has ended; null where a candle is missing on the way. */
export function settledOutcome(
  { side, price, closeAtMs }: Pick<Row, 'side' | 'price' | 'closeAtMs'>,
  { time, open, close }: Candles,
  stepMs: number,
  i: number,
): SignalOutcome | null {
  const last = time.length - 1;
  const exit = (exitPrice: number) => ({ outcome: 'DELISTED' as const, exitPrice, isAmbiguous: false });
  // No candle follows: it costs the fees.
  if (i === last) return outcomeOf(side, price, closeAtMs, exit(price));
  const isWhole = (time[last] ?? Number.NaN) - (time[i] ?? Number.NaN) === (last - i) * stepMs;
  return isWhole
    ? outcomeOf(side, open[i + 1] ?? Number.NaN, time[last] ?? Number.NaN, exit(close[last] ?? Number.NaN))
    : null;
}

export const columnsOf = (rows: readonly Row[]): ReplayedColumns =>
  Object.fromEntries(
    replayedFields.map((name) => [name, Float64Array.from(rows, (row) => row[name])]),
  ) as ReplayedColumns;
