import { type PackedCandles, unpackCandles } from '@sextant/workers/src/packedCandles.ts';
import type { BacktestResult, Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol.ts';
import { defaultCosts, defaultWeights } from '@sextant/workers/src/wire/defaults.ts';
import { WordedError } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import candlesUrl from './candles.gen.json?url';

/** server/fakes/exchanges/demoCandles.ts writes it. */
interface DemoCandles extends PackedCandles {
  symbol: string;
  seed: number;
}

/** Indicators need their past; trades may open after it. */
const WARM_UP_COUNT = 300;
const DEADLINE_MS = 20_000;

/** What the visitor can turn. Percent in the fields, fractions in the engine. */
export interface DemoKnobs {
  stopLossPct: number;
  entryThreshold: number;
  isCosted: boolean;
}

export const demoKnobs: DemoKnobs = { stopLossPct: 2, entryThreshold: 0.2, isCosted: true };

export interface DemoMarket {
  candles: Candles;
  scoredCount: number;
  priceDecimals: number;
  symbol: string;
  seed: number;
}

export interface DemoRun {
  knobs: DemoKnobs;
  result: BacktestResult;
  /** Milliseconds from the question to the worker to its answer, on this device. */
  tookMs: number;
}

/** @throws Error in words when the file does not come. */
export async function loadDemoMarket(): Promise<DemoMarket> {
  const response = await fetch(candlesUrl);
  if (!response.ok) throw new WordedError('the candles did not load.');
  const packed = (await response.json()) as DemoCandles;
  const candles = unpackCandles(packed);
  const scoredCount = candles.time.length - WARM_UP_COUNT;
  return { candles, scoredCount, priceDecimals: packed.priceDecimals, symbol: packed.symbol, seed: packed.seed };
}

/** One run of the product's own engine in a worker. @throws Error with the engine's words when it refuses. */
export async function runDemo({ candles, scoredCount }: DemoMarket, knobs: DemoKnobs): Promise<DemoRun> {
  const pool = await enginePool();
  const startedAt = performance.now();
  const input = { candles, params: paramsOf(knobs), costs: costsOf(knobs), scoredCount };
  const outcome = await pool.run('backtest', input, { deadlineMs: DEADLINE_MS });
  if (!outcome.ok) throw new WordedError(outcome.error.message);
  return { knobs, result: outcome.value, tookMs: performance.now() - startedAt };
}

function paramsOf({ stopLossPct, entryThreshold }: DemoKnobs): StrategyParams {
  const stopLossFraction = Number((stopLossPct / 100).toPrecision(12));
  return {
    weights: { ...defaultWeights },
    entryThreshold,
    stopLossFraction,
    takeProfitFraction: Number((2 * stopLossFraction).toPrecision(12)),
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  };
}

function costsOf({ isCosted }: DemoKnobs): Costs {
  if (isCosted) return defaultCosts;
  return { ...defaultCosts, takerFeeFraction: 0, makerFeeFraction: 0, slippageFraction: 0, stopSlippageFraction: 0 };
}
