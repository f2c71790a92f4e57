import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { STATUS_BAD_PARAMETER } from '@sextant/engine-as/abi/status.ts';
import { ok } from '../../core/result.ts';
import { candleFields } from '../../candles/candleColumns.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Candles, MarkPrices } from '../../protocol/backtest.ts';
import type { RulesInput } from '../../protocol/rules.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { expectOk } from '../backtest.ts';
import { pushIntegers } from '../ensemble/timeframes.ts';
import { inArena } from '../honesty/kernels.ts';
import { clockColumns, type FundingCosts, fundingColumns } from './inputs.ts';

/** A program with the candles it reads, in the arena. */
export interface PushedProgram {
  engine: Engine;
  /** Columns of the base, as the backtest reads them: time first. */
  columns: number[];
  count: number;
  codeAt: number;
  instructions: number;
  valuesAt: number;
  valueCount: number;
  framesAt: number;
  frameCount: number;
  outputsAt: number;
  /** i8[count] each, of the values that ran last. */
  signalAt: number;
  exitsAt: number;
  /** f64[count], the same signal as a score. */
  scoreAt: number;
}

/** What a program reads. */
export interface ProgramInput extends Pick<RulesInput, 'candles' | 'context' | 'program' | 'interval'> {
  costs: FundingCosts;
  markPrices?: Pick<MarkPrices, 'open'>;
  /** -1, 0 or 1 at each candle; NaN where it is not known. */
  news?: ArrayLike<number>;
}

/** Bytes of an i8 column: the engine writes and reads whole vectors. */
const bytesOf = (count: number): number => (count + 15) & ~15;

export function pushProgram(engine: Engine, input: ProgramInput): PushedProgram {
  const { candles, context, program, interval } = input;
  const count = candles.time.length;
  const columns = candleFields.map((name) => engine.push(candles[name]));
  const rows = [
    ...frameRow(engine, candles, interval, columns, baseInputs(engine, input)),
    ...program.intervals.flatMap((longer, i) => {
      const series = context[i];
      if (series === undefined) throw new Error('one series per interval');
      return frameRow(
        engine,
        series,
        longer,
        candleFields.map((name) => engine.push(series[name])),
      );
    }),
  ];
  return {
    engine,
    columns,
    count,
    codeAt: pushIntegers(engine, program.code),
    instructions: program.code.length / abi.RULE_INSTRUCTION_LENGTH,
    valuesAt: engine.push(program.values),
    valueCount: program.values.length,
    framesAt: pushIntegers(engine, rows),
    frameCount: 1 + program.intervals.length,
    outputsAt: pushIntegers(engine, program.outputs),
    signalAt: engine.reserveBytes(bytesOf(count)),
    exitsAt: engine.reserveBytes(bytesOf(count)),
    scoreAt: engine.reserve(count),
  };
}

/** Addresses by input; 0 where there is nothing. */
type Inputs = Partial<Record<number, number>>;

function frameRow(engine: Engine, candles: Candles, interval: IntervalName, columns: number[], more: Inputs = {}) {
  const stepMs = intervalMs[interval];
  const { hour, weekday } = clockColumns(candles.time, stepMs);
  const inputs: Inputs = { ...more, [abi.RULE_HOUR]: engine.push(hour), [abi.RULE_WEEKDAY]: engine.push(weekday) };
  const after = Array.from({ length: abi.RULE_INPUT_COUNT - abi.RULE_MARK }, (_, k) => inputs[abi.RULE_MARK + k] ?? 0);
  return [candles.time.length, stepMs, ...columns, ...after];
}

function baseInputs(engine: Engine, { candles, interval, costs, markPrices, news }: ProgramInput): Inputs {
  const funding = fundingColumns(candles.time, intervalMs[interval], costs);
  return {
    ...(markPrices && { [abi.RULE_MARK]: engine.push(markPrices.open) }),
    ...(funding && {
      [abi.RULE_FUNDING]: engine.push(funding.rate),
      [abi.RULE_FUNDING_IN]: engine.push(funding.hours),
    }),
    ...(news && { [abi.RULE_NEWS]: engine.push(Float64Array.from(news)) }),
  };
}

/** Writes the signal, the exits and the score of every candle. */
export function runProgram(pushed: PushedProgram): TaskResult<null> {
  const { engine, count, signalAt, exitsAt, scoreAt } = pushed;
  const status = inArena(engine, () =>
    engine.raw.ruleSignals(
      pushed.codeAt,
      pushed.instructions,
      pushed.valuesAt,
      pushed.valueCount,
      pushed.framesAt,
      pushed.frameCount,
      pushed.outputsAt,
      signalAt,
      exitsAt,
    ),
  );
  if (status === STATUS_BAD_PARAMETER) return rejectProgram();
  expectOk(status);
  engine.f64View(scoreAt, count).set(engine.i8View(signalAt, count));
  return ok(null);
}

export const rejectProgram = (): TaskResult<never> =>
  fail('bad_input', 'program is none that the engine runs: compile the rules again', 'program');
