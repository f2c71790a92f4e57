import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { forwardedAddresses } from '../../src/platform/http/forwardedFor.ts';
import { type MadeKey, makeKey } from '../features/apiKeys/support.ts';
import { createMarketApp, type MarketApp } from '../support/createMarketApp.ts';
import { listenOn } from '../support/readEvents.ts';

let test: MarketApp;
let origin: string;
let port: number;
let key: MadeKey;
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', note);
  test = await createMarketApp({ env: { TRUST_PROXY: 'loopback' } });
  origin = await listenOn(test.app);
  ({ port } = test.app.server.address() as AddressInfo);
  key = await makeKey(test, await test.signUp(), { scopes: ['read:signals', 'read:market', 'read:account'] });
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', note);
  test.app.server.closeAllConnections();
  await test.close();
});

const requestOf = (method: string, path: string, lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n');
const upgradeLines = [
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** Sends a text and resets the connection, immediately or a moment later. */
async function sendAndReset(text: string, waitMs: number): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  if (waitMs > 0) await pause(waitMs);
  socket.resetAndDestroy();
}

describe('a connection that is reset', () => {
  const texts: Record<string, string> = {
    'after an upgrade of the stream': requestOf('GET', '/api/stream?symbols=BTCUSDT', upgradeLines),
    'after an upgrade of a route that has none': requestOf('GET', '/api/health', upgradeLines),
    'after an upgrade of a page': requestOf('GET', '/', upgradeLines),
    'after an upgrade of a path that does not exist': requestOf('GET', '/none', upgradeLines),
    'after an upgrade of the MCP server': requestOf('POST', '/mcp', [...upgradeLines, 'content-length: 0']),
    'after an upgrade to HTTP/2': requestOf('GET', '/api/health', ['connection: upgrade', 'upgrade: h2c']),
    'after CONNECT': requestOf('CONNECT', 'localhost:443', []),
    'in the middle of a body': requestOf('POST', '/api/auth/signin', [
      'content-type: application/json',
      'content-length: 900',
      '',
      '{',
    ]),
    'after what is no HTTP': '\u0000\u0001\u0002 nonsense\r\n\r\n',
  };
  it.each(Object.entries(texts))('%s causes no uncaught exception', async (_when, text) => {
    for (let i = 0; i < 20; i++) await Promise.all([0, 0, 1, 3].map((waitMs) => sendAndReset(text, waitMs)));
    await pause(200);
    expect(uncaught).toEqual([]);
    expect((await fetch(`${origin}/api/app`)).status).toBe(200);
  });
});

describe('a WebSocket of a reader that sends', () => {
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/stream?symbols=BTCUSDT&intervals=1h`, {
      headers: key.header,
    });
    socket.on('error', () => undefined);
    await once(socket, 'open');
    return socket;
  };
  it.each([
    ['20,000 messages', (socket: WebSocket) => socket.send('x')],
    ['20,000 pings', (socket: WebSocket) => socket.ping()],
    ['a message in 20,000 parts', (socket: WebSocket) => socket.send('', { fin: false })],
  ])('%s is closed as a violation', async (_what, send) => {
    const socket = await open();
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    for (let i = 0; i < 20_000 && socket.readyState === WebSocket.OPEN; i++) send(socket);
    const [code] = await closed;
    // 1006: the connection was cut before the code could be read.
    expect([1008, 1006]).toContain(code);
  });

  it('gets the reason of its close', async () => {
    const socket = await open();
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    for (let i = 0; i < 61; i++) socket.send('x');
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1008, 'Too many messages. This stream is send-only.']);
  });

  it('may send a few messages, and none above 1 KiB', async () => {
    const socket = await open();
    for (let i = 0; i < 20; i++) socket.send('x');
    await pause(300);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    socket.send('x'.repeat(2000));
    expect((await closed)[0]).toBe(1009);
  });
});

describe('X-Forwarded-For behind a trusted proxy', () => {
  const addressOf = async (header: string): Promise<string> => {
    const response = await fetch(`${origin}/api/account/whoami`, {
      headers: { ...key.header, 'x-forwarded-for': header },
    });
    return ((await response.json()) as { ip: string }).ip;
  };
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['anything at all, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, anything at all', '127.0.0.1'],
    ['anything at all', '127.0.0.1'],
    ['<script>alert(1)</script>', '127.0.0.1'],
    ['999.1.1.1', '127.0.0.1'],
    ['unknown', '127.0.0.1'],
    ['a'.repeat(4000), '127.0.0.1'],
    [',,,', '127.0.0.1'],
  ])('%s is the address %s', async (header, address) => {
    expect((await addressOf(header)).replace(/^::ffff:/, '')).toBe(address);
  });

  it('counts at most the last twenty addresses', () => {
    expect(forwardedAddresses('203.0.113.7,'.repeat(500) + '203.0.113.8')).toHaveLength(20);
    // An IPv6 zone is free text.
    expect(forwardedAddresses('fe80::1%<script>, 203.0.113.8')).toEqual(['203.0.113.8']);
  });
});
