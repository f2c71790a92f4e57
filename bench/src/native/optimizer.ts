import type { Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { TwinMarket } from '../twins/optimizer/market.ts';
import { compileTwin } from './compile.ts';
import { startTwin, type NativeTwin } from './twin.ts';

/** The sets of one case: pieces of equal size, f64[SET_LENGTH * count], those of the first symbol first. */
export interface NativeSearch {
  name: string;
  pieces: readonly Float64Array[];
}

export type NativeOptimizer = { twin: NativeTwin } | { skipped: string };

/** Name of a case of the native program: the design of the engine, or the straightforward loop. */
export const nativeCase = (kind: 'fast' | 'plain', name: string): string => `${kind}-${name}`;

/** Loads the same markets and the same sets as the other sides have, and defines two cases for each search. */
export async function startNativeOptimizer(
  markets: readonly TwinMarket[],
  searches: readonly NativeSearch[],
  setLength: number,
): Promise<NativeOptimizer> {
  const program = await compileTwin('optimizer');
  if (!program.isAvailable) return { skipped: program.reason };
  const twin = startTwin(program.path);
  const [market] = markets;
  const [search] = searches;
  if (market === undefined || search === undefined) throw new Error('nothing to load into the native optimiser');
  const setCount = (search.pieces[0]?.length ?? 0) / setLength;
  const pieceCount = search.pieces.length / markets.length;
  const shape = [markets.length, market.candles.close.length, setCount, pieceCount, ...costsRow(market.costs)];
  await twin.load('shape', Float64Array.from(shape));
  await twin.load('bars', joined(markets.flatMap(barColumns)));
  await twin.load('first', Int32Array.from(markets.flatMap(({ first }) => [...first])));
  await twin.load('votes', Int8Array.from(markets.flatMap(({ votes }) => [...votes])));
  for (const [number, { name, pieces }] of searches.entries()) {
    await twin.load(`sets${number}`, joined(pieces));
    await twin.define(nativeCase('fast', name), 'fast', [number]);
    await twin.define(nativeCase('plain', name), 'plain', [number]);
  }
  return { twin };
}

/** In the order of `Costs` in bench/native/optimizer.h. */
const costsRow = (costs: Costs): number[] => [
  costs.takerFeeFraction,
  costs.slippageFraction,
  costs.stopSlippageFraction,
  costs.notional,
  costs.leverage,
  costs.maintenanceMarginFraction,
  costs.initialEquity,
];

/** In the order of `Bar`. */
function barColumns({ candles, funding }: TwinMarket): Float64Array[] {
  const { open, high, low, close, volume } = candles;
  return [open, high, low, close, volume, funding.atOpen, funding.inside];
}

function joined(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}
