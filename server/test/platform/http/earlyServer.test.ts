import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listenEarly } from '../../../src/platform/http/earlyServer.ts';
import { freePort } from '../../../launch/freePort.ts';

const host = '127.0.0.1';
const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

describe('the port while the server is loaded', () => {
  it('OPS says that the server is starting, and is handed over without a rejected connection', async () => {
    const port = await freePort();
    const url = `http://${host}:${port}`;
    const early = await listenEarly(host, port);
    const first = await fetch(`${url}/api/health`);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await first.json()).toMatchObject({ code: 'starting', status: 503 });
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);

    const statuses = new Set<number>();
    const rejected: unknown[] = [];
    let isDone = false;
    const requesting = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        await fetch(url).then(
          async (response) => {
            statuses.add(response.status);
            await response.arrayBuffer();
          },
          (error: unknown) => rejected.push(error),
        );
      }
    });
    const app = Fastify();
    closes.push(() => app.close());
    app.get('/', () => 'ready');
    const options = { host, port, handle: early.handle };
    await app.listen(options);
    early.release();
    await expect.poll(() => statuses.has(200), { timeout: 30_000 }).toBe(true);
    isDone = true;
    await Promise.all(requesting);
    expect(rejected).toEqual([]);
    expect(await (await fetch(url)).text()).toBe('ready');
  });
});
