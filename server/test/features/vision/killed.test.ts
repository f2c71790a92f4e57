import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawnCandle, drawChart } from '../../../../workers/test/vision/drawChart.ts';
import { chartStyles } from '../../../../workers/test/vision/styles.ts';
import type { VisionAnalysis } from '../../../src/features/vision/contract.ts';
import { createKillableService, type Customer, type KillableService } from '../../support/killableService.ts';
import type { Bars } from './support.ts';

/** KILLS=100 for the long run. */
const killCount = Number(process.env['KILLS'] ?? 1);

let service: KillableService;
/** A picture of a market that leans in a direction: its analysis is usable, so it costs a credit. */
let picture: Uint8Array;
beforeAll(async () => {
  service = await createKillableService();
  await service.node.start();
  const { headers } = await service.addCustomer(0, 'first@example.com');
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${service.node.url}${path}`, { headers })).json()) as T;
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT'];
  for (const symbol of symbols) {
    const { direction } = await get<{ direction: string }>(`/api/ensemble?symbol=${symbol}&intervals=1h,4h`);
    if (direction !== 'LONG' && direction !== 'SHORT') continue;
    const { candles: bars } = await get<{ candles: Bars }>(`/api/klines?symbol=${symbol}&interval=1h&limit=80`);
    const candles = bars.close.map((close, i): DrawnCandle => ({
      open: bars.open[i]!,
      high: bars.high[i]!,
      low: bars.low[i]!,
      close,
      volume: 1,
    }));
    ({ bytes: picture } = await drawChart(chartStyles[0]!, candles, { format: 'png', quality: 100, scale: 1 }));
    return;
  }
  throw new Error('every symbol is neutral');
}, 240_000);
afterAll(() => service.close());

interface Order {
  customer: Customer;
  key: string;
  end: { status: number; analysis: VisionAnalysis | null } | null;
}

/** Sends the picture of an order until a response arrives; retries while a node is down. */
async function send(order: Order): Promise<void> {
  if (order.end !== null) return;
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'chart.png');
  try {
    const sent = await fetch(`${service.node.url}/api/vision/analyze`, {
      method: 'POST',
      headers: { ...order.customer.headers, 'idempotency-key': order.key },
      body: form,
    });
    const { analysis = null } = (await sent.json()) as { analysis?: VisionAnalysis };
    // Busy or still running.
    if (![409, 503, 504].includes(sent.status)) order.end = { status: sent.status, analysis };
  } catch {
    // The node was killed during the call: it is repeated when the next node listens.
  }
}

/** A separate account per order: the analysis of a killed node holds the one slot of its user until its hold has expired. */
async function orderOf(name: string): Promise<Order> {
  // All sign-ups come from one address.
  await service.database.asOwner('delete from rate_limits');
  return { customer: await service.addCustomer(0, `${name}@example.com`), key: name, end: null };
}

const ledgerCount = (kind: string, { customer }: Order): Promise<number> =>
  service.count(`from credit_ledger where reason = 'vision' and kind = '${kind}' and user_id = '${customer.id}'`);

/** One hold, and one end of it: a charge for a usable result, otherwise the credit back. */
async function expectSettledOnce(order: Order): Promise<boolean> {
  const [held, captured, released] = [
    await ledgerCount('hold', order),
    await ledgerCount('capture', order),
    await ledgerCount('release', order),
  ];
  expect({ key: order.key, held, settled: captured + released }).toEqual({ key: order.key, held: 1, settled: 1 });
  const isUsable = order.end?.status === 200 && order.end.analysis?.credit_refunded === false;
  expect({ key: order.key, captured }).toEqual({ key: order.key, captured: Number(isUsable) });
  expect(await service.readLedger(order.customer.id)).toEqual({ credits: 10 - captured, open: 0, violations: [] });
  return isUsable;
}

describe('a node that is killed during chart analyses', () => {
  it('VIS-017 a finished analysis is charged exactly once, also when its node dies and its key is sent again', async () => {
    const order = await orderOf('answered');
    await expect.poll(() => send(order).then(() => order.end?.status), { timeout: 120_000, interval: 300 }).toBe(200);
    const responded = order.end?.analysis;
    await service.kill();
    await service.node.start();
    order.end = null;
    await expect.poll(() => send(order).then(() => order.end?.status), { timeout: 120_000, interval: 300 }).toBe(200);
    expect(order.end!.analysis).toEqual(responded);
    expect(await expectSettledOnce(order)).toBe(true);
  }, 300_000);

  it(
    `VIS-017 loses and doubles no credit, and leaves no analysis under way (${killCount} kills)`,
    async () => {
      const orders: Order[] = [];
      for (let round = 0; round < killCount; round++) {
        const order = await orderOf(`round-${round}`);
        orders.push(order);
        const sent = send(order);
        await delay(Math.random() * 4000);
        await service.kill();
        await sent;
        await service.node.start();
      }
      // Analyses of killed nodes end when their hold has expired, and the next sweep of the ledger.
      await expect
        .poll(() => service.count(`from vision_analyses where status = 'running'`), { timeout: 120_000, interval: 500 })
        .toBe(0);
      for (const order of orders)
        await expect
          .poll(() => send(order).then(() => order.end !== null), { timeout: 120_000, interval: 300 })
          .toBe(true);
      await service.node.kill();
      for (const order of orders) await expectSettledOnce(order);
    },
    240_000 + killCount * 90_000,
  );
});
