import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookFake } from '../../../fakes/webhook/server.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** Follows a scan to the webhooks of its owner. */
let test: MarketApp;
let receiver: WebhookFake;
let stopWorkers: () => Promise<void>;
let anna: TestUser;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  receiver.play({ status: 204 });
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off', WEBHOOK_RECEIVER_URL: receiver.origin } });
  stopWorkers = await startWorkers(test.deps, test.app.log);
  anna = await test.signUp();
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
  await receiver.close();
});

interface Result {
  signal_id: string;
  symbol: string;
  direction: string;
  outcome: string;
  filtered_by: string | null;
}
interface Message {
  type: string;
  data: Result & { scan_id: string; eligible: boolean };
}
const send = async <T>(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<T> =>
  (await test.app.inject({ method, url, headers: anna.bearer, ...(payload && { payload }) })).json<T>();

it('signal.created arrives for what may open, signal.found for every signal, with its outcome', async () => {
  const secrets = new Map<string, string>();
  for (const [name, fields] of [
    ['usual', {}],
    ['all', { events: ['signal.found'] }],
    ['none', { events: ['position.opened'] }],
  ] as const) {
    const { secret } = await send<{ secret: string }>('POST', '/api/webhooks', {
      url: `${receiver.origin}/${name}`,
      ...fields,
    });
    secrets.set(`/${name}`, secret);
  }
  await send('PUT', '/api/preferences', { min_auto_conf_pct: 30, positions_wanted: 2, auto_open_enabled: false });
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT', 'DOGEUSDT', 'LINKUSDT'];
  const { scan_id: id } = await send<{ scan_id: string }>('POST', '/api/scan', { symbols });
  const read = async () =>
    (await send<{ scan: { status: string; results: { all: Result[] } | null } }>('GET', `/api/scan/${id}`)).scan;
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('done');
  const all = (await read()).results?.all ?? [];
  const eligible = all.filter(({ outcome }) => outcome === 'ELIGIBLE');
  expect(eligible.length).toBeGreaterThan(0);
  expect(eligible.length).toBeLessThan(all.length);

  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(eligible.length + all.length);
  const reported = receiver.received.map(({ path, body, headers }) => ({
    path,
    // Throws unless the signature is that of the webhook.
    ...(new Webhook(secrets.get(path)!).verify(body, headers as Record<string, string>) as Message),
  }));
  const of = (path: string) => reported.filter((each) => each.path === path);
  const byId = <T extends { signal_id: string }>(each: readonly T[]) =>
    each.toSorted((a, b) => (a.signal_id < b.signal_id ? -1 : 1));
  const shape = ({ signal_id, symbol, direction, outcome, filtered_by }: Result) => ({
    signal_id,
    symbol,
    direction,
    outcome,
    filtered_by,
  });
  expect(new Set(of('/usual').map(({ type }) => type))).toEqual(new Set(['signal.created']));
  expect(byId(of('/usual').map(({ data }) => shape(data)))).toEqual(byId(eligible.map(shape)));
  expect(new Set(of('/all').map(({ type }) => type))).toEqual(new Set(['signal.found']));
  expect(byId(of('/all').map(({ data }) => shape(data)))).toEqual(byId(all.map(shape)));
  expect(of('/none')).toEqual([]);
  for (const { data } of reported) {
    expect(data.scan_id).toBe(id);
    expect(data.eligible).toBe(data.outcome === 'ELIGIBLE');
  }
}, 150_000);
