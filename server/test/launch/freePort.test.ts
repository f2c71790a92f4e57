import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../launch/freePort.ts';

/** Calls `freePort` in another process whose random numbers are the first port twice and then the second. */
async function requestedElsewhere(...ports: readonly [number, number]): Promise<number> {
  const module = join(import.meta.dirname, '../../launch/freePort.ts');
  const code = `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const numbers = [${ports[0]}, ${ports[0]}, ${ports[1]}];
    crypto.randomInt = () => numbers.shift();
    syncBuiltinESMExports();
    const { freePort } = await import(${JSON.stringify(module)});
    process.stdout.write(String(await freePort()));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return Number(stdout);
}

it('a reserved port is given to no other process, and its program can listen there', async () => {
  const [ours, other] = [await freePort(), await freePort()];
  expect(other).not.toBe(ours);
  const free = [ours - 2, ours - 1, ours + 1, ours + 2].find(
    (port) => port > 12_000 && port < 32_000 && port !== other,
  )!;
  expect(await requestedElsewhere(ours, free)).not.toBe(ours);
  const server = createServer().listen(ours, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  // Closed briefly, as between a kill and the next start.
  expect(await requestedElsewhere(ours, free)).not.toBe(ours);
});
