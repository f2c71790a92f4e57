import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { grant } from '../../../src/features/credits/ledger.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';

/** More with `npm run test:statistics`. */
const killCount = Number(process.env['KILLS'] ?? 2);
const scansPerKill = 3;

let database: TestDatabase;
let exchanges: ExchangesFake;
let node: KillableNode;
beforeAll(async () => {
  database = await createTestDatabase();
  exchanges = await startExchanges();
  node = await createKillableNode({ DATABASE_URL: database.ownerUrl, EXCHANGES_URL: exchanges.url });
});
afterAll(async () => {
  await node.close();
  await exchanges.close();
  await database.drop();
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

interface Account {
  id: string;
  headers: Record<string, string>;
}

async function signUp(): Promise<Account> {
  const body = { email: 'killed@example.com', password: 'correct horse battery' };
  const answer = await post('/api/auth/signup', body, { origin: node.url });
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
  return { id: user.id, headers: { authorization: `Bearer ${token}` } };
}

/** Sends the scan of a key once; a careful client does so until it has an answer. */
async function order({ headers }: Account, key: string, answers: Map<string, string>): Promise<void> {
  if (answers.has(key)) return;
  try {
    const sent = await post('/api/scan', { symbols: ['BTCUSDT', 'ETHUSDT'] }, { ...headers, 'idempotency-key': key });
    if (sent.status !== 202) return void (refusals[sent.status] = (refusals[sent.status] ?? 0) + 1);
    const { scan_id: id } = (await sent.json()) as { scan_id: string };
    answers.set(key, id);
  } catch {
    // Killed under us: asked again when the next node listens.
  }
}

/** Orders that were answered, but not with a scan, by status: 503 while a node that has just started is busy. */
const refusals: Record<number, number> = {};

/** Orders everything that has no answer yet, twenty at a time, until there is nothing left or it takes too long. */
async function orderAll(user: Account, keys: readonly string[], answers: Map<string, string>): Promise<void> {
  const untilMs = Date.now() + 60_000;
  while (answers.size < keys.length && Date.now() < untilMs) {
    const open = keys.filter((key) => !answers.has(key)).slice(0, 20);
    await Promise.all(open.map((key) => order(user, key, answers)));
  }
}

const count = async (text: string): Promise<number> =>
  (await database.asOwner<{ count: number }>(`select count(*)::int as count ${text}`))[0]?.count ?? -1;

describe('a node that is killed at any instant', () => {
  it(
    `loses and doubles no credit and leaves no hold behind (${killCount} kills)`,
    async () => {
      await node.start();
      const user = await signUp();
      await withSystem(database.db, (tx) =>
        grant(tx, { userId: user.id, credits: killCount * scansPerKill, reason: 'purchase', key: 'enough' }),
      );
      const answers = new Map<string, string>();
      const keys: string[] = [];
      for (let round = 0; round < killCount; round++) {
        for (let i = 0; i < scansPerKill; i++) keys.push(`round-${round}-${i}`);
        const orders = keys.filter((key) => !answers.has(key)).map((key) => order(user, key, answers));
        await delay(Math.random() * 900);
        await node.kill();
        // The test ended the process, not the job: such deaths do not set a job aside here.
        await database.asOwner('delete from job_runs');
        await Promise.all(orders);
        await node.start();
      }
      await orderAll(user, keys, answers);
      expect(answers.size, JSON.stringify(refusals)).toBe(keys.length);
      await expect.poll(() => count(`from scans where status in ('queued', 'running')`), { timeout: 75_000 }).toBe(0);
      await node.kill();
      const doneCount = await count(`from scans where status = 'done'`);
      expect(await count('from scans')).toBe(keys.length);
      expect(new Set(answers.values()).size).toBe(keys.length);
      const [sums] = await database.asOwner<{ credits: number; open: number }>(
        `select credits, (select count(*)::int from credit_ledger h where kind = 'hold'
          and not exists (select from credit_ledger s where s.hold_id = h.id)) as open from balances where user_id = $1`,
        [user.id],
      );
      expect(sums).toEqual({ credits: 10 + killCount * scansPerKill - doneCount, open: 0 });
      expect(await findViolations(database.db)).toEqual([]);
      process.stdout.write(
        `K1 ${JSON.stringify({ kills: killCount, scans: keys.length, done: doneCount, refusals })}\n`,
      );
    },
    120_000 + killCount * 25_000,
  );
});
