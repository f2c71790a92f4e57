import { summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { TaskResult } from '../../protocol.ts';
import type { RulesRun } from '../../protocolHonesty.ts';
import type { Engine } from '../../engine/engine.ts';
import { ok } from '../../result.ts';
import { scoreWhole, validateStrategyInput } from '../backtestStrategy.ts';
import { firstScored, pushRulesMarket, type RulesMarket, runScored } from '../strategy/market.ts';
import type { Dice, Shown } from './strategy.ts';

/** A run of rules on its scored candles, as the figures look at it. */
export function showRules(engine: Engine, run: RulesRun['run']): TaskResult<Shown> {
  const valid = validateStrategyInput(run);
  if (!valid.ok) return valid;
  const market = pushRulesMarket(engine, run);
  const { strategy, costs, scoredCount } = run;
  const window = { start: market.count - scoredCount, end: market.count };
  const scored = scoreWhole(market, run);
  if (!scored.ok) return scored;
  const single = runScored(market, strategy, window);
  if (!single.ok) return single;
  const firstDecision = firstScored(market, strategy.weights);
  const throwDice = (dice: Dice): Float64Array => throwOn(market, dice);
  return ok({ engine, costs, window, single: single.value, firstDecision, throwDice });
}

/**
 * Entries by dice and the exits of the strategy: each candle is a signal with the same chance, and those while a position is held count
 * as the strategy says of opposite ones.
 */
function throwOn(market: RulesMarket, { start, chance, longs, count, seed }: Dice): Float64Array {
  const { engine, input, scoreAt, count: candleCount } = market;
  const window = { start: candleCount - input.scoredCount, end: candleCount };
  const random = randomOf(seed);
  return Float64Array.from({ length: count }, () => {
    const scores = engine.f64View(scoreAt, candleCount);
    scores.fill(0);
    for (let i = start; i < candleCount; i++) {
      if (random() >= chance) continue;
      scores[i] = random() < longs ? 1 : -1;
    }
    const run = runScored(market, input.strategy, window);
    if (!run.ok) throw new Error(run.error.message);
    return run.value.summary[summarySlot.netPnl] ?? Number.NaN;
  });
}

/** mulberry32: uniform in [0, 1), in whole numbers of 32 bits, so the same on every machine. */
function randomOf(seed: bigint): () => number {
  let state = Number((seed ^ (seed >> 32n)) & 0xffff_ffffn);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
