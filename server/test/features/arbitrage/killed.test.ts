import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKillableService, type Customer, type KillableService } from '../../support/killableService.ts';

/** More with `npm run test:statistics`. */
const killCount = Number(process.env['KILLS'] ?? 2);
const scansPerKill = 3;

let service: KillableService;
beforeAll(async () => {
  service = await createKillableService();
  // SOL is 1 % more expensive on OKX, so a scan of it costs a credit; one of BTC at 20 % finds nothing.
  service.exchanges.market.move({ symbol: 'SOLUSDT', factor: 1.01, venue: 'okx' }, 0);
});
afterAll(() => service.close());

const result = { symbols: ['SOLUSDT'], minSpreadPct: 0.5 };
const nothing = { symbols: ['BTCUSDT'], minSpreadPct: 20 };

/** Outcome of each scan for its caller, by key. A failure is final too: its key returns the same from then on. */
type Ends = Map<string, { status: number; charged: boolean }>;

/** Requests the scan of a key until a response arrives; retries while a node is down. */
async function order({ headers }: Customer, key: string, ends: Ends): Promise<void> {
  if (ends.has(key)) return;
  try {
    const sent = await service.post('/api/arbitrage-scan', key.endsWith('0') ? nothing : result, {
      ...headers,
      'idempotency-key': key,
    });
    // The node is busy after its start, or the scan of a killed node still counts as running.
    if (sent.status === 503 || sent.status === 504) return;
    const body = (await sent.json()) as { charged?: boolean };
    ends.set(key, { status: sent.status, charged: body.charged === true });
  } catch {
    // The node was killed during the call: retry when the next node listens.
  }
}

describe('a node that is killed during arbitrage scans', () => {
  it(
    `X11 ARB-006 loses and doubles no credit, and charges for items only (${killCount} kills)`,
    async () => {
      await service.node.start();
      const user = await service.addCustomer(killCount * scansPerKill);
      const ends: Ends = new Map();
      const keys: string[] = [];
      for (let round = 0; round < killCount; round++) {
        for (let i = 0; i < scansPerKill; i++) keys.push(`round-${round}-${i}`);
        const orders = keys.map((key) => order(user, key, ends));
        await delay(Math.random() * 500);
        await service.kill();
        await Promise.all(orders);
        await service.node.start();
      }
      // Scans of killed nodes end when their hold has expired: 25 s, and the next sweep of the ledger.
      await expect
        .poll(() => service.count(`from arbitrage_scans where status = 'running'`), { timeout: 90_000, interval: 500 })
        .toBe(0);
      await expect
        .poll(
          async () => {
            for (const key of keys) await order(user, key, ends);
            return ends.size;
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(keys.length);
      await service.node.kill();
      // One scan for each key, however often it was sent.
      expect(await service.count('from arbitrage_scans')).toBe(keys.length);
      const charged = await service.count(`from arbitrage_scans where status = 'done'`);
      expect([...ends.values()].filter((end) => end.charged).length).toBeLessThanOrEqual(charged);
      for (const [key, end] of ends) if (key.endsWith('0')) expect(end.charged, key).toBe(false);
      expect(await service.readLedger(user.id)).toEqual({
        credits: 10 + killCount * scansPerKill - charged,
        open: 0,
        violations: [],
      });
    },
    180_000 + killCount * 30_000,
  );
});
