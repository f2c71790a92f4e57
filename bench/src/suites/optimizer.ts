import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol.ts';
import type { OptimizeInput, OptimizeSpace } from '@sextant/workers/src/protocolOptimize.ts';
import { pushMarket, type Market } from '@sextant/workers/src/tasks/optimize/market.ts';
import { defaultSpace, packSet, packSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { defaultCosts, defaultWeights } from '@sextant/workers/src/wire/defaults.ts';
import { candleWalks, eightHourlyFunding } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { freshEngine } from '../engineSide.ts';
import { nativeCase, startNativeOptimizer, type NativeOptimizer, type NativeSearch } from '../native/optimizer.ts';
import { inProcess, type Contestant } from '../paired.ts';
import type { BenchCase, PreparedSuite, Suite } from '../suite.ts';
import { marketTwin, type TwinMarket } from '../twins/optimizer/market.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { votesTwin } from '../twins/votes.ts';

const CANDLES = 1200;
const SYMBOLS = 4;
const SETS = 250;

export const optimizerSuite: Suite = {
  name: 'optimizer',
  question:
    'What does one parameter set cost in a search over 1,200 candles, against plain TypeScript and native code?',
  prepare,
};

const params: StrategyParams = {
  weights: { ...defaultWeights },
  ...{ entryThreshold: 0.08, stopLossFraction: 0.02, takeProfitFraction: 0.04 },
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

const only = (value: number): { min: number; max: number } => ({ min: value, max: value });

/** Where each case draws its sets from. */
const spaces: Record<string, Partial<OptimizeSpace>> = {
  // The product's default strategy; only the weights vary.
  defaults: {
    ...{ entryThreshold: only(0.08), stopLossFraction: only(0.02), takeProfitFraction: only(0.04) },
    trailing: 'off',
  },
  'no-trailing': { ...defaultSpace, trailing: 'off' },
  // A trade every few candles: the search for entries and exits is short, the trades themselves count.
  dense: {
    entryThreshold: { min: 0.01, max: 0.1 },
    stopLossFraction: { min: 0.002, max: 0.01 },
    takeProfitFraction: { min: 0.002, max: 0.01 },
    trailing: 'off',
  },
  // All that the product lets vary; half of the sets trail.
  product: defaultSpace,
};

interface Symbol {
  candles: Candles;
  costs: Costs;
  market: Market;
  twin: TwinMarket;
}

async function prepare(): Promise<PreparedSuite> {
  const engine = await freshEngine();
  const symbols = candleWalks(SYMBOLS, CANDLES).map((candles) => symbolOf(engine, candles));
  const searches = Object.entries(spaces).map(([name, space]) => ({
    name,
    sets: symbols.map((_, symbol) => drawSets(engine, space, BigInt(symbol))),
  }));
  const native = await startNativeOptimizer(
    symbols.map(({ twin }) => twin),
    searches,
    abi.SET_LENGTH,
  );
  const cases = searches.map((search) => caseOf(engine, symbols, search, native));
  return {
    cases,
    ...('twin' in native ? { close: () => native.twin.close() } : {}),
    notes: [
      `${SYMBOLS} symbols x ${SETS} sets, ${CANDLES} candles, votes computed once per symbol and not counted.`,
      'Fees, slippage, eight-hourly funding and liquidation at 10x are part of every set; results are compared to the bit.',
    ],
  };
}

function symbolOf(engine: Engine, candles: Candles): Symbol {
  const costs: Costs = { ...defaultCosts, funding: eightHourlyFunding(candles) };
  const market = pushMarket(engine, inputOf(candles, costs));
  return { candles, costs, market, twin: marketTwin(candles, costs, votesTwin(candles)) };
}

function inputOf(candles: Candles, costs: Costs): OptimizeInput {
  return { candles, params, costs, scoredCount: CANDLES, samples: SETS, seed: 1, target: 'pnl' };
}

function caseOf(
  engine: Engine,
  symbols: readonly Symbol[],
  { name, sets }: NativeSearch,
  native: NativeOptimizer,
): BenchCase {
  const setsAt = sets.map((values) => engine.push(values));
  const resultsAt = symbols.map(() => engine.reserve(abi.RESULT_LENGTH * SETS));
  const twinResults = new Float64Array(TWIN_RESULT_LENGTH * SETS);
  const operation = (): void =>
    symbols.forEach(({ market }, k) => {
      const [from, to] = [setsAt[k] as number, resultsAt[k] as number];
      engine.raw.optimizeSets(market.at, from, SETS, 0, CANDLES, abi.TARGET_PNL, to, 0);
    });
  const theirs = (): void =>
    symbols.forEach(({ twin }, k) => optimizerTwin(twin, sets[k] as Float64Array, twinResults));
  const answers = (k: number): Float64Array => engine.f64View(resultsAt[k] as number, abi.RESULT_LENGTH * SETS);
  return {
    ...{ name, unit: 'us per set', toFigure: (operationNs) => operationNs / SYMBOLS / SETS / 1000 },
    operation,
    rivals: [{ against: 'typescript', contestant: inProcess(theirs) }, ...nativeRivals(native, name)],
    skipped: 'twin' in native ? [] : [{ against: 'native', reason: native.skipped }],
    async verify() {
      operation();
      const problems: string[] = [];
      for (const [k, { twin }] of symbols.entries()) {
        optimizerTwin(twin, sets[k] as Float64Array, twinResults);
        problems.push(...compare(answers(k), twinResults, `symbol ${k} against typescript`));
        if (!('twin' in native)) continue;
        for (const kind of ['fast', 'plain'] as const) {
          const rows = new Float64Array(await native.twin.read(nativeCase(kind, name), k));
          problems.push(...compare(answers(k), rows, `symbol ${k} against native ${kind}`));
        }
      }
      return problems;
    },
    options: { budgetMs: 2000 },
  };
}

/** `native` is the engine's own design in C, the limit; `native-plain` the straightforward loop. */
function nativeRivals(native: NativeOptimizer, name: string): { against: string; contestant: Contestant }[] {
  if (!('twin' in native)) return [];
  const { twin } = native;
  return [
    { against: 'native', contestant: twin.contestant(nativeCase('fast', name)) },
    { against: 'native-plain', contestant: twin.contestant(nativeCase('plain', name)) },
  ];
}

/** The engine's own draws, so that a case is the search a user would start. */
function drawSets(engine: Engine, wanted: Partial<OptimizeSpace>, seed: bigint): Float64Array {
  const space = packSpace(wanted);
  if (!space.ok) throw new Error(space.error.message);
  const spaceAt = engine.push(space.value);
  const currentAt = engine.push(packSet(params));
  const setAt = engine.reserve(abi.SET_LENGTH);
  const sets = new Float64Array(abi.SET_LENGTH * SETS);
  for (let index = 0; index < SETS; index++) {
    engine.raw.sampleSet(seed, BigInt(index + 1), spaceAt, currentAt, setAt);
    sets.set(engine.f64View(setAt, abi.SET_LENGTH), index * abi.SET_LENGTH);
  }
  return sets;
}

/** Every result column of every set, to the bit. The engine writes column after column, a twin set after set. */
function compare(columns: Float64Array, rows: Float64Array, where: string): string[] {
  const ours = new Float64Array(rows.length);
  for (let set = 0; set < SETS; set++) {
    for (let field = 0; field < TWIN_RESULT_LENGTH; field++) {
      ours[set * TWIN_RESULT_LENGTH + field] = columns[field * SETS + set] as number;
    }
  }
  const difference = firstDifference(ours, rows);
  return difference === undefined ? [] : [`${where}, ${difference}`];
}
