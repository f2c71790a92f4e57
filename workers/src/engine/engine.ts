import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BacktestExports } from '@sextant/engine-as/abi/backtestExports.ts';
import type { EnsembleExports } from '@sextant/engine-as/abi/ensembleExports.ts';
import type { FormationExports } from '@sextant/engine-as/abi/formationExports.ts';
import type { HonestyExports } from '@sextant/engine-as/abi/honestyExports.ts';
import type { IndicatorExports } from '@sextant/engine-as/abi/indicatorExports.ts';
import type { MemoryExports } from '@sextant/engine-as/abi/memoryExports.ts';
import type { OptimizeExports } from '@sextant/engine-as/abi/optimizeExports.ts';
import type { PatternExports } from '@sextant/engine-as/abi/patternExports.ts';
import type { RuleExports } from '@sextant/engine-as/abi/ruleExports.ts';
import type { PortfolioExports } from '@sextant/engine-as/abi/portfolioExports.ts';
import type { ScanExports } from '@sextant/engine-as/abi/scanExports.ts';
import type { SpreadExports } from '@sextant/engine-as/abi/spreadExports.ts';
import type { VoteExports } from '@sextant/engine-as/abi/voteExports.ts';

/** The engine bound to one memory. Not shared between tasks that run at the same time. */
export interface Engine {
  raw: EngineExports;
  /** Copies a column into the arena and returns its address. @throws OutOfMemory */
  push(column: Float64Array): number;
  /** Reserves room for `length` f64 values, not cleared, and returns its address. @throws OutOfMemory */
  reserve(length: number): number;
  /** Reserves `count` bytes (16-byte aligned, not cleared) and returns their address. @throws OutOfMemory */
  reserveBytes(count: number): number;
  /** Copies `length` f64 values out, so the result survives the next reset. */
  pull(address: number, length: number): Float64Array<ArrayBuffer>;
  /** A window on the arena; it dies with the next reserve, push or kernel call. Never keep one. */
  f64View(address: number, length: number): Float64Array<ArrayBuffer>;
  i32View(address: number, length: number): Int32Array<ArrayBuffer>;
  i8View(address: number, length: number): Int8Array<ArrayBuffer>;
  u8View(address: number, length: number): Uint8Array<ArrayBuffer>;
}

/** The arena reached the engine's declared maximum; a host turns it into the task error `out_of_memory`. */
export class OutOfMemory extends Error {
  override name = 'OutOfMemory';
}

export interface CompiledEngine {
  module: WebAssembly.Module;
  /** SHA-256 of the wasm file, lower-case hex: names the engine in every result. */
  hash: string;
}

/** Hashes with our own code, because `crypto.subtle` is missing in pages that were not loaded over https. */
export async function compileEngine(bytes: Uint8Array<ArrayBuffer>): Promise<CompiledEngine> {
  return { module: await WebAssembly.compile(bytes), hash: bytesToHex(sha256(bytes)) };
}

export function instantiate(module: WebAssembly.Module): Engine {
  const raw = new WebAssembly.Instance(module, {}).exports as unknown as EngineExports;
  // Memory that grows gets a new buffer, so each access makes a fresh view instead of caching one.
  const buffer = (): ArrayBuffer => raw.memory.buffer;
  const f64View = (address: number, length: number): Float64Array<ArrayBuffer> =>
    new Float64Array(buffer(), address, length);

  function reserveBytes(count: number): number {
    const address = count <= 0x7fffffff ? raw.arenaReserve(count) : 0;
    if (address === 0) throw new OutOfMemory(`the engine's memory maximum does not hold ${count} more bytes`);
    return address;
  }
  const reserve = (length: number): number => reserveBytes(length * Float64Array.BYTES_PER_ELEMENT);

  return {
    raw,
    reserve,
    reserveBytes,
    push(column) {
      const address = reserve(column.length);
      f64View(address, column.length).set(column);
      return address;
    },
    pull: (address, length) => f64View(address, length).slice(),
    f64View,
    i32View: (address, length) => new Int32Array(buffer(), address, length),
    i8View: (address, length) => new Int8Array(buffer(), address, length),
    u8View: (address, length) => new Uint8Array(buffer(), address, length),
  };
}

/** Raw exports of engine.wasm: one interface per part of the engine, each beside the layout of the memory it reads. */
type EngineExports = MemoryExports &
  IndicatorExports &
  VoteExports &
  HonestyExports &
  BacktestExports &
  OptimizeExports &
  PatternExports &
  FormationExports &
  RuleExports &
  PortfolioExports &
  ScanExports &
  EnsembleExports &
  SpreadExports;
