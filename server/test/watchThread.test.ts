import { expect, it } from 'vitest';
import { startWatchThread } from '../src/startWatchThread.ts';
import { createTestDatabase } from './support/createTestDatabase.ts';

it('NODE-091 the thread of the watch watches its database, until it ends', { timeout: 120_000 }, async () => {
  const database = await createTestDatabase();
  const watchedCount = async (): Promise<number> => {
    const [row] = await database.asOwner<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'sextant watch'`,
    );
    return row?.count ?? 0;
  };
  const warnings: unknown[] = [];
  const thread = startWatchThread({
    data: {
      databaseUrl: database.serverUrl,
      databaseSessionUrl: database.serverUrl,
      exchangesUrl: 'http://127.0.0.1:1',
      exchangeHosts: {},
      market: 'simulated',
      isMarketStreamed: false,
      isGatewayUsed: false,
      natsUrl: undefined,
      historySource: 'simulated',
    },
    failures: { record: (error) => void warnings.push(error) },
    warn: (text, error) => void warnings.push([text, error]),
    onFigures: () => undefined,
  });
  try {
    await thread.attempted;
    await expect.poll(watchedCount, { timeout: 60_000 }).toBe(1);
  } finally {
    await thread.close();
  }
  await expect.poll(watchedCount, { timeout: 60_000 }).toBe(0);
  await database.drop();
  expect(warnings).toEqual([]);
});
