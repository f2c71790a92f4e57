import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookFake } from '../../../fakes/webhook/server.ts';
import { createWebhookPoster } from '../../../src/adapters/outgoing/createWebhookPoster.ts';
import type { Resolve } from '../../../src/adapters/outgoing/guardedClient.ts';

let receiver: WebhookFake;
beforeAll(async () => (receiver = await startWebhookReceiver()));
afterAll(() => receiver.close());
afterEach(() => {
  receiver.received.length = 0;
  receiver.play({ status: 204 });
});

const toReceiver = (more: { totalTimeoutMs?: number } = {}) =>
  createWebhookPoster({ exceptOrigin: receiver.origin, ...more });
const resolving =
  (...addresses: string[]): Resolve =>
  (_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** Counts connections to a local port. */
async function listenFor443(): Promise<{ server: Server; port: number; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, connections: () => count };
}

describe('a post', () => {
  it('sends the exact body and headers, and returns the status', async () => {
    const poster = toReceiver();
    const result = await poster.post(`${receiver.origin}/hook`, { 'webhook-id': 'msg_1' }, '{"a":"ü"}');
    expect(result).toEqual(ok({ status: 204, retryAfterS: undefined }));
    expect(receiver.received[0]).toMatchObject({ body: '{"a":"ü"}', headers: { 'webhook-id': 'msg_1' } });
    await poster.close();
  });

  it('does not follow a redirect', async () => {
    receiver.play({ status: 307, headers: { location: `${receiver.origin}/inside` } });
    const poster = toReceiver();
    expect(await poster.post(`${receiver.origin}/hook`, {}, '{}')).toMatchObject(ok({ status: 307 }));
    expect(receiver.received).toHaveLength(1);
    await poster.close();
  });

  it('reads the wait in seconds or as a date, and ignores nonsense', async () => {
    const poster = toReceiver();
    const after = async (header: string) => {
      receiver.play({ status: 429, headers: { 'retry-after': header } });
      const result = await poster.post(`${receiver.origin}/hook`, {}, '{}');
      return result.ok ? result.value.retryAfterS : result.error.kind;
    };
    expect(await after('35')).toBe(35);
    expect(await after(new Date(Date.now() + 90_000).toUTCString())).toBeGreaterThan(80);
    expect(await after('soon')).toBeUndefined();
    await poster.close();
  });

  it('times out on a silent receiver', async () => {
    receiver.play('hang');
    const poster = toReceiver({ totalTimeoutMs: 150 });
    expect(await poster.post(`${receiver.origin}/hook`, {}, '{}')).toMatchObject(failWith({ kind: 'unreachable' }));
    await poster.close();
  });

  it('does not read a response that never ends', async () => {
    receiver.play('endless');
    const poster = toReceiver({ totalTimeoutMs: 30_000 });
    expect(await poster.post(`${receiver.origin}/hook`, {}, '{}')).toMatchObject(ok({ status: 200 }));
    await poster.close();
  });
});

describe('a name', () => {
  it('that does not resolve is reported in a sentence, by the real resolver too', async () => {
    const poster = createWebhookPoster({ totalTimeoutMs: 30_000 });
    const result = await poster.post('https://no-such-host.invalid/hook', {}, '{}');
    expect(result).toMatchObject(failWith({ kind: 'unreachable' }));
    // Which one depends on whether this machine has a resolver.
    expect(['Unknown host name.', 'DNS lookup failed.']).toContain(result.ok ? '' : result.error.message);
    await poster.close();
  });

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['fd00:ec2::254'],
    // A public address does not make up for a private one.
    ['93.184.216.34', '127.0.0.1'],
    [],
  ])('that resolves to %s is not called', async (...addresses) => {
    const poster = createWebhookPoster({ resolve: resolving(...addresses), totalTimeoutMs: 30_000 });
    expect(await poster.post('https://hooks.example/', {}, '{}')).toEqual(
      failWith({
        kind: 'blocked',
        message: 'The URL leads to a private address.',
      }),
    );
    await poster.close();
  });

  it('that resolves to this host when the connection is made is not called', async () => {
    const inside = await listenFor443();
    const requested: string[] = [];
    const rebinding: Resolve = (host, done) => {
      requested.push(host);
      // Whatever it resolved to when the URL was stored, the connection would use this address.
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const poster = createWebhookPoster({ resolve: rebinding, totalTimeoutMs: 30_000 });
    for (let time = 0; time < 3; time++)
      expect(await poster.post('https://rebind.example:8443/', {}, '{}')).toMatchObject(failWith({ kind: 'blocked' }));
    // Resolved once per connection, and that very result is checked.
    expect(requested).toHaveLength(3);
    expect(inside.connections()).toBe(0);
    inside.server.close();
    await poster.close();
  });

  it('that changes between check and connection is called only at the checked address', async () => {
    const inside = await listenFor443();
    let count = 0;
    const tried: string[] = [];
    const onSocket = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      socket.on('connectionAttempt', (ip: string) => {
        tried.push(ip);
        // Seeing the attempt is enough: no packet of a test leaves this machine.
        socket.destroy();
      });
    };
    subscribe('net.client.socket', onSocket);
    // The first lookup returns a public address, the second one this host.
    const changing: Resolve = (_host, done) =>
      done(null, [{ address: ++count % 2 === 1 ? '198.41.0.4' : '127.0.0.1', family: 4 }]);
    const poster = createWebhookPoster({ resolve: changing, totalTimeoutMs: 30_000 });
    const first = await poster.post('https://rebind.example:8443/', {}, '{}');
    expect(first).toMatchObject(failWith({ kind: 'unreachable' }));
    expect(count).toBe(1);
    expect(await poster.post('https://rebind.example:8443/', {}, '{}')).toMatchObject(failWith({ kind: 'blocked' }));
    expect(count).toBe(2);
    expect(tried).toEqual(['198.41.0.4']);
    expect(inside.connections()).toBe(0);
    unsubscribe('net.client.socket', onSocket);
    inside.server.close();
    await poster.close();
  });

  it('that does not exist is reported as unknown', async () => {
    const missing: Resolve = (_host, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    const poster = createWebhookPoster({ resolve: missing });
    expect(await poster.post('https://nowhere.example/', {}, '{}')).toEqual(
      failWith({
        kind: 'unreachable',
        message: 'Unknown host name.',
      }),
    );
    await poster.close();
  });
});

it('an IP address in the URL is rejected before connecting, whatever a resolver returns', async () => {
  const never: Resolve = () => {
    throw new Error('a literal address is not looked up');
  };
  const poster = createWebhookPoster({ resolve: never });
  for (const url of ['https://127.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://2130706433/'])
    expect(await poster.post(url, {}, '{}')).toMatchObject(failWith({ kind: 'blocked' }));
  await poster.close();
});
