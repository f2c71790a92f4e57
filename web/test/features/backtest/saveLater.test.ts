import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ref } from 'valtio';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runState } from '../../../src/features/backtest/backtestState.ts';
import { runOf, summaryOf } from '../../support/runs.ts';
import { patiently } from '../../support/patiently.ts';

/** Runs the server received; while it is away it closes the connection. */
const saved: number[] = [];
let isAway = false;
let hangUpCount = 0;
let rejection: string | undefined;

const server = createServer((request, response) => {
  if (isAway) {
    hangUpCount += 1;
    return void response.destroy();
  }
  let text = '';
  request.on('data', (part: Buffer) => (text += part.toString()));
  request.on('end', () => {
    if (rejection !== undefined) {
      response.setHeader('content-type', 'application/problem+json');
      return response.writeHead(400).end(JSON.stringify({ code: 'x', message: rejection }));
    }
    response.setHeader('content-type', 'application/json');
    saved.push((JSON.parse(text) as { metrics: { pnl: number } }).metrics.pnl);
    return response.end('{"state":null}');
  });
});
const page = new EventTarget();

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('window', Object.assign(page, { location: { origin: `http://127.0.0.1:${port}` } }));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const show = (netPnl: number) => {
  runState.run = ref(runOf({ summary: summaryOf({ netPnl }) }));
};

it('a result is saved a moment later; without the server it waits, over a visit to another tab, and the newest is saved once', async () => {
  const { startSaving } = await import('../../../src/features/backtest/saveLater.ts');
  const { toastState } = await import('../../../src/state/toasts.ts');
  const words = () => toastState.list.map(({ text }) => text);
  let stop = startSaving(5);
  show(1);
  await vi.waitFor(() => expect(saved).toEqual([1]), patiently);

  isAway = true;
  show(2);
  const waits = 'Offline: your backtest is saved when you reconnect.';
  await vi.waitFor(() => expect(words()).toEqual([waits]), patiently);
  toastState.list = [];
  show(3);
  stop();
  stop = startSaving(60_000);
  // The second failure is not reported again; the first message still holds.
  await vi.waitFor(() => expect(hangUpCount).toBe(2), patiently);
  // Wait until the failure of the aborted request has arrived.
  await new Promise((done) => setTimeout(done, 100));
  expect(words()).toEqual([]);
  isAway = false;
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(saved).toEqual([1, 3]), patiently);
  page.dispatchEvent(new Event('online'));
  stop();

  // An API error is not a network failure: its message is shown unchanged, and the save is not retried automatically.
  stop = startSaving(5);
  rejection = 'Too large.';
  show(4);
  await vi.waitFor(() => expect(words()).toEqual(['Too large.']), patiently);
  rejection = undefined;
  page.dispatchEvent(new Event('online'));
  show(5);
  await vi.waitFor(() => expect(saved).toEqual([1, 3, 5]), patiently);
  stop();

  // A page that is left does not wait.
  stop = startSaving(60_000);
  show(6);
  page.dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect(saved).toEqual([1, 3, 5, 6]), patiently);
  stop();
});
