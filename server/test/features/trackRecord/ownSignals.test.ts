import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHistory, readPublicHistory } from '../../../src/features/trackRecord/signalRepository.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const COUNT = 360;
const startMs = Date.UTC(2026, 0, 1);
/** A signal every half hour. */
const createdMs = (n: number): number => startMs + n * 30 * MINUTE_MS;

let database: TestDatabase;
let anna: string;
let bert: string;
/** By number. */
let ids: string[];

async function plantSignals(): Promise<string[]> {
  const hash = 'a'.repeat(64);
  const rows = await database.asOwner<{ id: string }>(
    `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
       price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
     select $1::timestamptz + n * interval '30 minutes', 'binance', 'simulated', 'S' || lpad(n::text, 4, '0') || 'USDT', '1h',
       $1::timestamptz, 'LONG', 0.5, 0.5, 0.5, 100, 98, 104, 30, 'STANDARD', '{}', $2, $2, $2
     from generate_series(0, $3::int - 1) n returning id, symbol`,
    [new Date(startMs), hash, COUNT],
  );
  return rows.map(({ id }) => id);
}

const plantList = (userId: string, atMs: number, found: readonly string[]) =>
  database.asOwner(
    'insert into found_signals (user_id, created_at, scan_id, signal_ids) values ($1, $2, gen_random_uuid(), $3)',
    [userId, new Date(atMs), found],
  );

beforeAll(async () => {
  database = await createTestDatabase();
  [anna, bert] = [await database.addUser(), await database.addUser()];
  ids = await plantSignals();
  let state = 7;
  const uniform = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  // Scans at random times list some signals of the four hours before, and of one that another scan stores meanwhile; some lists repeat.
  for (let scan = 0; scan < 120; scan++) {
    const atMs = startMs + uniform() * COUNT * 30 * MINUTE_MS;
    const near = ids.filter((_, n) => createdMs(n) > atMs - 4 * HOUR_MS && createdMs(n) < atMs + 10 * MINUTE_MS);
    const found = near.filter(() => uniform() < 0.4);
    if (found.length > 0) await plantList(scan % 5 === 0 ? bert : anna, atMs, found);
  }
});
afterAll(() => database.drop());

/** A slow twin: every list of the user is searched for every signal. */
const slowly = (userId: string) =>
  database.asOwner<{ id: string; mine: boolean }>(
    `select s.id, exists (select from found_signals f where f.user_id = $1 and s.id = any(f.signal_ids)) as mine
     from signals s order by s.created_at desc, s.candle_close_at desc, s.symbol, s.id`,
    [userId],
  );
const read = (userId: string, limit: number, isOnlyMine: boolean) =>
  withUser(database.db, userId, (tx) => readHistory(tx, limit, { isOnlyMine }));
const brief = (rows: readonly { id: string; mine: boolean }[]) => rows.map(({ id, mine }) => ({ id, mine }));

describe('the signals that scans of a user found', () => {
  it.each([1, 2, 5, 30, 100, 500])('HIST-110 are those of a search of all lists, with a limit of %i', async (limit) => {
    for (const userId of [anna, bert]) {
      const all = brief(await slowly(userId));
      expect(brief(await read(userId, limit, false))).toEqual(all.slice(0, limit));
      const own = all.filter(({ mine }) => mine);
      expect(own.length).toBeGreaterThan(20);
      expect(brief(await read(userId, limit, true))).toEqual(own.slice(0, limit));
    }
  });

  it('HIST-110 are read from the newest lists only, and not from those of other users', async () => {
    const newest = ids.at(-1) ?? '';
    const user = await database.addUser();
    await plantList(user, createdMs(COUNT - 2), [ids[COUNT - 2] ?? '']);
    // No list is days older than its signal: this one shows that old lists are not read.
    await plantList(user, createdMs(COUNT - 1) - 5 * 24 * HOUR_MS, [newest]);
    const isMine = async (limit: number) => (await read(user, limit, false)).map(({ mine }) => mine);
    expect(await isMine(3)).toEqual([false, true, false]);
    expect((await read(user, 1, true)).map(({ id }) => id)).toEqual([ids[COUNT - 2]]);
    const open = await withSystem(database.db, (tx) => readPublicHistory(tx, 3, 'simulated'));
    expect(open.map(({ id, mine }) => ({ id, mine }))).toEqual(
      [COUNT - 1, COUNT - 2, COUNT - 3].map((n) => ({ id: ids[n], mine: false })),
    );
  });
});
