import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports a system hands out by itself: 32768 and up on Linux, 49152 and up elsewhere. */
const portMin = 12_000;
const portMax = 32_000;

/**
 * Whether nobody has asked for the port. It is then ours until this process ends: the same number is bound for UDP, where nothing of ours
 * listens. Two that ask at the same time would otherwise get the same one now and then, and one of their programs could not start.
 */
async function isReserved(port: number): Promise<boolean> {
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
 * A loopback port for a program that is told its port. The system gives it to no connection and to no program that asks for any port, so it
 * stays free until the program starts, and while the program is away for a moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if ((await isReserved(port)) && (await isFree(port))) return port;
  }
}
