import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports a system hands out by itself: 32768 and up on Linux, 49152 and up elsewhere. */
const portMin = 12_000;
const portMax = 32_000;

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * A loopback port for a program that is told its port. The system gives it to no connection and to no program that asks for any port, so it
 * stays free until the program starts, and while the program is away for a moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) return port;
  }
}
