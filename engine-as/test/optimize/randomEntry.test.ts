import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { pushMarket } from '@sextant/workers/src/tasks/optimize/market.ts';
import { packSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { steadyMarket } from '@sextant/workers/test/support/steadyMarkets.ts';
import { loadEngine } from '../support.ts';
import { defaultParams, optimizeInput } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const [START, END, RUNS] = [100, 200, 1000];
/** Candles at which an entry can be filled: all of the window but the first. */
const PLACES = END - START - 1;
const free = { takerFeeFraction: 0, slippageFraction: 0, stopSlippageFraction: 0, initialEquity: 1e6 };

/** Net PnL of each run. Every candle rises by 1 %, so a long of 1,000 ends in its first candle with +9, a short with -5. */
function nets(entryChance: number, longShare: number, seed = 7n): Float64Array {
  engine.raw.arenaReset();
  const params = { ...defaultParams, stopLossFraction: 0.005, takeProfitFraction: 0.009 };
  const input = optimizeInput(steadyMarket(END - START, 0.01), { params, costs: { ...defaultCosts, ...free } });
  const market = pushMarket(engine, { ...input, scoredCount: 100 });
  const [set, out] = [engine.push(packSet(params)), engine.reserve(RUNS)];
  engine.raw.randomEntries(market.at, set, START, END, entryChance, longShare, RUNS, seed, out);
  return engine.pull(out, RUNS);
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Four standard errors of the mean of so many throws in each of the runs. */
const stray = (throws: number, chance: number): number => 4 * Math.sqrt((throws * chance * (1 - chance)) / RUNS);

describe('entries by dice', () => {
  it('are all long with a share of one, all short with none, and nothing else', () => {
    for (const net of nets(1, 1)) expect(net).toBeCloseTo(9 * PLACES, 6);
    for (const net of nets(1, 0)) expect(net).toBeCloseTo(-5 * PLACES, 6);
  });

  it.each([0.1, 0.25, 0.5, 0.8])('are long in a share of %d of the entries', (share) => {
    // 9 L - 5 (99 - L) = 14 L - 495
    const longs = nets(1, share).map((net) => (net + 5 * PLACES) / 14);
    for (const count of longs) expect(count).toBeCloseTo(Math.round(count), 6);
    expect(Math.abs(mean(longs) - share * PLACES)).toBeLessThan(stray(PLACES, share));
    // Runs draw independently, so the counts have binomial variance. The variance of 1,000 has a standard error of 4.5 %.
    const variance = mean(longs.map((count) => (count - mean(longs)) ** 2));
    expect(variance / (PLACES * share * (1 - share))).toBeCloseTo(1, 0.4);
  });

  it.each([0.1, 0.5, 0.9])('come at a share of %d of the places', (chance) => {
    const entries = nets(chance, 1).map((net) => net / 9);
    expect(Math.abs(mean(entries) - chance * PLACES)).toBeLessThan(stray(PLACES, chance));
  });

  it('are others with another seed', () => {
    expect(nets(1, 0.5, 8n)).not.toEqual(nets(1, 0.5));
  });
});
