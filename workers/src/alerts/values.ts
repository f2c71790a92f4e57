import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { candlesOfSignal } from '../candles/strategyCandles.ts';
import { oneOf } from '../core/oneOf.ts';
import { failWith, ok, type Result } from '../core/result.ts';
import type { Engine } from '../engine/engine.ts';
import type { Candles } from '../protocol/backtest.ts';
import { readsOf } from '../rules/liveInputs.ts';
import type { RuleProblem } from '../rules/problems.ts';
import { strategyOfRules } from '../rules/strategyOfRules.ts';
import { rulesOfStrategy, timeframesOf } from '../signals/signalRules.ts';
import { ensemble } from '../tasks/ensemble.ts';
import { indicators } from '../tasks/indicators.ts';
import { candlesHash } from '../tasks/signalHashes.ts';
import { alertLimits, type ConditionOf, FORMULA_START, rulesOfFormula } from './conditions.ts';

/** Values of an indicator at the closes of the candles, NaN during warm-up; the message of an error names what to change. */
export function indicatorValues(
  engine: Engine,
  { indicator, params, output }: Pick<ConditionOf<'indicator'>, 'indicator' | 'params' | 'output'>,
  candles: Candles,
): Result<Float64Array, string> {
  const outcome = indicators(engine, { candles, requests: [{ id: indicator, as: 'value', params }] });
  engine.raw.arenaReset();
  if (!outcome.ok) return failWith(outcome.error.message);
  const outputs = outcome.value.series['value'] ?? {};
  const values = outputs[output];
  if (values === undefined) return failWith(`output must be ${oneOf(Object.keys(outputs))}`);
  return ok(values);
}

/** Hash of the candles that a value was computed from, the same in server and browser. */
export const hashOfCandles = candlesHash();

/** The strategy of a formula; the first problem as text when it is wrong. */
export function strategyOfFormula({
  expression,
  interval,
}: Pick<ConditionOf<'formula'>, 'expression' | 'interval'>): Result<Strategy, string> {
  const compiled = strategyOfRules(rulesOfFormula(expression), interval);
  if (!compiled.ok) return failWith(problemOf(compiled.error[0]));
  const { intervals } = compiled.value;
  if (intervals.length > 1) return failWith(`uses ${intervals[1]?.interval}; use only candles of ${interval}`);
  const { funding, mark } = readsOf(compiled.value);
  if (funding || mark) return failWith('reads funding or mark price; use candles and indicators');
  const count = candlesOfSignal(compiled.value, interval);
  const { formulaCandlesMax: most } = alertLimits;
  if (count > most)
    return failWith(`reads ${count} candles at each close; use shorter periods, for at most ${most} candles`);
  return ok(compiled.value);
}

/** The rules that the expression stands in are not the user's: positions count from its own start. */
function problemOf(problem: RuleProblem | undefined): string {
  if (problem === undefined) return 'is not valid';
  const column = problem.line === 1 ? Math.max(1, problem.column - FORMULA_START) : problem.column;
  return `column ${column}: ${problem.message}; ${problem.fix}`;
}

/** Candles that a formula is computed from. @throws Error on an expression that was not checked */
export function formulaCandles(condition: Pick<ConditionOf<'formula'>, 'expression' | 'interval'>): number {
  const strategy = strategyOfFormula(condition);
  if (!strategy.ok) throw new Error(strategy.error);
  return candlesOfSignal(strategy.value, condition.interval);
}

/** 1 where the expression holds at the close of the last candle, else 0. @throws Error on an expression that was not checked */
export function formulaValue(
  engine: Engine,
  condition: Pick<ConditionOf<'formula'>, 'expression' | 'interval'>,
  candles: Candles,
): number {
  const strategy = strategyOfFormula(condition);
  if (!strategy.ok) throw new Error(strategy.error);
  const { interval } = condition;
  const timeframes = timeframesOf([{ interval, stepMs: intervalMs[interval], candles }], strategy.value);
  engine.raw.arenaReset();
  const outcome = ensemble(engine, { ...rulesOfStrategy({ value: strategy.value, version: 'alert' }), timeframes });
  engine.raw.arenaReset();
  return outcome.ok && outcome.value.direction === 'LONG' ? 1 : 0;
}
