import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { pushMarket } from '@sextant/workers/src/tasks/optimize/market.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { BenchCase } from '../suite.ts';
import { marketTwin } from '../twins/optimizer/market.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { votesTwin } from '../twins/votes.ts';
import { compareResults, costsOf, drawSets, inputOf, spaces } from './optimizerData.ts';

const SETS = 250;
/** Enough for every entry without leverage, so that both sides see about the same trades. */
const EQUITY = 100_000;

/** A stop, a target and nothing else: no fee, no slippage, no funding, no borrowed money. */
const simpleCosts: Costs = {
  ...defaultCosts,
  initialEquity: EQUITY,
  leverage: 1,
  maintenanceMarginFraction: 0,
  takerFeeFraction: 0,
  makerFeeFraction: 0,
  slippageFraction: 0,
  stopSlippageFraction: 0,
};

/** Cost per set of the futures account rules: the product's default sets with all of them against none. */
export function semanticsCase(engine: Engine, candles: readonly Candles[]): BenchCase {
  const whole = candles.map((each) => side(engine, each, { ...costsOf(each), initialEquity: EQUITY }));
  const simple = candles.map((each) => side(engine, each, simpleCosts));
  return {
    name: 'futures-costs',
    unit: 'us per set',
    toFigure: (operationNs) => operationNs / SETS / 1000,
    operation: inTurn(candles.length, (k) => whole[k]?.run()),
    rivals: [{ against: 'no-costs', contestant: inProcess(inTurn(candles.length, (k) => simple[k]?.run())) }],
    verify: () => [...whole, ...simple].flatMap((each, k) => each.verify(`side ${k}`)),
    options: { warmMs: 100, budgetMs: 1000, pairsMax: 400 },
  };
}

function side(engine: Engine, candles: Candles, costs: Costs) {
  const market = pushMarket(engine, inputOf(candles, costs));
  const sets = drawSets(engine, spaces['defaults'] ?? {}, { seed: 5n, from: 1, count: SETS });
  const setsAt = engine.push(sets);
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * SETS);
  const run = (): void =>
    engine.raw.optimizeSets(market.at, setsAt, SETS, 0, candles.close.length, abi.TARGET_PNL, resultsAt, 0);
  return {
    run,
    verify(where: string): string[] {
      const rows = new Float64Array(TWIN_RESULT_LENGTH * SETS);
      optimizerTwin(marketTwin(candles, costs, votesTwin(candles)), sets, rows);
      run();
      return compareResults(engine.f64View(resultsAt, abi.RESULT_LENGTH * SETS), rows, where);
    },
  };
}
