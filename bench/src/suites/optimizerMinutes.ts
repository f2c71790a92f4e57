import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { pushMarket, runSingle } from '@sextant/workers/src/tasks/optimize/market.ts';
import { standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { BenchCase } from '../suite.ts';
import { costsOf, denseSpace, drawSets, inputOf } from './optimizerData.ts';

const SETS = 25;
const MINUTE_MS = 60_000;

/**
 * What minutes cost a set: the sets of the product's ranges on candles with all their minutes against the same candles without; what
 * it costs to note which candles the sets leave open, by which a search learns what to load; and what it costs that the size of an order
 * counts.
 */
export function minutesCases(engine: Engine, candles: readonly Candles[]): BenchCase[] {
  const plain = candles.map((each) => side(engine, each, {}));
  const fine = candles.map((each) => side(engine, each, { fineCandles: minutesOf(each) }));
  const requesting = candles.map((each) => side(engine, each, { withUnknown: true }));
  const sized = candles.map((each) => side(engine, each, { costs: { ...costsOf(each), ...standardLiquidity } }));
  const caseOf = (name: string, sides: readonly Side[], against = 'no-minutes'): BenchCase => ({
    name,
    unit: 'us per set',
    toFigure: (operationNs) => operationNs / SETS / 1000,
    operation: inTurn(candles.length, (k) => sides[k]?.run()),
    rivals: [{ against, contestant: inProcess(inTurn(candles.length, (k) => plain[k]?.run())) }],
    verify: () => [...sides, ...plain].flatMap((each, k) => each.verify(`side ${k}`)),
    options: { warmMs: 100, budgetMs: 1000, pairsMax: 400 },
  });
  return [caseOf('minutes', fine), caseOf('asking', requesting), caseOf('order-size', sized, 'not-sized')];
}

interface Side {
  run: () => void;
  verify: (where: string) => string[];
}

function side(engine: Engine, candles: Candles, more: Partial<OptimizeInput>): Side {
  const input = { ...inputOf(candles, costsOf(candles)), ...more };
  const market = pushMarket(engine, input);
  const sets = drawSets(engine, denseSpace, { seed: 11n, from: 1, count: SETS });
  const setsAt = engine.push(sets);
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * SETS);
  const window = { start: 0, end: candles.close.length };
  const run = (): void =>
    engine.raw.optimizeSets(market.at, setsAt, SETS, window.start, window.end, abi.TARGET_PNL, resultsAt, 0);
  return {
    run,
    verify(where) {
      run();
      const rows = engine.f64View(resultsAt, abi.RESULT_LENGTH * SETS).slice();
      return Array.from({ length: SETS }, (_, i) => {
        const set = sets.subarray(i * abi.SET_LENGTH, (i + 1) * abi.SET_LENGTH);
        const alone = runSingle(engine, market, set, input, window).summary[summarySlot.netPnl];
        const net = rows[abi.RESULT_NET_PNL * SETS + i];
        return Object.is(alone, net) ? '' : `${where}, set ${i}: ${net} is not ${alone} of the plain backtest`;
      }).filter((problem) => problem !== '');
    },
  };
}

/** The minutes of each candle: to one extreme, to the other in the middle, to the close; the high is first in every second candle. */
function minutesOf({ time, open, high, low, close, volume }: Candles): Candles {
  const count = ((time[1] ?? 0) - (time[0] ?? 0)) / MINUTE_MS;
  const column = (of: (i: number, minute: number) => number): Float64Array =>
    Float64Array.from({ length: count * time.length }, (_, k) => of(Math.floor(k / count), k % count));
  const at = (prices: Float64Array, i: number): number => prices[i] ?? Number.NaN;
  const before = (i: number, minute: number): number => (minute === 0 ? at(open, i) : after(i, minute - 1));
  const after = (i: number, minute: number): number => {
    if (minute === count - 1) return at(close, i);
    return minute < count / 2 === (i % 2 === 0) ? at(high, i) : at(low, i);
  };
  return {
    time: column((i, minute) => at(time, i) + minute * MINUTE_MS),
    open: column(before),
    high: column((i, minute) => Math.max(before(i, minute), after(i, minute))),
    low: column((i, minute) => Math.min(before(i, minute), after(i, minute))),
    close: column(after),
    volume: column((i) => at(volume, i) / count),
  };
}
