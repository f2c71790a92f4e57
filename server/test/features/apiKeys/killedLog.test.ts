import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKillableService, type Customer, type KillableService } from '../../support/killableService.ts';

/** More with `npm run test:statistics`. */
const killCount = Number(process.env['KILLS'] ?? 2);
/** Calls a killed node may have buffered in memory. */
const lostMs = 1000;

let service: KillableService;
beforeAll(async () => {
  service = await createKillableService();
});
afterAll(() => service.close());

interface Made {
  requestId: string;
  respondedAtMs: number;
}

async function makeKey({ headers }: Customer): Promise<string> {
  const plan = await service.post('/api/account/api-subscription', { plan: 'BUSINESS' }, headers);
  expect(plan.status).toBe(200);
  const made = await service.post('/api/account/api-keys', { name: 'Killed' }, headers);
  return ((await made.json()) as { api_key: string }).api_key;
}

/** Calls until stopped, and records when each response arrived. */
async function callUntil(key: string, state: { isOver: boolean }, made: Made[]): Promise<void> {
  while (!state.isOver) {
    try {
      const response = await fetch(`${service.node.url}/api/account/whoami`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      made.push({ requestId: response.headers.get('x-request-id') ?? '', respondedAtMs: performance.now() });
    } catch {
      // The node was killed during the call.
    }
    await delay(20);
  }
}

/** Longest response time of the database until stopped, in ms: calls are served from memory, but logged in the database. */
async function longestResponse(state: { isOver: boolean }): Promise<number> {
  let longestMs = 0;
  while (!state.isOver) {
    const requestedAtMs = performance.now();
    await service.database.asOwner('select 1');
    longestMs = Math.max(longestMs, performance.now() - requestedAtMs);
    await delay(100);
  }
  return longestMs;
}

describe('the log of a node that is killed', () => {
  it(
    `loses at most the calls of its last second (${killCount} kills)`,
    async () => {
      await service.node.start();
      const key = await makeKey(await service.addCustomer(1000));
      for (let round = 0; round < killCount; round += 1) {
        const made: Made[] = [];
        const state = { isOver: false };
        const calling = callUntil(key, state, made);
        const watching = longestResponse(state);
        // A node that has just started serves few calls at first while others use the processor.
        await expect.poll(() => made.length, { timeout: 90_000 }).toBeGreaterThan(20);
        await delay(1500 + Math.random() * 1500);
        const killedAtMs = performance.now();
        await service.node.kill();
        state.isOver = true;
        await calling;
        const slowestMs = await watching;
        // A stall of the machine delays writes as long as responses; the same holds for the database.
        const gaps = made.slice(1).map(({ respondedAtMs }, i) => respondedAtMs - (made[i]?.respondedAtMs ?? 0));
        const stoodStillMs = Math.max(0, ...gaps.slice(-100));
        const old = made.filter(({ respondedAtMs }) => respondedAtMs < killedAtMs - lostMs - stoodStillMs - slowestMs);
        expect(old.length).toBeGreaterThan(10);
        const rows = await service.database.asOwner<{ request_id: string }>(
          'select request_id from api_calls where request_id = any ($1::uuid[])',
          [old.map(({ requestId }) => requestId)],
        );
        const retained = new Set(rows.map((row) => row.request_id));
        expect(old.filter(({ requestId }) => !retained.has(requestId))).toEqual([]);
        // No call is stored twice.
        expect(rows).toHaveLength(old.length);
        await service.kill();
        await service.node.start();
      }
    },
    120_000 + killCount * 120_000,
  );
});
