import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/platform/limits/rateLimiter.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the rate limiter', () => {
  it('admits exactly the limit, also when all come at once', async () => {
    const limiter = createRateLimiter(database.db);
    const limit = { key: 'at once', hitMax: 7, windowS: 60 };
    const hits = await Promise.all(Array.from({ length: 20 }, () => limiter.hit([limit])));
    expect(hits.filter((blocked) => blocked === undefined)).toHaveLength(7);
    for (const blocked of hits) if (blocked !== undefined) expect(blocked.retryAfterS).toBeLessThanOrEqual(60);
  });

  it('returns no longer wait than the window, also to a call that started before the one that opened it', async () => {
    const limiter = createRateLimiter(database.db);
    const opening = new pg.Client({ connectionString: database.ownerUrl });
    await opening.connect();
    try {
      await opening.query('begin');
      await opening.query(`insert into rate_limits (key, hit_count, window_ends_at) values ('opened later', 1, now())`);
      const earlier = limiter.hit([{ key: 'opened later', hitMax: 1, windowS: 60 }]);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(() => database.asOwner(waiting)).toHaveLength(1);
      await opening.query(
        `update rate_limits set window_ends_at = clock_timestamp() + interval '60 seconds' where key = 'opened later'`,
      );
      await opening.query('commit');
      expect((await earlier)?.retryAfterS).toBeLessThanOrEqual(60);
    } finally {
      await opening.end();
    }
  });

  it('starts a new window when the old one is over, by the database clock', async () => {
    const limiter = createRateLimiter(database.db);
    const limit = { key: 'window', hitMax: 1, windowS: 60 };
    expect(await limiter.hit([limit])).toBeUndefined();
    expect(await limiter.hit([limit])).toMatchObject({ key: 'window' });
    await database.asOwner(`update rate_limits set window_ends_at = now() where key = 'window'`);
    expect(await limiter.hit([limit])).toBeUndefined();
  });

  it('names the exceeded limit, forgets one on request, and deletes ended windows', async () => {
    const limiter = createRateLimiter(database.db);
    const limits = [
      { key: 'wide', hitMax: 100, windowS: 60 },
      { key: 'narrow', hitMax: 1, windowS: 60 },
    ];
    await limiter.hit(limits);
    expect(await limiter.hit(limits)).toMatchObject({ key: 'narrow' });
    await limiter.forget('narrow');
    expect(await limiter.hit(limits)).toBeUndefined();
    await database.asOwner(`update rate_limits set window_ends_at = now() - interval '1 second' where key = 'wide'`);
    await limiter.sweep();
    const keys = await database.asOwner(`select key from rate_limits where key in ('wide', 'narrow')`);
    expect(keys).toEqual([{ key: 'narrow' }]);
  });

  it('does not deadlock when calls share keys in opposite orders', async () => {
    const limiter = createRateLimiter(database.db);
    const [a, b] = [
      { key: 'a', hitMax: 1000, windowS: 60 },
      { key: 'b', hitMax: 1000, windowS: 60 },
    ];
    const calls = Array.from({ length: 40 }, (_, index) => limiter.hit(index % 2 === 0 ? [a, b] : [b, a]));
    expect((await Promise.all(calls)).every((blocked) => blocked === undefined)).toBe(true);
  });
});
