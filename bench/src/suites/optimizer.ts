import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candleWalks } from '../../data/candles.ts';
import { freshEngine } from '../engineSide.ts';
import { nativeCase, startNativeOptimizer, type NativeOptimizer, type NativeSearch } from '../native/optimizer.ts';
import { inProcess, type Contestant } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { COLD_SETS, coldCase } from './optimizerCold.ts';
import { compareResults, drawSets, spaces, symbolOf, type BenchSymbol } from './optimizerData.ts';

const CANDLES = 1200;
const SYMBOLS = 4;
const SETS = 250;

export async function prepareOptimizer(): Promise<PreparedSuite> {
  const engine = await freshEngine();
  const symbols = candleWalks(SYMBOLS, CANDLES).map((candles) => symbolOf(engine, candles));
  const searches = Object.entries(spaces).map(([name, space]) => ({
    name,
    sets: symbols.map((_, symbol) => drawSets(engine, space, { seed: BigInt(symbol), from: 1, count: SETS })),
  }));
  const native = await startNativeOptimizer(
    symbols.map(({ twin }) => twin),
    searches,
    abi.SET_LENGTH,
  );
  const cases = [...searches.map((search) => caseOf(engine, symbols, search, native)), await coldCase()];
  return {
    cases,
    ...('twin' in native ? { close: () => native.twin.close() } : {}),
    notes: [
      `Trades per set: ${searches.map((search) => tradesOf(symbols, search)).join(', ')}.`,
      `${SYMBOLS} symbols x ${SETS} sets, ${CANDLES} candles, votes computed once per symbol and not counted.`,
      `cold: ${COLD_SETS} sets of the product's ranges with everything before them: copying, 13 votes, preparing, drawing the sets.`,
      'Fees, slippage, eight-hourly funding and liquidation at 10x are part of every set; results are compared to the bit.',
    ],
  };
}

function caseOf(
  engine: Engine,
  symbols: readonly BenchSymbol[],
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
        problems.push(...compareResults(answers(k), twinResults, `symbol ${k} against typescript`));
        if (!('twin' in native)) continue;
        for (const kind of ['fast', 'plain'] as const) {
          const rows = new Float64Array(await native.twin.read(nativeCase(kind, name), k));
          problems.push(...compareResults(answers(k), rows, `symbol ${k} against native ${kind}`));
        }
      }
      return problems;
    },
    options: { budgetMs: 2000 },
  };
}

/** How busy a case is: the mean number of trades of its sets. */
function tradesOf(symbols: readonly BenchSymbol[], { name, sets }: NativeSearch): string {
  const results = new Float64Array(TWIN_RESULT_LENGTH * SETS);
  let trades = 0;
  symbols.forEach(({ twin }, k) => {
    optimizerTwin(twin, sets[k] as Float64Array, results);
    for (let set = 0; set < SETS; set++) trades += results[set * TWIN_RESULT_LENGTH + abi.RESULT_TRADE_COUNT] as number;
  });
  return `${name} ${(trades / SYMBOLS / SETS).toFixed(1)}`;
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
