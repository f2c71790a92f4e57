import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { monthStart } from '../../../src/features/history/ranges.ts';
import { createCandleStore } from '../../../src/features/history/candleStore.ts';
import { createHistory } from '../../../src/features/history/readHistory.ts';
import { testNowMs, trueCandles } from '../../adapters/exchanges/support/testExchanges.ts';
import { childEnv } from '../../support/childEnv.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { testSecret } from '../../support/globalDatabase.ts';

let database: TestDatabase;
let fake: ExchangesFake;
beforeAll(async () => {
  [database, fake] = await Promise.all([
    createTestDatabase(),
    startExchanges({ seed: 7, now: () => testNowMs, weightPerMinute: 1e9 }),
  ]);
});
afterAll(async () => {
  await fake.close();
  await database.drop();
});

/** Runs the back-fill in a child process. @param kill SIGKILL during that write, and after a further pause */
async function runChild(kill?: { atWrite: number; afterMs: number }): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'backfillChild.ts')], {
    env: {
      ...childEnv,
      OWNER_URL: database.ownerUrl,
      SECRET: testSecret,
      EXCHANGES_URL: fake.url,
      NOW_MS: String(testNowMs),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const exit = once(child, 'exit');
  const reached = Promise.withResolvers<undefined>();
  child.stdout.on('data', (text: Buffer) => {
    said += String(text);
    if (said.split('writing').length - 1 >= (kill?.atWrite ?? Infinity)) reached.resolve(undefined);
  });
  await Promise.race([reached.promise, exit]);
  if (kill !== undefined) {
    await delay(kill.afterMs);
    child.kill('SIGKILL');
  }
  await exit;
  return said;
}

describe('a back-fill that is killed', () => {
  it(
    'HIST-014 equals the source after 20 kills, with every checksum intact and nothing doubled',
    { timeout: 180_000 },
    async () => {
      const countOf = async (): Promise<number> =>
        (
          await database.asOwner<{ count: number }>(
            'select coalesce(sum(candle_count), 0)::int as count from history_chunks',
          )
        )[0]?.count ?? 0;
      const counts: number[] = [];
      for (let kill = 0; kill < 20; kill++) {
        await runChild({ atWrite: 2, afterMs: kill % 5 });
        counts.push(await countOf());
      }
      // Each run goes on where the one before was killed.
      expect([...new Set(counts)].toSorted((a, b) => a - b)).toEqual(counts);
      expect(await runChild()).toContain('\ncomplete');

      const errors: Error[] = [];
      const source = 'simulated kill';
      const store = createCandleStore({ db: database.db, source, onError: (error) => errors.push(error) });
      const history = createHistory({ db: database.db, source, store });
      const universe = await history.readUniverse('binance', testNowMs);
      expect(universe).toMatchObject({ ok: true });
      const rows = await database.asOwner<{ symbol: string }>('select distinct symbol from history_chunks order by 1');
      expect(rows).toHaveLength(3);
      const months = { '15m': 2, '1h': 6, '4h': 12, '1d': 24 } as const;
      for (const { symbol } of rows)
        for (const [interval, count] of Object.entries(months) as [keyof typeof months, number][]) {
          const stepMs = intervalMs[interval];
          const listing = fake.listings.binance.get(symbol);
          if (listing === undefined) throw new Error(symbol);
          const from = monthStart(testNowMs, 1 - count);
          const to = Math.floor(testNowMs / stepMs) * stepMs - stepMs;
          const read = await history.readClosedCandles({ exchange: 'binance', symbol, interval, from, to });
          if (!read.ok) throw new Error(read.error.message);
          const truth = [...trueCandles(fake, 'binance', symbol, interval, from, to).values()].filter(
            ([time]) => time >= (read.value.columns.time[0] ?? 0),
          );
          const { columns } = read.value;
          const stored = Array.from(columns.time, (time, i) => [
            time,
            columns.open[i],
            columns.high[i],
            columns.low[i],
            columns.close[i],
            columns.volume[i],
          ]);
          expect(stored, `${symbol} ${interval}`).toEqual(truth.map((row) => [...row]));
          expect(read.value.complete, `${symbol} ${interval}`).toBe(true);
        }
      expect(errors).toEqual([]);
      const [revisions] = await database.asOwner<{ count: number }>(
        'select count(*)::int as count from history_revisions',
      );
      expect(revisions?.count).toBe(0);
      const [size] = await database.asOwner<{ bytes: number; candles: number }>(
        `select sum(pg_column_size(c.*))::int as bytes, sum(candle_count)::int as candles from history_chunks c`,
      );
      const perCandle = (size?.bytes ?? NaN) / (size?.candles ?? NaN);
      process.stdout.write(
        `one million candles take ${((perCandle * 1e6) / 2 ** 20).toFixed(1)} MiB in the database\n`,
      );
      expect(perCandle).toBeLessThan(24);
    },
  );
});
