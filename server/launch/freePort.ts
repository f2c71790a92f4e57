import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports a system hands out by itself: 32768 and up on Linux, 49152 and up elsewhere. */
const portMin = 12_000;
const portMax = 32_000;

/**
 * Reserves a port against other callers until this process exits, by binding the UDP port of the same number, which Sextant does not use
 * otherwise. Returns false when another caller has reserved it. Without this, two callers could get the same port before either program
 * listens.
 */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref();
  mark.bind({ port, address: '127.0.0.1', exclusive: true });
  try {
    await once(mark, 'listening');
    return true;
  } catch {
    mark.close();
    return false;
  }
}

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
 * A loopback port for a program that takes a fixed port. The system assigns it to no connection and to no program that binds port 0, so it
 * stays free until the program starts, and while the program is away for a moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}
