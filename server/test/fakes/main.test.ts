import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '../../fakes/main.ts');
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('the fakes as a program', () => {
  it('report their URL to the parent, serve requests there, and end with the parent', async () => {
    const child = fork(program, [], { env: { PATH: process.env['PATH'] }, stdio: 'ignore' });
    started.push(child);
    const [message] = (await once(child, 'message')) as [{ type: string; exchanges: string }];
    expect(message.type).toBe('listening');
    const response = await fetch(`${message.exchanges}/fapi/v1/ticker/price?symbol=BTCUSDT`);
    expect(await response.json()).toMatchObject({ symbol: 'BTCUSDT' });
    const exit = once(child, 'exit');
    child.disconnect();
    expect((await exit)[0]).toBe(0);
  });

  it('also run alone, and end on SIGTERM', async () => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(line.toString()).toMatch(
      /^exchanges http:\/\/127\.0\.0\.1:\d+\nsmtp smtp:\/\/127\.0\.0\.1:\d+\nmailbox http:\/\/127\.0\.0\.1:\d+\ntelegram http:\/\/127\.0\.0\.1:\d+\nwebhooks http:\/\/127\.0\.0\.1:\d+\npayments http:\/\/127\.0\.0\.1:\d+\nnews http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
  });

  it('report in one line what is wrong with a replay folder', async () => {
    const env = { PATH: process.env['PATH'], MARKET_REPLAY: '/nowhere/at/all' };
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(child);
    // Listen first: it exits right after its line.
    const exit = once(child, 'exit');
    const [line] = (await once(child.stderr, 'data')) as [Buffer];
    expect(line.toString()).toMatch(/^fakes: .*\/nowhere\/at\/all.*\n$/);
    expect((await exit)[0]).toBe(1);
  });
});
