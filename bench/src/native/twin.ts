import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Contestant } from '../paired.ts';
import { AnswerReader } from './answerReader.ts';

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
const ANSWER_MS_MAX = 60_000;

export function startTwin(path: string): NativeTwin {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(path, { stdio: ['pipe', 'pipe', 'pipe'] });
  const answers = new AnswerReader(child, ANSWER_MS_MAX);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  async function ask(request: string, payload?: ArrayBufferView): Promise<string> {
    child.stdin.write(`${request}\n`);
    if (payload !== undefined) child.stdin.write(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength));
    return answers.line(request);
  }
  async function command(request: string, payload?: ArrayBufferView): Promise<void> {
    const answer = await ask(request, payload);
    if (answer !== 'ok') throw new Error(`native twin, ${request}: "${answer}" instead of ok`);
  }

  return {
    load: (name, bytes) => command(`load ${name} ${bytes.byteLength}`, bytes),
    define: (name, kind, params) => command(['define', name, kind, ...params].join(' ')),
    contestant: (name) => ({
      async block(count) {
        if (count > 4) await ask(`run ${name} 1`); // as in process: the caches are warm when the clock starts
        return Number(await ask(`run ${name} ${count}`));
      },
    }),
    async read(name, item) {
      const request = `read ${name} ${item}`;
      return answers.bytes(Number(await ask(request)), request);
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
