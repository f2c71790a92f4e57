import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/createTestApp.ts';

/** Twice as many as the credits pay for; 1,000 with `npm run test:statistics`. */
const orderCount = process.env['STATISTICS'] === 'full' ? 1000 : 200;
const credits = orderCount / 2;
/** Number of concurrent scans: all of them. */
const atOnce = Number(process.env['MANY_SCANS_AT_ONCE'] ?? orderCount);

describe('many scans at once', () => {
  it(`${orderCount} on ${credits} credits: half accepted, half rejected as Insufficient credits, nothing left and nothing owed`, async () => {
    const quiet = await createTestApp();
    const anna = await quiet.signUp();
    await quiet.database.asOwner(
      `with g as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
        values ($1, 'grant', 'purchase', $2::int - 10, 'p')) update balances set credits = $2 where user_id = $1`,
      [anna.id, credits],
    );
    const counts: Record<number, number> = {};
    const titles = new Set<string>();
    const ids = new Set<string>();
    /** Like a careful client: repeats the key, when the server says, until the response is not 503. */
    async function order(key: string): Promise<void> {
      const headers = { ...anna.bearer, 'idempotency-key': key };
      const payload = { symbols: ['BTCUSDT'] };
      const response = await quiet.app.inject({ method: 'POST', url: '/api/scan', headers, payload });
      const { scan_id: id, title } = response.json<{ scan_id?: string; title?: string }>();
      counts[response.statusCode] = (counts[response.statusCode] ?? 0) + 1;
      if (response.statusCode === 503) {
        const afterS = Number(response.headers['retry-after']);
        expect(afterS, response.body).toBeGreaterThan(0);
        // Spread out, as a client spreads its retries.
        await pause(1000 * afterS * (1 + Math.random()));
        return order(key);
      }
      if (id !== undefined) ids.add(id);
      if (title !== undefined) titles.add(title);
    }
    const keys = Array.from({ length: orderCount }, (_, i) => `scan-${i}`);
    const send = async (): Promise<void> => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await order(key);
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    const { 503: busy = 0, ...responded } = counts;
    expect(responded).toEqual({ 202: credits, 402: credits });
    expect(ids.size).toBe(credits);
    expect([...titles].filter((title) => title === 'Insufficient credits')).toHaveLength(1);
    const [sums] = await quiet.database.asOwner(
      `select credits, (select count(*)::int from scans) as scans, (select count(*)::int from jobs.job) as jobs,
        (select sum(delta_credits)::int from credit_ledger) as ledger from balances`,
    );
    expect(sums).toEqual({ credits: 0, scans: credits, jobs: credits, ledger: 0 });
    process.stdout.write(`scans at once ${JSON.stringify({ atOnce, ...responded, repeatedAfter503: busy })}\n`);
    await quiet.close();
  }, 300_000);
});
