import type { StepEvent } from '@sextant/workers/src/positions/bookTypes.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCloses } from '../../../src/features/positions/closePosition.ts';
import {
  parseDecimal,
  formatDecimal,
  addDecimals,
  divideDecimals,
  multiplyDecimals,
} from '@sextant/workers/src/core/decimal.ts';
import { insertPosition, type NewPosition, writeSteps } from '../../../src/features/positions/eventWriter.ts';
import { findDrift, historyOf, rebuildPosition } from '../../../src/features/positions/findDrift.ts';
import type { PositionRow } from '../../../src/features/positions/positionRow.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, setJudged } from './support/positions.ts';
import { simulated } from './support/scriptedMarket.ts';

/** Number of histories to write and rebuild: 300 in the usual run, 10,000 with REBUILDS=10000. */
const histories = Number(process.env['REBUILDS'] ?? 300);
const CHUNK = 50;
const start = 1_767_225_600_000;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Random = () => number;
const price = (random: Random, around: number): number => Number((around * (0.9 + 0.2 * random())).toPrecision(7));

function randomPosition(random: Random, userId: string, symbol: string): NewPosition {
  const around = 10 ** (random() * 8 - 4);
  return newPosition(userId, {
    symbol,
    side: random() < 0.5 ? 'LONG' : 'SHORT',
    entryPrice: price(random, around),
    quantity: Number((random() * 1000 + 0.0001).toFixed(4)),
    leverage: 1 + Math.floor(random() * 125),
    stopPrice: price(random, around),
    targetPrice: price(random, around),
    liquidationPrice: random() < 0.2 ? null : price(random, around),
    confidence: random(),
    entryFee: random() * 10,
    lossAtStop: random() * 100,
    openedAtMs: start + Math.floor(random() * 1000),
  });
}

/** Arms, raises, better prices, fundings and a close, in any number, as the watch would write them. */
async function live(random: Random, id: string, position: NewPosition): Promise<void> {
  const { db } = database;
  const { symbol, entryPrice } = position;
  let atMs = position.openedAtMs;
  const steps: StepEvent[] = [];
  if (random() < 0.8) steps.push({ kind: 'armed', id, atMs: (atMs += 60_000), price: price(random, entryPrice) });
  for (let n = Math.floor(random() * 5); n > 0; n--) {
    const [from, to, peak] = [price(random, entryPrice), price(random, entryPrice), price(random, entryPrice)];
    atMs += 60_000;
    steps.push(random() < 0.6 ? { kind: 'trail_raised', id, atMs, from, to, peak } : { kind: 'peak', id, atMs, peak });
  }
  const half = Math.floor(steps.length / 2);
  await withSystem(db, (tx) => writeSteps(tx, steps.slice(0, half)));
  for (let hour = 1; hour <= Math.floor(random() * 4); hour++) {
    const stamp = {
      exchange: 'binance',
      symbol,
      ...simulated,
      stampMs: start + hour * HOUR_MS,
      rate: (random() - 0.5) / 500,
      mark: price(random, entryPrice),
    };
    await setJudged({ db }, symbol, stamp.stampMs);
    await withSystem(db, (tx) => chargeStamp(tx, stamp));
    if (random() < 0.3) await withSystem(db, (tx) => chargeStamp(tx, stamp));
  }
  await withSystem(db, async (tx) => {
    await writeSteps(tx, steps.slice(half));
    if (random() < 0.2) return;
    const close = {
      id,
      atMs: start + 5 * HOUR_MS,
      price: price(random, entryPrice),
      exitFee: random() * 10,
      isAmbiguous: false,
    };
    const reason = (['LIQ', 'SL', 'TP', 'MANUAL'] as const)[Math.floor(random() * 4)] ?? 'SL';
    await writeCloses(tx, [{ ...close, reason, by: 'tick' }]);
    await writeCloses(tx, [{ ...close, price: 1, reason: 'SL', by: 'candle' }]);
  });
}

describe('exact decimals', () => {
  it('add, multiply and divide as PostgreSQL does', () => {
    expect(formatDecimal(addDecimals(parseDecimal('0.1'), parseDecimal('0.2')))).toBe('0.3');
    expect(formatDecimal(multiplyDecimals(parseDecimal('-1.5e-3'), parseDecimal('2')))).toBe('-0.003');
    expect([
      divideDecimals(parseDecimal('1'), parseDecimal('3'), 4),
      divideDecimals(parseDecimal('-2'), parseDecimal('3'), 4),
    ]).toEqual(['0.3333', '-0.6667']);
    expect([
      divideDecimals(parseDecimal('0.5'), parseDecimal('1'), 0),
      divideDecimals(parseDecimal('-0.5'), parseDecimal('1'), 0),
    ]).toEqual(['1', '-1']);
    expect(formatDecimal(parseDecimal('12'), 8)).toBe('12.00000000');
  });
});

describe('the row of a position', () => {
  it(
    `is what its events add up to, to the cent, in ${histories} random histories`,
    async () => {
      const random = seededRandom(20260104);
      for (let done = 0; done < histories; done += CHUNK) {
        const user = await database.addUser();
        for (let i = 0; i < Math.min(CHUNK, histories - done); i++) {
          const position = randomPosition(random, user, `S${done + i}USDT`);
          const id = await withSystem(database.db, (tx) => insertPosition(tx, position));
          await live(random, id, position);
        }
      }
      const rows = await database.asOwner<PositionRow>('select * from positions order by id');
      const events = await database.asOwner<{
        position_id: string;
        kind: string;
        at: Date;
        data: Record<string, unknown>;
      }>('select position_id, kind, at, data from position_events order by seq');
      const byPosition = Map.groupBy(events, ({ position_id }) => position_id);
      expect(rows).toHaveLength(histories);
      expect(await findDrift(database.db, new Date(0))).toEqual([]);
      for (const row of rows) expect(rebuildPosition(byPosition.get(row.id) ?? [])).toEqual(historyOf(row));
      expect(rows.filter((row) => row.closed_at !== null).length).toBeGreaterThan(histories / 2);
    },
    60_000 + histories * 200,
  );

  it('is detected when it differs', async () => {
    const user = await database.addUser();
    const id = await withSystem(database.db, (tx) => insertPosition(tx, newPosition(user)));
    await withSystem(database.db, (tx) =>
      writeCloses(tx, [
        { id, atMs: Date.now(), price: 104, exitFee: 0.1, isAmbiguous: false, reason: 'TP', by: 'tick' },
      ]),
    );
    expect(await findDrift(database.db, new Date(Date.now() - 60_000))).toEqual([]);
    await database.asOwner(`update positions set fees = fees + 0.01 where id = '${id}'`);
    expect(await findDrift(database.db, new Date(Date.now() - 60_000))).toEqual([id]);
  });

  it('cannot be changed where it is history, by any role', async () => {
    const user = await database.addUser();
    const id = await withSystem(database.db, (tx) => insertPosition(tx, newPosition(user)));
    for (const change of [
      'entry_price = 1',
      'qty = 9',
      'opened_at = now()',
      'confidence = 0.1',
      'initial_stop_loss = 1',
    ]) {
      await expect(database.asOwner(`update positions set ${change} where id = '${id}'`), change).rejects.toThrow(
        /cannot change/,
      );
    }
    await database.asOwner(
      `update positions set closed_at = now(), close_price = 101, close_reason = 'TP' where id = '${id}'`,
    );
    for (const change of [
      'close_price = 102',
      `close_reason = 'SL'`,
      'closed_at = null, close_price = null, close_reason = null',
    ]) {
      await expect(database.asOwner(`update positions set ${change} where id = '${id}'`), change).rejects.toThrow(
        /cannot change/,
      );
    }
    for (const change of [
      'update position_events set at = now()',
      'delete from position_events',
      'truncate position_events',
    ]) {
      await expect(database.asOwner(change), change).rejects.toThrow(/append-only/);
    }
  });

  it('is one per symbol and side as long as it is open', async () => {
    const user = await database.addUser();
    const open = (more: Partial<NewPosition>) =>
      withSystem(database.db, (tx) => insertPosition(tx, newPosition(user, more)));
    await open({});
    await expect(open({})).rejects.toThrow(/positions_one_open/);
    await open({ side: 'SHORT', stopPrice: 102, targetPrice: 96 });
    await database.asOwner(
      `update positions set closed_at = now(), close_price = 1, close_reason = 'SL' where user_id = '${user}'`,
    );
    await open({});
  });
});
