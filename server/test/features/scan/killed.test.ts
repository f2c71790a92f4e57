import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKillableService, type Customer, type KillableService } from '../../support/killableService.ts';

/** More with `npm run test:statistics`. */
const killCount = Number(process.env['KILLS'] ?? 2);
const scansPerKill = 3;

let service: KillableService;
beforeAll(async () => {
  service = await createKillableService();
});
afterAll(() => service.close());

/** Sends the scan of a key once; a careful client repeats it until it gets a response. */
async function order({ headers }: Customer, key: string, responses: Map<string, string>): Promise<void> {
  if (responses.has(key)) return;
  try {
    const sent = await service.post(
      '/api/scan',
      { symbols: ['BTCUSDT', 'ETHUSDT'] },
      { ...headers, 'idempotency-key': key },
    );
    if (sent.status !== 202) return void (rejections[sent.status] = (rejections[sent.status] ?? 0) + 1);
    const { scan_id: id } = (await sent.json()) as { scan_id: string };
    responses.set(key, id);
  } catch {
    // The node was killed during the call: it is repeated when the next node listens.
  }
}

/** Responses without a scan, by status: 503 while a node that has just started is busy. */
const rejections: Record<number, number> = {};

/** Sends every order that has no response yet, twenty at a time, until none is left or it takes too long. */
async function orderAll(user: Customer, keys: readonly string[], responses: Map<string, string>): Promise<void> {
  const untilMs = Date.now() + 60_000;
  while (responses.size < keys.length && Date.now() < untilMs) {
    const open = keys.filter((key) => !responses.has(key)).slice(0, 20);
    await Promise.all(open.map((key) => order(user, key, responses)));
  }
}

describe('a node that is killed at any instant', () => {
  it(
    `loses and doubles no credit and leaves no hold behind (${killCount} kills)`,
    async () => {
      await service.node.start();
      const user = await service.addCustomer(killCount * scansPerKill);
      const responses = new Map<string, string>();
      const keys: string[] = [];
      for (let round = 0; round < killCount; round++) {
        for (let i = 0; i < scansPerKill; i++) keys.push(`round-${round}-${i}`);
        const orders = keys.filter((key) => !responses.has(key)).map((key) => order(user, key, responses));
        await delay(Math.random() * 900);
        await service.kill();
        await Promise.all(orders);
        await service.node.start();
      }
      await orderAll(user, keys, responses);
      expect(responses.size, JSON.stringify(rejections)).toBe(keys.length);
      await expect
        .poll(() => service.count(`from scans where status in ('queued', 'running')`), { timeout: 150_000 })
        .toBe(0);
      await service.node.kill();
      const doneCount = await service.count(`from scans where status = 'done'`);
      expect(await service.count('from scans')).toBe(keys.length);
      expect(new Set(responses.values()).size).toBe(keys.length);
      expect(await service.readLedger(user.id)).toEqual({
        credits: 10 + killCount * scansPerKill - doneCount,
        open: 0,
        violations: [],
      });
      process.stdout.write(
        `scans killed ${JSON.stringify({ kills: killCount, scans: keys.length, done: doneCount, refusals: rejections })}\n`,
      );
    },
    240_000 + killCount * 25_000,
  );
});
