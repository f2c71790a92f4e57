import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { boundConnections } from '../../../src/platform/http/createServer.ts';

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function listen(rules: Parameters<typeof boundConnections>[1]): Promise<number> {
  const made = createServer((_request, response) => response.end('here'));
  boundConnections(made, rules);
  // Only the rules may close a connection; otherwise Node would close it 5 s after a response.
  made.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  server = made;
  return (made.address() as AddressInfo).port;
}

function open(port: number): { socket: Socket; state: { isClosed: boolean; received: string } } {
  const state = { isClosed: false, received: '' };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).on('close', () => (state.isClosed = true));
  socket.on('data', (chunk) => (state.received += chunk.toString()));
  sockets.push(socket);
  return { socket, state };
}

it('a connection without a request is cut; one with a request gets its response and stays open', async () => {
  const port = await listen({ perNetworkMax: undefined, silentMs: 1000 });
  const requesting = open(port);
  requesting.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => requesting.state.received).toContain('here');
  const silent = open(port);
  await expect.poll(() => silent.state.isClosed).toBe(true);
  expect(requesting.state.isClosed).toBe(false);
});

it('a network has a limited number of connections, and closing one frees a slot', async () => {
  const port = await listen({ perNetworkMax: 3, silentMs: 60_000 });
  const request = async () => {
    const one = open(port);
    one.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => one.state.isClosed || one.state.received !== '').toBe(true);
    return one;
  };
  const three = [await request(), await request(), await request()];
  expect(three.map(({ state }) => state.isClosed)).toEqual([false, false, false]);
  expect((await request()).state.received).toBe('');
  three[0]?.socket.destroy();
  await expect.poll(async () => (await request()).state.received).toContain('here');
});
