import { isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { parameterOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import type { OptimizeInput, TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import { csvText } from '@sextant/workers/src/core/csvCell.ts';
import { nextTask } from '../../../state/slices.ts';
import { candlesHead } from '../results/exportHead.ts';
import { exactJson, type Unit, withUnit } from '../results/exportUnits.ts';
import { parametersOf } from './searchDefinitions.ts';
import type { MinutesOfSearch, SearchRun } from './searchState.ts';

/** Meaning of each column, as text in the file. */
export const exportedFigures = {
  netPnl: 'net PnL of the search window, USDT',
  tradeCount: 'closed trades',
  winCount: 'trades with a gain',
  winRate: 'winCount / tradeCount, fraction',
  profitFactor: 'gains / losses',
  expectancy: 'net PnL per trade, USDT',
  closedDrawdownFraction: 'largest fall of realised equity, fraction',
  maxDrawdownFraction: 'largest fall of equity at every candle, fraction; only when ranked by a daily ratio',
  sharpe: 'Sharpe ratio of daily returns; only when ranked by a daily ratio',
  sortino: 'Sortino ratio of daily returns; only when ranked by a daily ratio',
  calmar: 'Calmar ratio; only when ranked by a daily ratio',
  value: 'what the search ranked by; empty for a set that does not meet the conditions of the target',
} as const satisfies Record<keyof TrialColumns, string>;

const figureUnits = {
  netPnl: 'USDT',
  tradeCount: null,
  winCount: null,
  winRate: 'fraction',
  profitFactor: 'ratio',
  expectancy: 'USDT',
  closedDrawdownFraction: 'fraction',
  maxDrawdownFraction: 'fraction',
  sharpe: 'ratio',
  sortino: 'ratio',
  calmar: 'ratio',
  value: null,
} as const satisfies Record<keyof TrialColumns, Unit>;

const kindUnits = {
  weight: '0 to 2',
  fraction: 'fraction',
  multiple: 'ATR',
  switch: '1 is on',
  number: '0 to 1',
} as const;
type Searched = Pick<OptimizeInput, 'rules'>;

function parameterColumns(input: Searched) {
  const isOwn = input.rules !== undefined && isOwnRules(input.rules.strategy);
  return parametersOf(input).map(({ id, name, parameter: { kind } }) => {
    const isWeight = kind === 'weight';
    if (isOwn) return { id, meaning: `${name}, as in the text of the rules`, unit: null };
    const unit = isWeight && input.rules !== undefined ? '-5 to 5' : kindUnits[kind];
    return { id: isWeight ? `weight.${id}` : id, meaning: `${name}${isWeight ? ' weight' : ''}, ${unit}`, unit };
  });
}

const exportedColumns = (input: Searched): Record<string, string> => ({
  set: 'number of the sample, or of the refined set',
  kind: 'sample or refined; sample 0 is the set that was on the sliders',
  ...exportedFigures,
  ...Object.fromEntries(parameterColumns(input).map(({ id, meaning }) => [id, meaning])),
});

/** The same columns for a spreadsheet, each with its unit. */
export const csvHeader = (input: Searched): readonly string[] => [
  'set',
  'kind',
  ...Object.entries(figureUnits).map(([name, unit]) => withUnit(name, unit)),
  ...parameterColumns(input).map(({ id, unit }) => withUnit(id, unit)),
];

type Cell = string | number | null;

/** Absent is absent: no figure, or not ranked. */
const known = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

function rowOf({ trials, input }: SearchRun, trial: number): Cell[] {
  const isSample = trial < trials.sampleCount;
  return [
    isSample ? trial : trial - trials.sampleCount,
    isSample ? 'sample' : 'refined',
    ...(Object.keys(figureUnits) as (keyof TrialColumns)[]).map((name) => known(trials.columns[name][trial])),
    ...parametersOf(input).map(({ parameter }) => known(parameterOf(trials.sets, trial, parameter))),
  ];
}

const ROWS_A_TURN = 4000;

/** Every set as text, some thousand at a time: two hundred thousand at once would freeze the page. */
async function inTurns(run: SearchRun, textOf: (rows: Cell[][], from: number) => string): Promise<string[]> {
  const { count } = run.trials;
  const parts: string[] = [];
  for (let from = 0; from < count; from += ROWS_A_TURN) {
    if (from > 0) await nextTask();
    const length = Math.min(ROWS_A_TURN, count - from);
    parts.push(
      textOf(
        Array.from({ length }, (_, i) => rowOf(run, from + i)),
        from,
      ),
    );
  }
  return parts;
}

export async function trialsCsv(run: SearchRun): Promise<Blob> {
  const parts = await inTurns(run, csvText);
  return new Blob([csvText([csvHeader(run.input)]), ...parts], { type: 'text/csv' });
}

/** Candles whose minutes every set had; repeating the search loads the same ones. */
const minutesHead = (minutes: MinutesOfSearch) =>
  minutes.kind === 'without'
    ? { candles: 0, without: minutes.why }
    : {
        candles: minutes.opens.length,
        absent: minutes.absentCount,
        beyond: minutes.beyondCount,
        problem: minutes.problem,
      };

/** The same rows, with the meaning of their columns and the inputs that reproduce the search. */
export async function trialsJson(run: SearchRun): Promise<Blob> {
  const { result, input, loaded, minutes } = run;
  const head = {
    ...candlesHead(loaded, input.scoredCount),
    searched: result.train,
    target: result.target,
    seed: result.seed,
    samples: input.samples,
    refine: input.refine !== false,
    best: result.best.origin,
    hashes: result.best.scored.hashes,
    minutes: minutesHead(minutes),
    // Of rules everything that the sets do not vary.
    ...(input.rules === undefined ? {} : { strategy: input.rules.strategy }),
    columns: exportedColumns(input),
  };
  const parts = await inTurns(run, (rows, from) => {
    const text = rows.map((row) => exactJson(row)).join(',\n');
    return from === 0 ? text : `,\n${text}`;
  });
  const opened = JSON.stringify(head, null, 1).slice(0, -2);
  return new Blob([opened, ',\n "trials": [\n', ...parts, '\n]}\n'], { type: 'application/json' });
}
