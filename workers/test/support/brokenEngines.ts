import type { CompiledEngine } from '../../src/engine/engine.ts';

/**
 * A module with the exports that a task calls first. In text form:
 * (module (memory (export "memory") 1)
 *   (func (export "arenaReserve") (param i32) (result i32) BODY)
 *   (func (export "arenaReset")))
 */
const bytesWith = (body: number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x01, 0x09, 0x02, 0x60, 0x01, 0x7f, 0x01, 0x7f, 0x60, 0x00, 0x00], // types (i32) -> i32, () -> ()
    ...[0x03, 0x03, 0x02, 0x00, 0x01], // two functions
    ...[0x05, 0x03, 0x01, 0x00, 0x01], // one page of memory
    ...[0x07, 0x26, 0x03], // three exports
    ...[0x06, ...ascii('memory'), 0x02, 0x00],
    ...[0x0c, ...ascii('arenaReserve'), 0x00, 0x00],
    ...[0x0a, ...ascii('arenaReset'), 0x00, 0x01],
    ...[0x0a, body.length + 7, 0x02, body.length + 2, 0x00, ...body, 0x0b, 0x02, 0x00, 0x0b], // code
  ]);

function ascii(text: string): number[] {
  return Array.from(new TextEncoder().encode(text));
}

/** `arenaReserve` never returns: what a kernel with an endless loop looks like from outside. (loop (br 0)) (unreachable) */
export async function hangingEngine(): Promise<CompiledEngine> {
  return { module: await WebAssembly.compile(bytesWith([0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00])), hash: 'hanging' };
}

/** `arenaReserve` returns 0: the memory maximum is reached. (i32.const 0) */
export async function fullEngine(): Promise<CompiledEngine> {
  return { module: await WebAssembly.compile(bytesWith([0x41, 0x00])), hash: 'full' };
}
