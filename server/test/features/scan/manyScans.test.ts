import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/createTestApp.ts';

/** MANY_SCANS_AT_ONCE=1000 sends all of them in one go. */
const atOnce = Number(process.env['MANY_SCANS_AT_ONCE'] ?? 50);

describe('many scans at once', () => {
  it('M1 1,000 on 500 credits: 500 accepted, 500 refused as Insufficient credits, nothing left and nothing owed', async () => {
    const quiet = await createTestApp();
    const anna = await quiet.signUp();
    await quiet.database.asOwner(
      `with g as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
        values ($1, 'grant', 'purchase', 490, 'p')) update balances set credits = 500 where user_id = $1`,
      [anna.id],
    );
    const codes: number[] = [];
    const titles = new Set<string>();
    const send = async () => {
      while (codes.length < 1000) {
        const at = codes.push(0) - 1;
        const url = '/api/scan';
        const answer = await quiet.app.inject({
          method: 'POST',
          url,
          headers: anna.bearer,
          payload: { symbols: ['BTCUSDT'] },
        });
        codes[at] = answer.statusCode;
        if (answer.statusCode === 402) titles.add(answer.json<{ title: string }>().title);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    expect(codes.filter((code) => code === 202)).toHaveLength(500);
    expect(codes.filter((code) => code === 402)).toHaveLength(500);
    expect([...titles]).toEqual(['Insufficient credits']);
    const [sums] = await quiet.database.asOwner(
      `select credits, (select count(*)::int from scans) as scans, (select count(*)::int from jobs.job) as jobs,
        (select sum(delta_credits)::int from credit_ledger) as ledger from balances`,
    );
    expect(sums).toEqual({ credits: 0, scans: 500, jobs: 500, ledger: 0 });
    await quiet.close();
  });
});
