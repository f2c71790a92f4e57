import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { createServer } from '../../../src/platform/http/createServer.ts';
import { drain } from '../../../src/platform/http/drain.ts';

const clientCount = 200;

/** What one client reads until the server closes, or the code its connection broke with. */
const ask = (port: number): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });

describe('a server that stops', () => {
  it('answers everyone whose connection the machine has taken, also those it has not looked at yet', async () => {
    const app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
    app.get('/slow', async () => {
      await pause(20);
      return {};
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // connect() ends its handshake with the system at once; our own thread takes one of them a turn, and has had no turn yet.
    const answers = Array.from({ length: clientCount }, () => ask(port));
    await drain(app);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
  });
});
