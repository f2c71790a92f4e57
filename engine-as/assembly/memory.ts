// One bump allocator for everything: the host pushes candles, kernels take scratch, the host resets after a task.

const PAGE_BYTES: usize = 65536;
const ALIGNMENT_MASK: usize = 15; // 16 bytes: one v128

const base: usize = (__heap_base + ALIGNMENT_MASK) & ~ALIGNMENT_MASK;
let top: usize = base;
let highWater: usize = base;

/** Reserves `bytes`, 16-byte aligned and not cleared. Returns 0 when the declared memory maximum is reached. */
export function arenaReserve(bytes: usize): usize {
  const address = top;
  const size = (bytes + ALIGNMENT_MASK) & ~ALIGNMENT_MASK;
  const end = address + size;
  if (size < bytes || end < address) return 0; // 32-bit wrap: more than the address space holds
  if (!ensure(end)) return 0;
  top = end;
  if (end > highWater) highWater = end;
  return address;
}

export function arenaReset(): void {
  top = base;
}

export function arenaMark(): usize {
  return top;
}

export function arenaRelease(mark: usize): void {
  if (mark >= base && mark < top) top = mark;
}

export function arenaHighWater(): usize {
  return highWater - base;
}

/** Grows by half as much again, so that many small reservations do not mean many grows; by the exact need when that fails. */
function ensure(end: usize): bool {
  const pages = <usize>memory.size();
  const needed = (end + PAGE_BYTES - 1) / PAGE_BYTES;
  if (needed <= pages) return true;
  const generous = max(needed - pages, pages >> 1);
  if (memory.grow(<i32>generous) >= 0) return true;
  return memory.grow(<i32>(needed - pages)) >= 0;
}
