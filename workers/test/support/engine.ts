import { buildEngine } from '@sextant/engine-as/build.ts';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import { loadModule } from '../../src/node/loadModule.ts';

/** A build can take its time on a busy machine. */
export const engineTimeoutMs = 120_000;

let compiled: Promise<CompiledEngine> | undefined;

/** The engine as the hosts load it, built first when it is stale; compiled once per test file. */
export function testEngine(): Promise<CompiledEngine> {
  compiled ??= buildEngine().then(loadModule);
  return compiled;
}
