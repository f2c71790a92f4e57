import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFailures, RECENT_MS } from '../../../src/platform/failures/failures.ts';

/** Runs a script in a child process, because an uncaught error would end this one. */
async function run(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: join(import.meta.dirname, '../../../src/platform/failures'),
  });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: parts.join('') };
}

const prepared = `
  import { EventEmitter } from 'node:events';
  import { lookup } from 'node:dns';
  import { createFailures, guardProcess } from './failures.ts';
  const seen = [];
  const failures = createFailures({ log: (error, origin) => { seen.push(origin); throw new Error('the log is full'); } });
  guardProcess(failures);
`;

describe('a process with the guard', () => {
  it('continues after errors in a timer, an emitter, a callback and a promise, and counts each', async () => {
    const { code, output } = await run(`${prepared}
      setTimeout(() => { throw new Error('timer'); }, 1);
      setImmediate(() => new EventEmitter().emit('error', new Error('emitter')));
      lookup('a name that does not resolve.invalid', { all: true }, (error, addresses) => { const [first] = addresses; });
      void Promise.reject(new Error('promise'));
      void Promise.reject(undefined);
      const untilMs = performance.now() + 20_000;
      const look = setInterval(() => {
        if (failures.count() < 5 && performance.now() < untilMs) return;
        clearInterval(look);
        console.log(JSON.stringify({ count: failures.count(), isRecent: failures.isRecent(), seen: seen.length }));
      }, 5);
    `);
    expect({ code, output: output.trim() }).toEqual({ code: 0, output: '{"count":5,"isRecent":true,"seen":5}' });
  });

  it('ends by the same error without the guard', async () => {
    const { code } = await run(`setTimeout(() => { throw new Error('timer'); }, 1);`);
    expect(code).not.toBe(0);
  });
});

it('a failure is recent for ten minutes', () => {
  let nowMs = 5;
  const failures = createFailures({ log: () => undefined, nowMs: () => nowMs });
  expect([failures.count(), failures.isRecent()]).toEqual([0, false]);
  failures.record(new Error('once'), 'uncaughtException');
  nowMs += RECENT_MS - 1;
  expect([failures.count(), failures.isRecent()]).toEqual([1, true]);
  nowMs += 1;
  expect([failures.count(), failures.isRecent()]).toEqual([1, false]);
});
