import { KIND_EMA, KIND_RSI } from '@sextant/engine-as/abi/indicatorKinds.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import { pushProgram, runProgram } from '@sextant/workers/src/tasks/ownRules/program.ts';
import { candleWalks } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { expectOk } from '../engineSide.ts';
import { inProcess, inTurn, threadClock } from '../paired.ts';
import type { BenchCase } from '../suite.ts';
import { pushIntegers } from '@sextant/workers/src/tasks/ensemble/timeframes.ts';

const SERIES = 64;
const CANDLES = 1200;

/** What a user writes, and `byHand` computes with the kernels of its three indicators. */
export const formula = `long when crossover(ema(close, 12), ema(close, 26)) and rsi(14) < 70 and close > open
short when crossunder(ema(close, 12), ema(close, 26)) and rsi(14) > 30 and close < open`;

/** The formula on one series, as a program of the language and by hand. Both write i8[CANDLES]: 1 long, -1 short. */
export interface OpenedFormula {
  program: () => void;
  byHand: () => void;
  signal: () => Int8Array;
  handSignal: () => Int8Array;
}

export function openFormula(engine: Engine, candles: Candles): OpenedFormula {
  const compiled = compileRules(formula, { interval: '1h' });
  if (!compiled.ok) throw new Error(compiled.error[0]?.message);
  const costs = { fundingSource: 'off' as const };
  const { program } = compiled.value;
  const pushed = pushProgram(engine, { candles, context: [], program, interval: '1h', costs });
  const columnsAt = pushIntegers(engine, pushed.columns);
  const kernels = [
    { kind: KIND_EMA, period: 12 },
    { kind: KIND_EMA, period: 26 },
    { kind: KIND_RSI, period: 14 },
  ].map(({ kind, period }) => ({
    kind,
    paramsAt: engine.push(Float64Array.of(period)),
    outAt: engine.reserve(CANDLES),
  }));
  const hand = new Int8Array(CANDLES);
  const { open, close } = candles;
  return {
    program() {
      if (!runProgram(pushed).ok) throw new Error('the engine rejects the formula');
    },
    byHand() {
      for (const { kind, paramsAt, outAt } of kernels)
        expectOk(engine.raw.indicator(kind, columnsAt, CANDLES, paramsAt, outAt, CANDLES, 0), 'indicator');
      const [fast, slow, rsi] = kernels.map(({ outAt }) => engine.f64View(outAt, CANDLES)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      writeSignal({ fast, slow, rsi, open, close }, hand);
    },
    signal: () => engine.i8View(pushed.signalAt, CANDLES),
    handSignal: () => hand,
  };
}

type Columns = Record<'fast' | 'slow' | 'rsi' | 'open' | 'close', Float64Array>;

/** One pass over the columns; NaN of the warm-up fails every comparison. */
function writeSignal({ fast, slow, rsi, open, close }: Columns, out: Int8Array): void {
  out[0] = 0;
  for (let i = 1; i < CANDLES; i++) {
    const [a, b, before, other] = [fast[i] as number, slow[i] as number, fast[i - 1] as number, slow[i - 1] as number];
    const [strength, from, to] = [rsi[i] as number, open[i] as number, close[i] as number];
    const isLong = a > b && before <= other && strength < 70 && to > from;
    const isShort = a < b && before >= other && strength > 30 && to < from;
    out[i] = isLong ? 1 : isShort ? -1 : 0;
  }
}

export function formulaCase(engine: Engine): BenchCase {
  const opened = candleWalks(SERIES, CANDLES).map((candles) => openFormula(engine, candles));
  const clock = threadClock();
  return {
    name: 'formula-columns',
    unit: 'us per formula',
    toFigure: (operationNs) => operationNs / 1000,
    operation: inTurn(SERIES, (k) => opened[k]?.program()),
    rivals: [
      {
        against: 'kernels',
        contestant: inProcess(
          inTurn(SERIES, (k) => opened[k]?.byHand()),
          clock,
        ),
      },
    ],
    clock,
    verify() {
      let signals = 0;
      const problems = opened.flatMap(({ program, byHand, signal, handSignal }, k) => {
        program();
        byHand();
        signals += handSignal().filter((side) => side !== 0).length;
        const difference = firstDifference(signal(), handSignal());
        return difference === undefined ? [] : [`series ${k}, ${difference} by hand`];
      });
      return signals > SERIES ? problems : [...problems, `only ${signals} signals`];
    },
    options: { warmMs: 100, budgetMs: 1000, pairsMax: 400 },
  };
}
