/** Exports of assembly/memory.ts as the host sees them: addresses and byte counts are plain numbers. */
export interface MemoryExports {
  memory: WebAssembly.Memory;
  /** Address of `bytes` fresh bytes (16-byte aligned, not cleared), or 0 when the memory maximum is reached. */
  arenaReserve(bytes: number): number;
  /** Frees everything; the memory itself stays grown. */
  arenaReset(): void;
  /** A place to come back to with arenaRelease. */
  arenaMark(): number;
  /** Frees everything reserved since `mark`. */
  arenaRelease(mark: number): void;
  /** Most bytes in use at one time since the module was instantiated. */
  arenaHighWater(): number;
}
