import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import type { App } from '../../../src/platform/http/app.ts';
import { createServer } from '../../../src/platform/http/createServer.ts';

/** More than the buffers of two sockets hold, so that the server must wait for the reader. */
const responseBytes = 48 * 1024 * 1024;
/** Long compared with the time a busy machine takes to wake a reader. */
const stalledMs = 2000;

let app: App;
let port: number;
let cutAfterMs: number;
beforeAll(async () => {
  app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
  app.get('/api/large', (_request, reply) => reply.type('application/octet-stream').send(Buffer.alloc(responseBytes)));
  app.get('/api/public', (_request, reply) => reply.header('cache-control', 'public, max-age=5').send({}));
  app.get('/api/plain', () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  cutAfterMs = app.server.timeout;
  app.server.timeout = stalledMs;
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

const request = (): Socket => {
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /api/large HTTP/1.1\r\nhost: x\r\n\r\n'));
  return socket.on('error', () => undefined);
};
const connectionCount = (): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));

describe('an idle connection', () => {
  it('is cut after a minute', () => {
    expect(cutAfterMs).toBe(60_000);
  });

  it('is cut during a response that is not read', async () => {
    const accepted = once(app.server, 'connection');
    const deaf = request().pause();
    await accepted;
    await expect.poll(connectionCount).toBe(0);
    deaf.destroy();
  });

  it('that moves slowly is not idle: it gets the whole response', { timeout: 60_000 }, async () => {
    const slow = request();
    let byteCount = 0;
    let nextPauseAt = responseBytes / 11;
    for await (const chunk of slow) {
      byteCount += (chunk as Buffer).length;
      if (byteCount >= responseBytes) break;
      if (byteCount < nextPauseAt) continue;
      // Ten pauses, together twice the limit and each far below it, because a busy machine makes them longer.
      nextPauseAt += responseBytes / 11;
      await pause(0.2 * stalledMs);
    }
    expect(byteCount).toBeGreaterThanOrEqual(responseBytes);
  });
});

describe('a response of the API', () => {
  it('is not cached unless its route says otherwise', async () => {
    expect((await app.inject({ url: '/api/plain' })).headers['cache-control']).toBe('no-store');
    expect((await app.inject({ url: '/api/public' })).headers['cache-control']).toBe('public, max-age=5');
  });
});
