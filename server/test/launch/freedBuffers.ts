import process, { argv, memoryUsage } from 'node:process';
import { startWithMallocSettings } from '../../launch/freedMemory.ts';

/**
 * Allocates and frees what a busy node does: large columns, with small ones between them that stay. Prints by how many MiB the process has
 * grown afterwards. With `product` as it is started by `npm start`.
 */
if (argv[2] === 'product') startWithMallocSettings();

const MIB = 2 ** 20;
const collect = (): void => globalThis.gc?.();
/** Typed arrays are not collected while a round runs. */
const fill = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(1);

collect();
const before = memoryUsage.rss();
const small: Uint8Array[] = [];
// The allocator takes the largest freed block as the size from which it gives blocks back.
for (const mebibytes of [4, 8, 16, 24, 31]) {
  fill(mebibytes * MIB);
  collect();
}
let large: Uint8Array[] = [];
for (let i = 0; i < 12; i++) {
  large.push(fill(20 * MIB));
  small.push(fill(MIB));
}
large = [];
collect();
// Freed by a thread of the collector.
await new Promise((resolve) => setTimeout(resolve, 500));
process.stdout.write(`${Math.round((memoryUsage.rss() - before) / MIB)} ${large.length + small.length}\n`);
