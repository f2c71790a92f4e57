import { randomBacktest, randomWhatIf } from '../../../workers/test/support/randomRuns.ts';
import { randomStrategyInput } from '../../../workers/test/support/randomStrategies.ts';
import { enginePool } from '../../src/engine/enginePool.ts';
import type { BacktestHashes } from '@sextant/workers/src/protocol/backtest.ts';

/** A page for tests only, never part of the product: the browser's own pool, run on the seeded cases of the engine's tests. */
async function runCases(seed: number, count: number): Promise<(BacktestHashes | string)[]> {
  const pool = await enginePool();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const outcome = await pool.run('backtest', randomBacktest(seed, index));
      return outcome.ok ? outcome.value.hashes : outcome.error.code;
    }),
  );
}

/** Strategies of rules, with candles of longer intervals and news. */
async function runStrategies(seed: number, count: number): Promise<(BacktestHashes | string)[]> {
  const pool = await enginePool();
  const hashes: (BacktestHashes | string)[] = [];
  // Sequential: the inputs of a thousand runs do not fit into memory together.
  for (let index = 0; index < count; index++) {
    const outcome = await pool.run('backtestStrategy', randomStrategyInput(seed, index));
    hashes.push(outcome.ok ? outcome.value.hashes : outcome.error.code);
  }
  return hashes;
}

/** Sized by its risk, then replayed: as text, in which two numbers are equal when their bits are. */
async function runWhatIfs(seed: number, count: number): Promise<string[]> {
  const pool = await enginePool();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { sizing, replay } = randomWhatIf(seed, index);
      const sized = await pool.run('size', sizing);
      if (!sized.ok) return sized.error.code;
      const lived = await pool.run('replay', { ...replay, position: sized.value.position });
      return JSON.stringify([sized.value, lived]);
    }),
  );
}

declare global {
  interface Window {
    runCases: typeof runCases;
    runStrategies: typeof runStrategies;
    runWhatIfs: typeof runWhatIfs;
  }
}
window.runCases = runCases;
window.runStrategies = runStrategies;
window.runWhatIfs = runWhatIfs;
