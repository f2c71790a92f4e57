import { readFile } from 'node:fs/promises';
import { STATUS_OK } from '@sextant/engine-as/abi/status.ts';
import { compileEngine, instantiate, type Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** The engine's column order (abi/indicatorExports.ts). */
export const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** A fresh engine with its own memory: a suite resets its arena when it likes. */
export async function freshEngine(): Promise<Engine> {
  return instantiate((await loadModule()).module);
}

/** Engine file of an earlier commit with the same ABI, which a suite then times against the present one in the same run. */
const beforeFile = process.env['BENCH_BEFORE'];

/** The engine of BENCH_BEFORE; undefined when none is named. */
export async function engineBefore(): Promise<Engine | undefined> {
  if (beforeFile === undefined) return undefined;
  return instantiate((await compileEngine(new Uint8Array(await readFile(beforeFile)))).module);
}

/** Copies a series into the arena. Returns the address of i32[6], its column addresses, as the kernels take it. */
export function pushCandles(engine: Engine, candles: Candles): number {
  const addresses = candleColumns.map((name) => engine.push(candles[name]));
  const at = engine.reserveBytes(4 * addresses.length);
  engine.i32View(at, addresses.length).set(addresses);
  return at;
}

/** A kernel that rejects its input would otherwise be measured as a very fast one. */
export function expectOk(status: number, what: string): void {
  if (status !== STATUS_OK) throw new Error(`${what}: engine status ${status}`);
}
