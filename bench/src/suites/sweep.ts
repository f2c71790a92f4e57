import { RESULT_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import { KIND_EMA } from '@sextant/engine-as/abi/indicatorKinds.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { candleWalks } from '../../data/candles.ts';
import { engineBefore, expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { compileTwin } from '../native/compile.ts';
import { type NativeTwin, startTwin } from '../native/twin.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { PreparedSuite } from '../suite.ts';
import { fundingByBar } from '../twins/backtest/funding.ts';
import { TWIN_RESULT_LENGTH } from '../twins/optimizer/optimizer.ts';
import { formulaCase } from './formulaColumns.ts';
import { costsOf } from './optimizerData.ts';
import { type BenchSweep, crossInput, openSweep, PAIRS, runPiece, SWEEP_PAIRS } from './sweepData.ts';

const CANDLES = 1200;
const PIECES = SWEEP_PAIRS / PAIRS;

export async function prepareSweep(): Promise<PreparedSuite> {
  const [candles] = candleWalks(1, CANDLES);
  if (candles === undefined) throw new Error('no candles');
  const costs = costsOf(candles);
  const input = crossInput(candles, costs);
  const sweep = openSweep(await freshEngine(), input);
  const before = await engineBefore();
  const rival = before && openSweep(before, input);
  const program = await compileTwin('sweep');
  const native = program.isAvailable ? startTwin(program.path) : undefined;
  if (native !== undefined) await loadTwin(native, sweep, candles, costs);
  return {
    cases: [
      {
        name: 'ema-cross',
        unit: 'us per pair',
        toFigure: (operationNs) => operationNs / PAIRS / 1000,
        operation: inTurn(PIECES, (piece) => runPiece(sweep, piece)),
        rivals: [
          ...(rival ? [{ against: 'before', contestant: inProcess(inTurn(PIECES, (k) => runPiece(rival, k))) }] : []),
          ...(native ? [{ against: 'native-plain', contestant: native.contestant('plain') }] : []),
        ],
        skipped: program.isAvailable ? [] : [{ against: 'native-plain', reason: program.reason }],
        verify: () => (native === undefined ? [] : differences(sweep, native)),
        options: { warmMs: 100, budgetMs: 1000, pairsMax: 400 },
      },
      formulaCase(await freshEngine()),
    ],
    ...(native && { close: () => native.close() }),
    notes: [
      `${SWEEP_PAIRS} pairs of averages, ${CANDLES} candles; the opposite crossing reverses. Fees, slippage and funding included.`,
      'The averages are known on both sides: a sweep computes each of the 250 once. Results are compared to the bit.',
      'formula-columns: a rule of two averages, RSI and comparisons as a program, against the kernels of its indicators and one loop by hand; goal at least 0.5.',
    ],
  };
}

async function loadTwin(twin: NativeTwin, { input }: BenchSweep, candles: Candles, costs: Costs): Promise<void> {
  const [fast = [], slow = []] = input.parameters.map(({ values }) => values);
  const { takerFeeFraction, slippageFraction, stopSlippageFraction, notional, leverage } = costs;
  const rates = [takerFeeFraction, slippageFraction, stopSlippageFraction, notional, leverage];
  const account = [costs.maintenanceMarginFraction, costs.initialEquity];
  const shape = [CANDLES, PAIRS, PIECES, slow.length, 0.02, 0.04, ...rates, ...account];
  const funding = fundingByBar(candles, costs);
  const { open, high, low, close, volume } = candles;
  const engine = await freshEngine();
  await twin.load('shape', Float64Array.from(shape));
  await twin.load('bars', joined([open, high, low, close, volume, funding.atOpen, funding.inside]));
  await twin.load('fast', joined(fast.map((period) => averageOf(engine, candles, period))));
  await twin.load('slow', joined(slow.map((period) => averageOf(engine, candles, period))));
  await twin.define('plain', 'plain', []);
}

function averageOf(engine: Engine, candles: Candles, period: number): Float64Array {
  engine.raw.arenaReset();
  const columns = pushCandles(engine, candles);
  const out = engine.reserve(CANDLES);
  const params = engine.push(Float64Array.of(period));
  expectOk(engine.raw.indicator(KIND_EMA, columns, CANDLES, params, out, CANDLES, 0), 'ema');
  return engine.pull(out, CANDLES);
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

/** Every pair of the sweep on both sides, to the bit. */
async function differences(sweep: BenchSweep, twin: NativeTwin): Promise<string[]> {
  const problems: string[] = [];
  for (let piece = 0; piece < PIECES; piece++) {
    const rows = new Float64Array(await twin.read('plain', piece));
    const ours = runPiece(sweep, piece);
    for (let i = 0; i < PAIRS * TWIN_RESULT_LENGTH; i++) {
      const [pair, field] = [Math.floor(i / TWIN_RESULT_LENGTH), i % TWIN_RESULT_LENGTH];
      const own = ours[field * PAIRS + pair];
      if (!Object.is(own, rows[i]) && problems.length < 5)
        problems.push(`piece ${piece}, pair ${pair}, field ${field} of ${RESULT_LENGTH}: ${own}, native ${rows[i]}`);
    }
  }
  return problems;
}
