import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Contestant } from '../paired.ts';
import { ResponseReader } from './responseReader.ts';

/** A running native twin (bench/native/twin.h is the protocol). */
export interface NativeTwin {
  load(name: string, bytes: ArrayBufferView): Promise<void>;
  define(name: string, kind: string, params: readonly number[]): Promise<void>;
  /** The case as one side of a comparison; it measures its own time, the pipe is not in it. */
  contestant(name: string): Contestant;
  /** The result for one item: a copy the caller owns. */
  read(name: string, item: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/** Timeout of one request to a twin. */
const RESPONSE_MS_MAX = 60_000;

export function startTwin(path: string): NativeTwin {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(path, { stdio: ['pipe', 'pipe', 'pipe'] });
  const responses = new ResponseReader(child, RESPONSE_MS_MAX);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  async function send(request: string, payload?: ArrayBufferView): Promise<string> {
    child.stdin.write(`${request}\n`);
    if (payload !== undefined) child.stdin.write(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength));
    return responses.line(request);
  }
  async function command(request: string, payload?: ArrayBufferView): Promise<void> {
    const response = await send(request, payload);
    if (response !== 'ok') throw new Error(`native twin, ${request}: "${response}" instead of ok`);
  }

  return {
    load: (name, bytes) => command(`load ${name} ${bytes.byteLength}`, bytes),
    define: (name, kind, params) => command(['define', name, kind, ...params].join(' ')),
    contestant: (name) => ({
      async block(count) {
        if (count > 4) await send(`run ${name} 1`); // as in process: the caches are warm when the clock starts
        return Number(await send(`run ${name} ${count}`));
      },
    }),
    async read(name, item) {
      const request = `read ${name} ${item}`;
      return responses.bytes(Number(await send(request)), request);
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
