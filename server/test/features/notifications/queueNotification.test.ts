import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

let database: TestDatabase;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  userId = await database.addUser();
});
afterAll(() => database.drop());

const opened = {
  position_id: '7d6e0a64-0000-4000-8000-000000000001',
  symbol: 'BTCUSDT',
  side: 'LONG',
  quantity: 0.1,
  entry_price: 64_000,
  leverage: 10,
} as const;
const queued = () =>
  database.asOwner<{ kind: string; payload: object; dispatched_at: Date | null }>(
    'select kind, payload, dispatched_at from notifications order by kind',
  );

it('stores a message exactly when its transaction commits', async () => {
  const rolledBack = withSystem(database.db, async (tx) => {
    await queueNotification(tx, userId, 'position_opened', opened);
    throw new Error('the position was not opened');
  });
  await expect(rolledBack).rejects.toThrow('the position was not opened');
  expect(await queued()).toEqual([]);
});

it('queues one message per subject, however often it is called', async () => {
  await Promise.all(
    [1, 2, 3].map(() => withSystem(database.db, (tx) => queueNotification(tx, userId, 'position_opened', opened))),
  );
  expect(await queued()).toEqual([{ kind: 'position_opened', payload: opened, dispatched_at: null }]);
});
