import { randomBacktest } from '../../../workers/test/support/randomRuns.ts';
import { enginePool } from '../../src/engine/enginePool.ts';
import type { BacktestHashes } from '@sextant/workers/src/protocol.ts';

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

declare global {
  interface Window {
    runCases: typeof runCases;
  }
}
window.runCases = runCases;
