import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { STRATEGY_RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { ok } from '../core/result.ts';
import { candleFields } from '../candles/candleColumns.ts';
import type { Engine } from '../engine/engine.ts';
import type { BacktestResult } from '../protocol/backtest.ts';
import type { RulesInput } from '../protocol/rules.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import { readRun, simulateRules, type UnhashedRun, validateMarket, withHashes } from './backtest.ts';
import { codePointsOf, type DataSections, dataSections, modelSections, type Section } from './hashes.ts';
import { type PushedProgram, pushProgram, runProgram } from './ownRules/program.ts';
import { exitRulesOf, tierRows } from './rules.ts';
import { pushRanges } from './strategy/market.ts';
import { validateExits } from './strategy/validate.ts';
import { validateCandles } from './validateCandles.ts';
import { firstFailure } from './validateParams.ts';

/**
 * The backtest of own rules: signals and exits by the compiled program, then the simulation every backtest goes through. Its hashes cover
 * the program, its values and the exits, not the text.
 */
export function backtestRules(...of: Parameters<typeof unhashedRules>): TaskResult<BacktestResult> {
  const run = unhashedRules(...of);
  return run.ok ? ok(withHashes(run.value)) : run;
}

export function unhashedRules(
  engine: Engine,
  engineHash: string,
  input: RulesInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<UnhashedRun> {
  const valid = validateRulesInput(input);
  if (!valid.ok) return valid;
  onProgress?.({ done: 0, total: 2 });
  const pushed = pushProgram(engine, input);
  const ran = runProgram(pushed);
  if (!ran.ok) return ran;
  onProgress?.({ done: 1, total: 2 });
  const run = simulateProgram(pushed, input);
  if (!run.ok) return run;
  const params = rulesSections(input, run.value.rules);
  const sections = { engine: engineHash, data: rulesData(input), params };
  const result = readRun(engine, input, run.value, { scoreAt: pushed.scoreAt, sections });
  onProgress?.({ done: 2, total: 2 });
  return ok(result);
}

function simulateProgram({ engine, columns, scoreAt, exitsAt }: PushedProgram, input: RulesInput) {
  const { exits, costs, scoredCount, candles } = input;
  const rules = exitRulesOf(exits, costs, scoredCount);
  const ranges = pushRanges(engine, columns, exits, candles.time.length);
  return simulateRules(engine, input, { columns, scoreAt, rules, exitsAt, ...ranges });
}

export function validateRulesInput(input: RulesInput): TaskResult<null> {
  const { program, exits, context, candles, news, interval } = input;
  const bad = (field: string, text: string): TaskResult<null> => fail('bad_input', `${field} ${text}`, field);
  const expect = (isSo: boolean, field: string, text: string) => (): TaskResult<null> =>
    isSo ? ok(null) : bad(field, text);
  const { code, outputs, intervals } = program;
  const longer = intervals.length;
  return firstFailure([
    () => validateExits(exits, 'exits'),
    () => validateMarket(input),
    expect(code.length % abi.RULE_INSTRUCTION_LENGTH === 0, 'program.code', 'ends inside an instruction'),
    expect(outputs.length === abi.RULE_OUTPUT_COUNT, 'program.outputs', `holds ${outputs.length} operands`),
    expect(longer < abi.RULE_FRAMES_MAX, 'program.intervals', `holds more than ${abi.RULE_FRAMES_MAX - 1}`),
    expect(
      intervals.every((each) => intervalMs[each] > intervalMs[interval]),
      'program.intervals',
      `must be longer than ${interval}`,
    ),
    expect(context.length === longer, 'context', `holds ${context.length} series, needs ${longer}`),
    ...context.map((series, i) => () => validateCandles(series, 1, `context[${i}]`)),
    expect(
      news === undefined || news.length === candles.time.length,
      'news',
      `has ${news?.length} values for ${candles.time.length} candles`,
    ),
    expect(news === undefined || news.every((vote) => vote >= -1 && vote <= 1), 'news', 'must hold -1, 0 and 1'),
  ]);
}

/** Those of a backtest where there is one series and no news. */
function rulesData(input: RulesInput): DataSections {
  const { context, news } = input;
  const base = dataSections(input);
  if (context.length === 0 && news === undefined) return base;
  const columns = context.flatMap((series) => candleFields.map((name) => series[name]));
  return { ...base, context: [...columns, news] };
}

/** Everything of own rules and their costs that a run depends on. @param rules its record */
export function rulesSections({ program, exits, interval, costs }: RulesInput, rules: Float64Array): Section[] {
  return [
    codePointsOf('own rules'),
    rules.subarray(0, STRATEGY_RULES_LENGTH),
    [exits.atrPeriod],
    program.code,
    program.values,
    program.outputs,
    [interval, ...program.intervals].map((each) => intervalMs[each]),
    tierRows(costs.tiers ?? []),
    ...modelSections(costs),
  ];
}
