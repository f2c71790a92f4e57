import { readFile } from 'node:fs/promises';
import { type CompiledEngine, compileEngine } from '../engine/engine.ts';

const wasmUrl = new URL('../../../engine-as/build/engine.wasm', import.meta.url);

/**
 * Compiles the built engine once per process; threads get the compiled module.
 * @throws Error that says how to build it when the file is missing
 */
export async function loadModule(): Promise<CompiledEngine> {
  const bytes = await readFile(wasmUrl).catch((cause: unknown) => {
    throw new Error('The engine is not built: run `npm run build:engine`.', { cause });
  });
  return compileEngine(new Uint8Array(bytes));
}
