import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candleWalk, candleWalks } from '../../data/candles.ts';
import { expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { inProcess, inTurn, oneOf } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { indicatorSpecs } from './indicatorSpecs.ts';
import { drawSets, spaces, symbolOf } from './optimizerData.ts';

const BARS = 1_000_000;
const FEWER_BARS = 100_000;
const SETS = 10_000;
const FEWER_SETS = 1000;
const TIMES = 10;
const MIB = 1024 * 1024;
/** Memory limit for every indicator over a million candles, candles and outputs included. */
const MEMORY_MIB_MAX = 256;

export async function prepareScale(): Promise<PreparedSuite> {
  const million = wholeSet(await freshEngine(), BARS);
  const fewer = wholeSet(await freshEngine(), FEWER_BARS);
  const bars: BenchCase = {
    name: 'bars',
    unit: 's per 1,000,000 candles',
    toFigure: (operationNs) => (operationNs * TIMES) / 1e9,
    operation: fewer.run,
    rivals: [{ against: 'ten times the candles', contestant: oneOf(TIMES, inProcess(million.run)) }],
    verify() {
      million.run();
      const mib = million.highWaterMib();
      return mib <= MEMORY_MIB_MAX ? [] : [`${mib.toFixed(0)} MiB, at most ${MEMORY_MIB_MAX}`];
    },
    options: { pairsMin: 9, budgetMs: 4000 },
  };
  return {
    cases: [bars, await setsCase()],
    notes: [
      'A ratio of 1 means that ten times the work takes ten times as long; above 1 it takes longer.',
      `bars: each of the ${wholeSpecs.length} indicators once, in at most ${MEMORY_MIB_MAX} MiB of the engine's memory, else the case fails.`,
    ],
  };
}

const wholeSpecs = indicatorSpecs.filter(({ id, kernel }) => id === kernel);

function wholeSet(engine: Engine, count: number): { run: () => void; highWaterMib: () => number } {
  const { raw } = engine;
  const columnsAt = pushCandles(engine, candleWalk(count, 5));
  return {
    run() {
      for (const { id, kind, params, outputCount } of wholeSpecs) {
        const mark = raw.arenaMark();
        const paramsAt = engine.push(Float64Array.from(params));
        const outAt = engine.reserve(outputCount * count);
        expectOk(raw.indicator(kind, columnsAt, count, paramsAt, outAt, count, 0), id);
        raw.arenaRelease(mark);
      }
    },
    highWaterMib: () => raw.arenaHighWater() / MIB,
  };
}

async function setsCase(): Promise<BenchCase> {
  const engine = await freshEngine();
  const [candles] = candleWalks(1, 1200);
  if (candles === undefined) throw new Error('no candles');
  const { market } = symbolOf(engine, candles);
  const sets = drawSets(engine, spaces['product'] ?? {}, { seed: 3n, from: 1, count: SETS });
  const setsAt = engine.push(sets);
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * SETS);
  const run = (from: number, count: number): void => {
    const at = setsAt + from * abi.SET_LENGTH * Float64Array.BYTES_PER_ELEMENT;
    engine.raw.optimizeSets(market.at, at, count, 0, 1200, abi.TARGET_PNL, resultsAt, 0);
  };
  // The short search takes another tenth of the sets each time, so that both sides see the same sets.
  const few = inTurn(TIMES, (tenth) => run(tenth * FEWER_SETS, FEWER_SETS));
  return {
    name: 'sets',
    unit: 's per 1,000,000 sets',
    toFigure: (operationNs) => (operationNs * (1e6 / FEWER_SETS)) / 1e9,
    operation: few,
    rivals: [
      {
        against: 'ten times the sets',
        contestant: oneOf(
          TIMES,
          inProcess(() => run(0, SETS)),
        ),
      },
    ],
    verify: () => [],
    options: { budgetMs: 3000, blockMs: 50 },
  };
}
