import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PositionWire } from '../../../src/features/positions/contract.ts';
import { writeCloses } from '../../../src/features/positions/closePosition.ts';
import { insertPosition, type NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { newPosition } from './support/positions.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const HOUR_MS = 3_600_000;
const start = Date.now() - 100 * HOUR_MS;

const open = (symbol: string, openedAtMs: number, more: Partial<NewPosition> = {}): Promise<string> =>
  withSystem(test.deps.db, (tx) => insertPosition(tx, newPosition(anna.id, { symbol, openedAtMs, ...more })));
const close = (id: string, atMs: number, price: number) =>
  withSystem(test.deps.db, (tx) =>
    writeCloses(tx, [{ id, atMs, price, reason: 'TP', by: 'tick', exitFee: 0.1, isAmbiguous: false }]),
  );
async function list(query: string): Promise<PositionWire[]> {
  const response = await test.app.inject({ url: `/api/positions?${query}`, headers: anna.bearer });
  expect(response.statusCode, response.body.slice(0, 200)).toBe(200);
  return response.json<{ positions: PositionWire[] }>().positions;
}
const symbolsOf = async (query: string): Promise<string[]> => (await list(query)).map(({ symbol }) => symbol);

describe('positions of a user', () => {
  it('POS-013 POS-017 POS-018 AUTO-032 DATA-010 DATA-012 are open while they have no close, newest first; closed ones since a time, newest close first', async () => {
    const [first, second] = [await open('BTCUSDT', start), await open('ETHUSDT', start + HOUR_MS)];
    await open('SOLUSDT', start + 2 * HOUR_MS);
    const fourth = await open('XRPUSDT', start + 3 * HOUR_MS);
    expect(await symbolsOf('state=open')).toEqual(['XRPUSDT', 'SOLUSDT', 'ETHUSDT', 'BTCUSDT']);
    expect((await list('state=open')).every((position) => position.closed_at === null)).toBe(true);

    await close(second, start + 10 * HOUR_MS, 104);
    await close(first, start + 11 * HOUR_MS, 105);
    await close(fourth, start + 12 * HOUR_MS, 103);
    expect(await symbolsOf('state=open')).toEqual(['SOLUSDT']);
    const since = (atMs: number) => `state=closed&since=${encodeURIComponent(new Date(atMs).toISOString())}`;
    expect(await symbolsOf(since(start))).toEqual(['XRPUSDT', 'BTCUSDT', 'ETHUSDT']);
    expect(await symbolsOf(since(start + 11 * HOUR_MS))).toEqual(['XRPUSDT', 'BTCUSDT']);

    // Two at 100, closed at 105: 5 x 2; 10 / 200.
    expect((await list(since(start)))[1]).toMatchObject({
      closed_at: new Date(start + 11 * HOUR_MS).toISOString(),
      close_price: 105,
      close_reason: 'TP',
      pnl: 10,
      roi_pct: 5,
    });
  });

  it('AUTO-004 POS-023 DATA-031 NFR-015 are opened and closed with no key of an exchange stored anywhere', async () => {
    const columns = await test.database.asOwner<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
        and column_name ~ '(exchange_key|exchange_secret|api_secret|passphrase)'`,
    );
    expect(columns).toEqual([]);
  });

  it('POS-020 ERR-028 are not written half: an error of the database is rethrown', async () => {
    const count = async () => (await test.database.asOwner('select from position_events')).length;
    const before = await count();
    await expect(open('BTCUSDT', start, { leverage: 1000 })).rejects.toThrow(/violates check constraint/);
    const id = await open('ADAUSDT', start);
    const after = await count();
    expect(after).toBeGreaterThan(before);
    await expect(close(id, start + HOUR_MS, -1)).rejects.toThrow(/violates check constraint/);
    expect(await count()).toBe(after);
  });
});
