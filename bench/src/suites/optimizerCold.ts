import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { pushMarket } from '@sextant/workers/src/tasks/optimize/market.ts';
import { packSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { candleWalks } from '../../data/candles.ts';
import { freshEngine } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { BenchCase } from '../suite.ts';
import { marketTwin } from '../twins/optimizer/market.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { votesTwin } from '../twins/votes.ts';
import { compareResults, costsOf, denseSpace, drawSets, inputOf, params, pushSpace } from './optimizerData.ts';

export const COLD_SETS = 1000;
const CANDLES = 1200;
const SYMBOLS = 4;
const SEED = 7n;

/** A whole search from candles in JavaScript to its results: the latency of a slider. */
export async function coldCase(): Promise<BenchCase> {
  const engine = await freshEngine();
  const inputs = candleWalks(SYMBOLS, CANDLES, 99).map((candles) => inputOf(candles, costsOf(candles)));
  const sets = drawSets(engine, denseSpace, { seed: SEED, from: 0, count: COLD_SETS });
  const spaceAt = pushSpace(engine, denseSpace);
  const currentAt = engine.push(packSet(params));
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * COLD_SETS);
  const twinResults = new Float64Array(TWIN_RESULT_LENGTH * COLD_SETS);

  const ours = inputs.map((input) => () => {
    const mark = engine.raw.arenaMark();
    const { at } = pushMarket(engine, input);
    const window = [0, CANDLES] as const;
    engine.raw.optimizeSamples(at, SEED, 0n, COLD_SETS, spaceAt, currentAt, ...window, abi.TARGET_PNL, resultsAt);
    engine.raw.arenaRelease(mark);
  });
  const theirs = inputs.map(({ candles, costs }) => () => {
    optimizerTwin(marketTwin(candles, costs, votesTwin(candles)), sets, twinResults);
  });
  return {
    name: 'cold',
    unit: 'ms',
    toFigure: (operationNs) => operationNs / 1e6,
    operation: inTurn(SYMBOLS, (k) => ours[k]?.()),
    rivals: [{ against: 'typescript', contestant: inProcess(inTurn(SYMBOLS, (k) => theirs[k]?.())) }],
    verify: () =>
      ours.flatMap((run, k) => {
        run();
        theirs[k]?.();
        return compareResults(engine.f64View(resultsAt, abi.RESULT_LENGTH * COLD_SETS), twinResults, `symbol ${k}`);
      }),
    options: { budgetMs: 2000, pairsMin: 40 },
  };
}
