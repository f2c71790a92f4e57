import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestInput, BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput, OptimizeResult, TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { parameterOf, searchedParameters } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, testEngine } from '../../../../../workers/test/support/engine.ts';
import { market } from '../../../../../workers/test/support/markets.ts';
import type { Run } from '../../../../src/features/backtest/backtestState.ts';
import { csvCell, csvText } from '@sextant/workers/src/core/csvCell.ts';
import { exactJson, tradeUnits, withUnit } from '../../../../src/features/backtest/results/exportUnits.ts';
import { metricCells } from '../../../../src/features/backtest/results/MetricStrip.tsx';
import { resultsCsv, runJson, tradesCsv } from '../../../../src/features/backtest/results/ExportButtons.tsx';
import { csvHeader, trialsCsv, trialsJson } from '../../../../src/features/backtest/search/exportTrials.ts';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { joinTrials } from '../../../../src/features/backtest/search/trials.ts';
import { readCsv, readRecords } from '../../../support/readCsv.ts';
import { runOf, tradeOf } from '../../../support/runs.ts';

/** A run and a search of the engine itself, on the market of the engine's noise tests. */
let run: Run;
let search: SearchRun;

beforeAll(async () => {
  const engine = startEngine(await testEngine());
  const base = runOf({ label: 'noise.csv', source: 'csv' });
  const candles = market(1200, 30_000);
  const input: BacktestInput = { candles, params: base.params, costs: base.costs, scoredCount: 500 };
  const ran = runTask(engine, { name: 'backtest', input });
  const requested: OptimizeInput = {
    ...input,
    samples: 40,
    seed: 7,
    target: 'pnl',
    trainOn: 'earlier',
    refine: true,
    withSets: true,
  };
  const outcome = runTask(engine, { name: 'optimize', input: requested });
  if (!ran.ok || !outcome.ok) throw new Error('the engine failed');
  const loaded = { ...base.loaded, candles };
  run = { ...base, loaded, result: ran.value as BacktestResult };
  const result = outcome.value as SearchRun['result'] & OptimizeResult;
  search = {
    loaded,
    input: requested,
    result,
    trials: await joinTrials({ parts: [result], refined: [], last: result }),
    before: { trials: 0, looks: 0 },
    minutes: { kind: 'with', opens: [1, 2], absentCount: 0, beyondCount: 3, problem: null },
    ranOn: 'browser',
    tookMs: 1,
  };
}, engineTimeoutMs);

const sameBits = (text: string | undefined, value: number): boolean => Object.is(Number(text), value);

describe('the trades as CSV', () => {
  it('are those of the engine to the bit, each column with its unit', () => {
    const records = readRecords(tradesCsv(run.result.trades));
    expect(records.length).toBeGreaterThan(10);
    let total = 0;
    for (const [at, trade] of run.result.trades.entries()) {
      const record = records[at];
      total += trade.netPnl;
      expect(sameBits(record?.['cumulativeNetPnl (USDT)'], total)).toBe(true);
      expect(record?.['number']).toBe(String(at + 1));
      expect(Date.parse(record?.['entryTime (UTC)'] ?? '')).toBe(trade.entryTimeMs);
      for (const [name, value] of Object.entries(trade)) {
        const cell = record?.[withUnit(name, tradeUnits[name as keyof typeof tradeUnits])];
        if (typeof value === 'number') expect(sameBits(cell, value), `${name} of ${at}`).toBe(true);
        else expect(cell, `${name} of ${at}`).toBe(value === null ? '' : String(value));
      }
    }
  });

  it('hold what was worked out by hand', () => {
    // 10 coins from 100 to 104 win 40 USDT, less 1 of fees; 39 of a margin of 100. A second one that loses 9 leaves 30.
    const [record, second] = readRecords(tradesCsv([tradeOf(), tradeOf({ netPnl: -9 })]));
    expect(second).toMatchObject({ number: '2', 'netPnl (USDT)': '-9', 'cumulativeNetPnl (USDT)': '30' });
    expect(record).toMatchObject({
      number: '1',
      side: 'LONG',
      'entryTime (UTC)': '1970-01-01T10:00:00.000Z',
      'entryTimeMs (epoch ms)': '36000000',
      'entryPrice (USDT)': '100',
      'quantity (coins)': '10',
      'netPnl (USDT)': '39',
      'margin (USDT)': '100',
      'returnOnMargin (fraction)': '0.39',
      'isAmbiguous (true or false)': 'false',
      closeReason: 'TP',
    });
  });
});

describe('the results', () => {
  it('as CSV name the unit of contract rules and no unit for texts', () => {
    const costs = { ...run.costs, tickSize: 0.1, stepSize: 0.001, liquidationModel: 'okx' as const };
    const lines = readRecords(resultsCsv({ ...run, costs }));
    const unitOf = (name: string) => lines.find((line) => line['name'] === `costs.${name}`)?.['unit'];
    expect([unitOf('tickSize'), unitOf('stepSize'), unitOf('leverage')]).toEqual(['USDT', 'coins', 'ratio']);
    expect([unitOf('liquidationModel'), unitOf('takeProfitOrder')]).toEqual(['', '']);
  });

  it('as CSV are the figures of the page in full, with their units', () => {
    const lines = readRecords(resultsCsv(run));
    const of = (name: string) => lines.find((line) => line['name'] === name);
    const { summary, analysis, hashes } = run.result;
    expect(sameBits(of('netPnl')?.['value'], summary.netPnl)).toBe(true);
    expect(of('netPnl')?.['unit']).toBe('USDT');
    expect(of('costs.takerFeeFraction')).toEqual({ name: 'costs.takerFeeFraction', value: '0.0005', unit: 'fraction' });
    expect(of('params.slPct')).toEqual({ name: 'params.slPct', value: '0.02', unit: 'fraction' });
    expect(of('hash.result')?.['value']).toBe(hashes.result);
    const numbers = Object.entries({ ...summary, ...analysis }).filter((each) => typeof each[1] === 'number');
    expect(numbers.length).toBeGreaterThan(40);
    for (const [name, value] of numbers) {
      expect(sameBits(of(name)?.['value'], value as number), name).toBe(true);
      expect(of(name)?.['unit'], name).not.toBe('');
    }
    const shown = metricCells(run).find(({ definition }) => definition.name === 'Max drawdown');
    expect(shown?.value.startsWith((Number(of('maxDrawdownFraction')?.['value']) * 100).toFixed(2))).toBe(true);
  });

  it('of rules hold the strategy in place of parameters, each value with its unit', () => {
    const strategy = { ...liveRules(['1h', '4h']), weights: { rsi: -1.25 } };
    const ofRules = { ...run, strategy };
    const lines = readRecords(resultsCsv(ofRules));
    const of = (name: string) => lines.find((line) => line['name'] === name);
    expect(of('strategy.intervals.1.interval')).toMatchObject({ value: '4h', unit: '' });
    expect(of('strategy.intervals.1.weight')).toMatchObject({ value: '0.5', unit: 'ratio' });
    expect(of('strategy.weights.rsi')).toMatchObject({ value: '-1.25', unit: 'ratio' });
    expect(of('strategy.stop.multiple')).toMatchObject({ value: '2', unit: 'ratio' });
    expect(of('strategy.sizing.riskFraction')).toMatchObject({ value: '0.01', unit: 'fraction' });
    expect(lines.some(({ name = '' }) => name.startsWith('params.'))).toBe(false);
    const read = JSON.parse(runJson(ofRules)) as Record<string, unknown>;
    expect(read['strategy']).toEqual(strategy);
    expect(read).not.toHaveProperty('params');
  });

  it('as JSON are those of the engine to the bit and say every unit', () => {
    const read = JSON.parse(runJson(run)) as Record<string, unknown> & { units: Record<string, object> };
    const { summary, analysis, trades, equity, hashes } = run.result;
    expect(read).toMatchObject({ summary, analysis, trades, hashes });
    expect(read['equity']).toEqual(Array.from(equity));
    expect(Object.keys(read.units['summary'] ?? {}).sort()).toEqual(Object.keys(summary).sort());
    expect(Object.keys(read.units['analysis'] ?? {})).toEqual(expect.arrayContaining(Object.keys(analysis)));
    expect(Object.keys(read.units['trades'] ?? {}).sort()).toEqual(Object.keys(trades[0] ?? {}).sort());
  });
});

describe('all sets of a search', () => {
  it('as CSV are those of the engine to the bit, and a set that is not ranked or has no figure says nothing', async () => {
    const [header, ...rows] = readCsv(await (await trialsCsv(search)).text());
    expect(header).toEqual(csvHeader(search.input));
    expect(header?.slice(0, 6)).toEqual([
      'set',
      'kind',
      'netPnl (USDT)',
      'tradeCount',
      'winCount',
      'winRate (fraction)',
    ]);
    expect(header?.slice(-4)).toEqual([
      'takeProfit (fraction)',
      'trailing (1 is on)',
      'callback (fraction)',
      'trailStep (fraction)',
    ]);
    const { trials, result } = search;
    expect(rows).toHaveLength(trials.count);
    const names = Object.keys(result.trials) as (keyof TrialColumns)[];
    const columnOf = (name: string) =>
      csvHeader(search.input).findIndex((each) => each === name || each.startsWith(`${name} (`));
    for (const [trial, cells] of rows.entries()) {
      expect(cells.slice(0, 2)).toEqual(trial < 40 ? [String(trial), 'sample'] : [String(trial - 40), 'refined']);
      for (const name of names) {
        const value = trial < 40 ? result.trials[name][trial] : result.refined[name][trial - 40];
        const cell = cells[columnOf(name)];
        if (Number.isFinite(value)) expect(sameBits(cell, value as number), `${name} of ${trial}`).toBe(true);
        else expect(cell, `${name} of ${trial}`).toBe('');
      }
      for (const parameter of searchedParameters) {
        const id = parameter.kind === 'weight' ? `weight.${parameter.id}` : parameter.id;
        expect(sameBits(cells[columnOf(id)], parameterOf(trials.sets, trial, parameter)), id).toBe(true);
      }
    }
    expect(new Set(rows.map((cells) => cells[columnOf('sharpe')]))).toEqual(new Set(['']));
  });

  it('start with the set of the sliders, and hold the best set with the figures that ranked it', async () => {
    const rows = readRecords(await (await trialsCsv(search)).text());
    expect(rows[0]).toMatchObject({
      set: '0',
      kind: 'sample',
      'weight.rsi (0 to 2)': '1.5',
      'stopLoss (fraction)': '0.02',
    });
    const { origin, train, params } = search.result.best;
    const best = rows.find(({ set, kind }) => set === String(origin.index) && kind === origin.kind);
    expect(sameBits(best?.['netPnl (USDT)'], train.netPnl)).toBe(true);
    expect(sameBits(best?.['stopLoss (fraction)'], params.stopLossFraction)).toBe(true);
    const ranked = rows.map((row) => row['value']).filter((value) => value !== '');
    expect(Math.max(...ranked.map(Number))).toBe(train.netPnl);
  });

  it('as JSON are the same rows, with what it takes to make the search again', async () => {
    const json = JSON.parse(await (await trialsJson(search)).text()) as {
      columns: Record<string, string>;
      trials: (string | number | null)[][];
    };
    const [, ...rows] = readCsv(await (await trialsCsv(search)).text());
    expect(json.trials.map((row) => row.map(csvCell))).toEqual(rows);
    expect(Object.keys(json.columns)).toHaveLength(csvHeader(search.input).length);
    expect(json).toMatchObject({
      seed: 7,
      minutes: { candles: 2, absent: 0, beyond: 3, problem: null },
      samples: 40,
      refine: true,
      target: 'pnl',
      searched: { start: expect.any(Number) as number },
    });
  });
});

describe('any table', () => {
  /** True when a spreadsheet would run the cell, wherever it may split it. */
  const isRun = (cell: string): boolean => cell.split(/[;,|\t\r\n]/).some((part) => /^\s*[=+\-@]/.test(part));
  const text = fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', ';', ',', '\t', '"', '\n', '\r', '|', ' ', 'a', '1'),
  });

  it('reads back cell by cell: numbers to the bit, and no text is a formula', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.record({ text, number }), { minLength: 1 }), (rows) => {
        const read = readCsv(csvText(rows.map((row) => [row.text, row.number])));
        expect(read).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          const [name = '', value] = read[at] ?? [];
          expect(sameBits(value, row.number)).toBe(true);
          expect(isRun(name), JSON.stringify([row.text, name])).toBe(false);
          // Nothing but apostrophes was added.
          expect(name.replaceAll("'", '')).toBe(row.text);
        }
      }),
    );
  });

  it('as JSON reads back to the bit, a negative zero too', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(value, fc.constant(-0))), text, (numbers, name) => {
        const read = JSON.parse(exactJson({ name, numbers }, 1)) as { name: string; numbers: number[] };
        expect(read.name).toBe(name);
        expect(read.numbers.every((each, at) => Object.is(each, numbers[at]))).toBe(true);
      }),
    );
  });
});
