import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { searchOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { candleWalks } from '../../data/candles.ts';
import { kernelShare } from '../kernelShare.ts';
import { ratioOf, type ResultLine, rounded } from '../results.ts';
import { median } from '../statistics.ts';
import { params } from './optimizerData.ts';

const CANDLES = 1200;
const SCORED = 500;
const REPEATS = Number(process.env['POOL_REPEATS'] ?? 7);
const THREADS = 2;

const [candles] = candleWalks(1, CANDLES);
if (candles === undefined) throw new Error('no candles');
const shared = { candles, params, costs: defaultCosts, scoredCount: SCORED, target: 'pnl' } as const;
const inputOf = (samples: number, seed: number): OptimizeInput => ({ ...shared, samples, seed });

setFlagsFromString('--expose-gc');
/** A search of 100,000 sets leaves a hundred megabytes. Collecting before each block keeps that cost out of the other side's time. */
const collect = runInNewContext('gc') as () => void;
async function collectGarbage(): Promise<void> {
  collect();
  // Memory goes back on threads beside.
  await setTimeout(20);
}

/** Searches by one call in this thread and on a pool of two: the same trials, plus the cost of the transfers. */
export async function measurePool(report: (line: ResultLine) => void) {
  const module = await loadModule();
  const at = startEngine(module);
  const pool = createEnginePool({ engine: module, threads: THREADS, queueMax: 100, deadlineMs: 120_000 });
  const lines: ResultLine[] = [];
  const add = (line: ResultLine): void => {
    lines.push(line);
    report(line);
  };
  const alone = async (samples: number, seed: number): Promise<number> => {
    await collectGarbage();
    const startedAt = performance.now();
    runTask(at, { name: 'optimize', input: { ...inputOf(samples, seed), withSets: true } });
    return performance.now() - startedAt;
  };
  const pooled = async (samples: number, seed: number): Promise<number> => {
    await collectGarbage();
    const startedAt = performance.now();
    await searchOnPool(pool, inputOf(samples, seed), { signal: new AbortController().signal });
    return performance.now() - startedAt;
  };
  try {
    for (const samples of [1000, 20_000, 100_000]) {
      await alone(samples, 0);
      await pooled(samples, 0);
      const [one, two]: [number[], number[]] = [[], []];
      for (let seed = 1; seed <= REPEATS; seed++) {
        // In turn, and each of them first in every second pair: a machine that slows down slows both.
        if (seed % 2 === 0) one.push(await alone(samples, seed));
        two.push(await pooled(samples, seed));
        if (seed % 2 === 1) one.push(await alone(samples, seed));
      }
      const ratios = one.map((ms, i) => ms / (two[i] ?? Number.NaN));
      const what = `${samples.toLocaleString('en-US')} samples and their refinement, ${THREADS} threads`;
      add({
        suite: 'pool',
        case: what,
        figure: rounded(median(two)),
        unit: 'ms',
        against: 'one thread',
        ...ratioOf(ratios),
      });
    }
    add({
      suite: 'pool',
      case: 'share of the kernel, one thread, 100,000 samples',
      figure: rounded(
        kernelShare(at.engine, ['optimizeSamples', 'optimizeSets'], () => {
          runTask(at, { name: 'optimize', input: inputOf(100_000, 1) });
        }),
      ),
      unit: 'of 1',
    });
  } finally {
    await pool.close();
  }
  const notes = [
    'goals: 1.7 with two threads, 1.0 for 1,000 samples, a share of the kernel of 0.9. Threads need cores that are free.',
  ];
  return { lines, notes };
}
