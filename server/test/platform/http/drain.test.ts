import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { createServer } from '../../../src/platform/http/createServer.ts';
import { drain } from '../../../src/platform/http/drain.ts';

const clientCount = 200;

/** What one client reads until the server closes, or the error code of its connection. */
const request = (port: number): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });

describe('a server that stops', () => {
  it('responds to every connection the system has accepted, including those the server has not read yet', async () => {
    const app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
    app.get('/slow', async () => {
      await pause(20);
      return {};
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // connect() completes its handshake with the system immediately; our thread accepts one per turn, and has had no turn yet.
    const responses = Array.from({ length: clientCount }, () => request(port));
    await drain(app);
    expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 200 OK']));
  });
});
