import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { candleWalk } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { candleColumns, freshEngine } from '../engineSide.ts';
import { klineJsonCase } from './klineJson.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

/** One symbol of a scan: six columns of 500 candles, 24 kB. */
const CANDLES = 500;
const LENGTH = CANDLES * candleColumns.length;
const CALLS = 100;

export async function prepareHostOverhead(): Promise<PreparedSuite> {
  const engine = await freshEngine();
  const pool = createEnginePool({ engine: await loadModule(), threads: 1, queueMax: 1, deadlineMs: 10_000 });
  return {
    cases: [...copies(engine), klineJsonCase(), hop('thread-hop', pool, 2), hop('thread-hop-500', pool, CANDLES)],
    notes: [
      'kline-json-500: the bytes of a response into six columns, against JSON.parse and Number.',
      `call: an export that only returns a number. set, slice, \`set-kept\`: ${LENGTH} f64, ${LENGTH * 8} bytes.`,
      'thread-hop: one task on a pool thread and its result, almost no work; thread-hop-500: the same with 500 candles cloned.',
    ],
    close: () => pool.close(),
  };
}

const figureIn = (unit: 'ns' | 'us', perOperation: number): Pick<BenchCase, 'unit' | 'toFigure' | 'rivals'> => ({
  unit,
  toFigure: (operationNs) => operationNs / perOperation / (unit === 'us' ? 1000 : 1),
  rivals: [],
});

function copies(engine: Engine): BenchCase[] {
  const { raw } = engine;
  const { close } = candleWalk(LENGTH, 1);
  const at = engine.push(close);
  const view = engine.f64View(at, LENGTH);
  const stored = new Float64Array(LENGTH);
  const holds = (column: () => Float64Array) => (): string[] => {
    const difference = firstDifference(column(), close);
    return difference === undefined ? [] : [difference];
  };
  const call = (): number => {
    let sum = 0;
    for (let i = 0; i < CALLS; i++) sum += raw.arenaMark();
    return sum;
  };
  return [
    { name: 'call', ...figureIn('ns', CALLS), operation: call, verify: () => [] },
    {
      name: 'set',
      ...figureIn('us', 1),
      operation: () => engine.f64View(at, LENGTH).set(close),
      verify: holds(() => view),
    },
    {
      name: 'slice',
      ...figureIn('us', 1),
      operation: () => engine.pull(at, LENGTH),
      verify: holds(() => engine.pull(at, LENGTH)),
    },
    {
      name: 'set-kept',
      ...figureIn('us', 1),
      operation: () => stored.set(engine.f64View(at, LENGTH)),
      verify: holds(() => {
        stored.set(engine.f64View(at, LENGTH));
        return stored;
      }),
    },
  ];
}

/** A whole task on another thread with next to no work there. */
function hop(name: string, pool: EnginePool, count: number): BenchCase {
  const candles = candleWalk(count, 2);
  const run = () => pool.run('indicators', { candles, requests: [{ id: 'obv' }] });
  return {
    name,
    ...figureIn('us', 1),
    operation: run,
    async verify() {
      const result = await run();
      if (!result.ok) return [result.error.message];
      return result.value.series['obv']?.['obv']?.length === count ? [] : ['the result is not as long as the candles'];
    },
  };
}
