import { RESULT_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import { FRAME_LENGTH, frameSlot, RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '../../core/result.ts';
import type { Engine } from '../../engine/engine.ts';
import type { OptimizeInput, SearchedRules, Window } from '../../protocol/optimize.ts';
import type { RulesSweepInput } from '../../protocol/rules.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import { isRanged } from '../../rules/checked.ts';
import { exitsOf } from '../../rules/compileRules.ts';
import { type OwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';
import { pushAtr } from '../backtest.ts';
import { backtestStrategy } from '../backtestStrategy.ts';
import { inArena } from '../honesty/kernels.ts';
import { rulesInputOf } from '../ownRules/inputOfStrategy.ts';
import { type PushedSweep, pushSweep, reserveRoom, runSweep, type SweepRoom } from '../ownRules/sweep.ts';
import { writeExits } from '../rules.ts';
import { pushRulesMarket, type RulesMarket, runScored, scoreRules } from '../strategy/market.ts';
import { readUnknown, type SingleRun } from './market.ts';
import { type OwnSpace, ownSpaceOf, textValuesOf, unpackOwn } from './ownSpace.ts';
import { atOneSize, runRandomEntriesOn } from './rulesEvaluator.ts';
import { strategyInputOf } from './rulesSpace.ts';
import type { SetRun, TableCall, TableEvaluator } from './setEvaluator.ts';

/** Sets between two reports of progress, and of one call of the sweep. */
const CHUNK = 1000;
/** Sets of one call that writes equity. */
const EQUITY_CHUNK = 16;

/** Bytes of retained columns: a search runs on every thread of a pool, and the memory of an engine never shrinks. */
const BYTES_MAX = 48 * 2 ** 20;

interface OwnEvaluator extends TableEvaluator {
  /** Runs the text itself on a window: its leverage error applies to every set. */
  tryOwn: (window: Window) => TaskResult<null>;
}

type OwnSearched = SearchedRules & { strategy: Strategy & OwnRules };

/**
 * Prepares the sweep of a text's parameters. What depends on fewer of them is computed once and stays in the arena, so nothing below it may
 * be released until the task ends. @param input checked
 */
export function createOwnEvaluator(engine: Engine, input: OptimizeInput, rules: OwnSearched): TaskResult<OwnEvaluator> {
  const { strategy } = rules;
  const run = strategyInputOf(input, rules);
  const sweep = openSweep(engine, input, { ...run, strategy });
  if (!sweep.ok) return sweep;
  const count = input.candles.time.length;
  const firstDefined = Math.min(count, ruleSetOf(strategy).lookBack.base);
  const strategyOf = (set: Float64Array): Strategy => unpackOwn(set, strategy);
  const runOf = (one: Strategy, window: Window, isOneSize: boolean): TaskResult<SingleRun> =>
    onMarket(engine, { ...run, strategy: one }, (market) =>
      runScored(market, isOneSize ? atOneSize(one) : one, window),
    );
  return ok({
    count,
    firstDefined,
    chunk: CHUNK,
    runTable: (sets, call) => runTable(sweep.value, sets, call),
    runAlone: (set, window) => expectRun(runOf(strategyOf(set), window, true)),
    runOwnSize: (set, window) => expectRun(runOf(strategyOf(set), window, false)),
    runBest: (set, engineHash) => backtestStrategy(engine, engineHash, { ...run, strategy: strategyOf(set) }),
    unknownBars: () => readUnknown(engine, sweep.value.pushed.openBarsAt, count),
    firstDecision: () => firstDefined,
    runRandomEntries(set, window, entries) {
      const one = strategyOf(set);
      return onMarket(engine, { ...run, strategy: one }, (market) =>
        runRandomEntriesOn(market, atOneSize(one), window, entries),
      );
    },
    tryOwn(window) {
      const tried = runOf(strategy, window, false);
      return tried.ok ? ok(null) : tried;
    },
  });
}

/** On a market of its own with the signals of the text. */
function onMarket<T>(engine: Engine, input: StrategyInput, work: (market: RulesMarket) => T): T {
  return inArena(engine, () => {
    const market = pushRulesMarket(engine, input);
    scoreRules(market, {});
    return work(market);
  });
}

/** Whether the rules can be run was checked before the search. */
function expectRun(run: TaskResult<SingleRun>): SingleRun {
  if (!run.ok) throw new Error(run.error.message);
  return run.value;
}

interface OpenSweep {
  engine: Engine;
  strategy: Strategy & OwnRules;
  space: OwnSpace;
  pushed: PushedSweep;
  room: SweepRoom;
  /** Slots of the rules record that a set decides. */
  slots: number[];
  /** Room for the average true range of a set's own period; absent where all sets have one. */
  range?: { at: number; isOfLevels: boolean; isOfTrailing: boolean };
  equityAt: number;
  /** End of the arena after the last call. */
  top: number;
}

function openSweep(
  engine: Engine,
  { target, withUnknown }: OptimizeInput,
  run: StrategyInput & { strategy: Strategy & OwnRules },
): TaskResult<OpenSweep> {
  const { strategy } = run;
  const space = ownSpaceOf(strategy);
  const { slots, isPeriodVarying } = variedExits(strategy);
  let count = 0;
  const ranged = ruleSetOf(strategy).parameters.map((each) => (isRanged(each) ? count++ : -1));
  const input: RulesSweepInput = {
    ...rulesInputOf({ ...run, strategy: { ...atOneSize(strategy), rules: strategy.rules } }),
    valueParameters: ruleSetOf(strategy).program.valueParameters.map((p) => ranged[p] ?? -1),
    parameters: space.parameters.map(({ name }, p) => ({ name, values: space.lists[p] ?? [] })),
    target,
    varying: { slots, rows: new Float64Array() },
  };
  const pushed = pushSweep(engine, input, { withUnknown, bytesMax: BYTES_MAX });
  if (!pushed.ok) return pushed;
  const room = reserveRoom(pushed.value, CHUNK);
  const equityAt = engine.reserve(EQUITY_CHUNK * pushed.value.count);
  const shared = { engine, strategy, space, pushed: pushed.value, room, slots, equityAt };
  const range = isPeriodVarying
    ? {
        at: engine.reserve(pushed.value.count),
        isOfLevels: strategy.stop.mode === 'atr' || strategy.target.mode === 'atr',
        isOfTrailing: strategy.trailing.mode === 'atr',
      }
    : undefined;
  return ok({ ...shared, ...(range && { range }), top: engine.raw.arenaMark() });
}

/** The exits of a set at one size, as the slots of a rules record. */
function exitRecord(strategy: Strategy & OwnRules, set: ArrayLike<number>): { rules: Float64Array; period: number } {
  const exits = exitsOf(ruleSetOf(strategy), textValuesOf(set, strategy));
  const rules = new Float64Array(RULES_LENGTH);
  writeExits(rules, { ...exits, sizing: atOneSize(strategy).sizing });
  return { rules, period: exits.atrPeriod };
}

/** Numbers of exits are parameters, constants or products of them: one that depends on a parameter differs at an end of its range. */
function variedExits(strategy: Strategy & OwnRules): { slots: number[]; isPeriodVarying: boolean } {
  const { own, parameters } = ownSpaceOf(strategy);
  const first = exitRecord(strategy, own);
  const ends = parameters.flatMap(({ from, to }, p) =>
    [from, to].map((end) =>
      exitRecord(
        strategy,
        own.map((value, k) => (k === p ? end : value)),
      ),
    ),
  );
  const slots = [...first.rules.keys()].filter((slot) =>
    ends.some(({ rules }) => !Object.is(rules[slot], first.rules[slot])),
  );
  return { slots, isPeriodVarying: ends.some(({ period }) => period !== first.period) };
}

/** Results of sets, column after column, and their equity, set after set. */
function runTable(sweep: OpenSweep, sets: Float64Array, call: TableCall): SetRun {
  const { space, slots, range } = sweep;
  const length = space.parameters.length;
  const count = sets.length / length;
  const places = space.placesOf(sets);
  if (places.includes(-1)) throw new Error('a set has values that its ranges do not have');
  const { exits, periods } = exitsOfSets(sweep, sets, count);
  const bars = call.window.end - call.window.start;
  const run = {
    columns: new Float64Array(RESULT_LENGTH * count),
    equity: new Float64Array(call.withEquity ? bars * count : 0),
  };
  const most = call.withEquity ? EQUITY_CHUNK : CHUNK;
  for (const rows of groupsOf(count, periods)) {
    if (range !== undefined) writeRange(sweep, range, periods[rows[0] ?? 0] ?? Number.NaN);
    for (let from = 0; from < rows.length; from += most) {
      const some = rows.slice(from, from + most);
      runRows(sweep, call, {
        sets: pick(places, some, length),
        exits: pick(exits, some, slots.length),
        count: some.length,
      });
      readRows(sweep, some, run);
    }
  }
  return run;
}

/** What the sets decide about their exits: f64[count * slots], and the period of each where they have several. */
function exitsOfSets({ strategy, space, slots, range }: OpenSweep, sets: Float64Array, count: number) {
  const length = space.parameters.length;
  const exits = new Float64Array(slots.length * count);
  const periods = new Float64Array(range === undefined ? 0 : count);
  if (slots.length === 0 && range === undefined) return { exits, periods };
  for (let i = 0; i < count; i++) {
    const { rules, period } = exitRecord(strategy, sets.subarray(i * length, (i + 1) * length));
    slots.forEach((slot, k) => (exits[i * slots.length + k] = rules[slot] ?? Number.NaN));
    if (range !== undefined) periods[i] = period;
  }
  return { exits, periods };
}

/** Puts the results of the last call, and its equity where it has room, into the rows of its sets. */
function readRows({ engine, room, equityAt }: OpenSweep, rows: readonly number[], { columns, equity }: SetRun): void {
  const count = columns.length / RESULT_LENGTH;
  const results = engine.f64View(room.resultsAt, rows.length * RESULT_LENGTH);
  for (let field = 0; field < RESULT_LENGTH; field++)
    rows.forEach((row, k) => (columns[field * count + row] = results[field * rows.length + k] ?? Number.NaN));
  const bars = equity.length / count;
  if (bars > 0) rows.forEach((row, k) => equity.set(engine.f64View(equityAt + 8 * k * bars, bars), row * bars));
}

function runRows(
  sweep: OpenSweep,
  { window, target, withEquity }: TableCall,
  rows: { sets: Int32Array; exits: Float64Array; count: number },
): void {
  const { engine, pushed, room, equityAt } = sweep;
  if (engine.raw.arenaMark() < sweep.top) throw new Error('columns of the sweep were released');
  runSweep(pushed, room, { ...rows, window, target, ...(withEquity && { equityAt }) });
  sweep.top = engine.raw.arenaMark();
}

/** Sets by their period of the average true range, in the order in which each first comes; all of them where there is one period. */
function groupsOf(count: number, periods: Float64Array): number[][] {
  const all = Array.from({ length: count }, (_, i) => i);
  return periods.length === 0 ? [all] : [...Map.groupBy(all, (i) => periods[i]).values()];
}

function pick<T extends Int32Array | Float64Array>(table: T, rows: readonly number[], length: number): T {
  const picked = table.slice(0, rows.length * length) as T;
  rows.forEach((row, k) => picked.set(table.subarray(row * length, (row + 1) * length), k * length));
  return picked;
}

/** Gives the plain pass the average true range of a period. */
function writeRange({ engine, pushed }: OpenSweep, range: NonNullable<OpenSweep['range']>, period: number): void {
  const { columns, count, plainAt } = pushed;
  inArena(engine, () => {
    const rangeAt = pushAtr(engine, columns, count, period);
    engine.f64View(range.at, count).set(engine.f64View(rangeAt, count));
  });
  const frame = engine.i32View(plainAt, FRAME_LENGTH);
  if (range.isOfTrailing) frame[frameSlot.atr] = range.at;
  if (range.isOfLevels) frame[frameSlot.range] = range.at;
}
