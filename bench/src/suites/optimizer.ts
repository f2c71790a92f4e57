import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candleWalks } from '../../data/candles.ts';
import { engineBefore, freshEngine } from '../engineSide.ts';
import { nativeCase, startNativeOptimizer, type NativeOptimizer, type NativeSearch } from '../native/optimizer.ts';
import { inProcess, inTurn, type Contestant } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { COLD_SETS, coldCase } from './optimizerCold.ts';
import { minutesCases } from './optimizerMinutes.ts';
import { semanticsCase } from './optimizerSemantics.ts';
import { compareResults, drawSets, spaces, symbolOf, type BenchSymbol } from './optimizerData.ts';

const CANDLES = 1200;
const SYMBOLS = 4;
/** Sets of one operation, which then fits a block on every side; and how many such pieces each symbol has. */
const SETS = 25;
const PIECES = 10;

export async function prepareOptimizer(): Promise<PreparedSuite> {
  const engine = await freshEngine();
  const symbols = candleWalks(SYMBOLS, CANDLES).map((candles) => symbolOf(engine, candles));
  const searches = Object.entries(spaces).map(([name, space]) => ({
    name,
    pieces: symbols.flatMap((_, symbol) =>
      Array.from({ length: PIECES }, (__, piece) =>
        drawSets(engine, space, { seed: BigInt(symbol), from: 1 + piece * SETS, count: SETS }),
      ),
    ),
  }));
  const native = await startNativeOptimizer(
    symbols.map(({ twin }) => twin),
    searches,
    abi.SET_LENGTH,
  );
  const before = await engineBefore();
  const symbolsBefore =
    before === undefined ? [] : candleWalks(SYMBOLS, CANDLES).map((candles) => symbolOf(before, candles));
  const cases = [
    ...searches.map((search) => {
      const rival = before && searchOf(before, symbolsBefore, search);
      return caseOf(searchOf(engine, symbols, search), rival, { symbols, search, native });
    }),
    await coldCase(),
    semanticsCase(
      engine,
      symbols.map(({ candles }) => candles),
    ),
    ...minutesCases(
      engine,
      symbols.map(({ candles }) => candles),
    ),
  ];
  return {
    cases,
    ...('twin' in native ? { close: () => native.twin.close() } : {}),
    notes: [
      `Trades per set: ${searches.map((search) => tradesOf(symbols, search)).join(', ')}.`,
      `${SYMBOLS} symbols x ${SETS * PIECES} sets, ${CANDLES} candles, votes computed once per symbol and not counted.`,
      `cold: ${COLD_SETS} sets of the product's ranges with everything before them: copying, 13 votes, preparing, drawing the sets.`,
      'futures-costs: the default sets with every cost against the same engine without any; 1 over the ratio is what the costs cost.',
      'minutes: sets of the product with all minutes of the candles; `asking`: with a note of the candles left open. Both against neither.',
      'order-size: the same sets where the size of an order counts, against those where it does not; goal above 0.91.',
      'Fees, slippage, eight-hourly funding and liquidation at 10x are part of every set; results are compared to the bit.',
    ],
  };
}

/** A search whose pieces lie in the arena of one engine. */
interface PreparedSearch {
  run: (piece: number) => void;
  results: () => Float64Array;
}

function searchOf(engine: Engine, symbols: readonly BenchSymbol[], { pieces }: NativeSearch): PreparedSearch {
  const setsAt = pieces.map((values) => engine.push(values));
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * SETS);
  return {
    run(piece) {
      const { market } = symbolOfPiece(symbols, piece);
      engine.raw.optimizeSets(market.at, setsAt[piece] as number, SETS, 0, CANDLES, abi.TARGET_PNL, resultsAt, 0);
    },
    results: () => engine.f64View(resultsAt, abi.RESULT_LENGTH * SETS),
  };
}

const symbolOfPiece = (symbols: readonly BenchSymbol[], piece: number): BenchSymbol =>
  symbols[Math.floor(piece / PIECES)] as BenchSymbol;

function caseOf(
  ours: PreparedSearch,
  before: PreparedSearch | undefined,
  { symbols, search, native }: { symbols: readonly BenchSymbol[]; search: NativeSearch; native: NativeOptimizer },
): BenchCase {
  const { name, pieces } = search;
  const twinResults = new Float64Array(TWIN_RESULT_LENGTH * SETS);
  const theirs = (piece: number): void =>
    optimizerTwin(symbolOfPiece(symbols, piece).twin, pieces[piece] as Float64Array, twinResults);
  return {
    name,
    unit: 'us per set',
    toFigure: (operationNs) => operationNs / SETS / 1000,
    operation: inTurn(pieces.length, ours.run),
    rivals: [
      ...(before ? [{ against: 'before', contestant: inProcess(inTurn(pieces.length, before.run)) }] : []),
      { against: 'typescript', contestant: inProcess(inTurn(pieces.length, theirs)) },
      ...nativeRivals(native, name),
    ],
    skipped: 'twin' in native ? [] : [{ against: 'native', reason: native.skipped }],
    async verify() {
      const problems: string[] = [];
      for (let piece = 0; piece < pieces.length; piece++) {
        ours.run(piece);
        theirs(piece);
        const responses = ours.results();
        problems.push(...compareResults(responses, twinResults, `piece ${piece} against typescript`));
        if (!('twin' in native)) continue;
        for (const kind of ['fast', 'plain'] as const) {
          const rows = new Float64Array(await native.twin.read(nativeCase(kind, name), piece));
          problems.push(...compareResults(responses, rows, `piece ${piece} against native ${kind}`));
        }
      }
      return problems;
    },
    options: { warmMs: 100, budgetMs: 1000, pairsMax: 400 },
  };
}

/** How busy a case is: the mean number of trades of its sets. */
function tradesOf(symbols: readonly BenchSymbol[], { name, pieces }: NativeSearch): string {
  const results = new Float64Array(TWIN_RESULT_LENGTH * SETS);
  let trades = 0;
  pieces.forEach((sets, piece) => {
    optimizerTwin((symbols[Math.floor(piece / PIECES)] as BenchSymbol).twin, sets, results);
    for (let set = 0; set < SETS; set++) trades += results[set * TWIN_RESULT_LENGTH + abi.RESULT_TRADE_COUNT] as number;
  });
  return `${name} ${(trades / pieces.length / SETS).toFixed(1)}`;
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
