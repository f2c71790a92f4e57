import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, release } from '../../../src/features/credits/ledger.ts';
import { finishScan } from '../../../src/features/scan/scanRepository.ts';
import { CANCELLED_MAX, expireScan, stopScan } from '../../../src/features/scan/startScan.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

// No worker runs here: a scan stays as the test sets it.
let test: TestApp;
beforeAll(async () => (test = await createTestApp()));
afterAll(() => test.close());

async function order(user: TestUser, isStarted = true): Promise<string> {
  const payload = { symbols: ['BTCUSDT'] };
  const sent = await test.app.inject({ method: 'POST', url: '/api/scan', headers: user.bearer, payload });
  const { scan_id: id } = sent.json<{ scan_id: string }>();
  if (isStarted)
    await test.database.asOwner(`update scans set status = 'running', started_at = now() where id = $1`, [id]);
  return id;
}
const cancel = (user: TestUser, id: string) =>
  test.app.inject({ method: 'POST', url: `/api/scan/${id}/cancel`, headers: user.bearer });
const credits = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/credits', headers: user.bearer })).json<{ balance: number; held: number }>();
const give = (user: TestUser, count: number) =>
  test.database.asOwner(
    `with g as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
       values ($1, 'grant', 'purchase', $2, 'enough'))
     update balances set credits = credits + $2 where user_id = $1`,
    [user.id, count],
  );

describe('starting scans and cancelling them', () => {
  it('is free work 30 times in an hour; the next one under way runs to its end, however many cancel requests come at once', async () => {
    const anna = await test.signUp();
    await give(anna, 100);
    const ids: string[] = [];
    for (let i = 0; i < CANCELLED_MAX + 6; i++) ids.push(await order(anna));
    const responses = await Promise.all(ids.map((id) => cancel(anna, id)));
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(CANCELLED_MAX);
    const rejected = responses.find(({ statusCode }) => statusCode === 429);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect(rejected?.json()).toMatchObject({ code: 'rate_limited' });
    expect(Number(rejected?.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await credits(anna)).toMatchObject({ balance: 104, held: 6 });
    const [running] = await test.database.asOwner(
      `select count(*)::int as count from scans where user_id = $1 and status = 'running'`,
      [anna.id],
    );
    expect(running).toEqual({ count: 6 });
    // A scan that no worker has started can always be cancelled.
    expect((await cancel(anna, await order(anna, false))).statusCode).toBe(200);
    // Another user is not blocked by it, and an hour later nor is she.
    const bert = await test.signUp();
    expect((await cancel(bert, await order(bert))).statusCode).toBe(200);
    await test.database.asOwner(
      `update scans set finished_at = finished_at - interval '61 minutes' where user_id = $1 and status = 'cancelled'`,
      [anna.id],
    );
    expect((await cancel(anna, await order(anna))).statusCode).toBe(200);
  });
});

describe('a scan that is ended from two sides at once', () => {
  const waiting = async (): Promise<number> => {
    const [row] = await test.database.asOwner<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };
  /** `first` does its half, the other one starts and has to wait, then `first` does the rest. */
  async function interleaved<T>(half: Halves, other: () => Promise<T>): Promise<T> {
    const locked = Promise.withResolvers<null>();
    const first = withSystem(test.deps.db, async (tx) => {
      await half.ledger(tx);
      locked.resolve(null);
      await expect.poll(waiting).toBeGreaterThan(0);
      await half.scan(tx);
    });
    await locked.promise;
    const second = other();
    await first;
    return second;
  }
  type Tx = Parameters<typeof stopScan>[0];
  interface Halves {
    ledger: (tx: Tx) => Promise<unknown>;
    scan: (tx: Tx) => Promise<unknown>;
  }
  interface Scan {
    id: string;
    holdId: string;
  }
  const holdOf = async (id: string): Promise<string> =>
    (await test.database.asOwner<{ ref: string }>(`select credit_ref as ref from scans where id = $1`, [id]))[0]?.ref ??
    '';
  const statusOf = async (id: string) =>
    (await test.database.asOwner<{ status: string }>(`select status from scans where id = $1`, [id]))[0]?.status;
  const results = {
    best: null,
    all: [],
    total: 0,
    outcomes: {},
    data_age_ms: 0,
    missing: [],
    confidence: [],
    timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 },
  };

  const running = async () => {
    const anna = await test.signUp();
    const id = await order(anna);
    return { anna, id, holdId: await holdOf(id) };
  };
  const expiryOf = ({ id, holdId }: Scan): Halves => ({
    ledger: (tx) => release(tx, holdId, 'expired'),
    scan: (tx) => expireScan(tx, id),
  });
  const deliveryOf = ({ id, holdId }: Scan): Halves => ({
    ledger: (tx) => capture(tx, holdId),
    scan: (tx) => finishScan(tx, id, results),
  });

  it('by its expiry and its owner is ended once, without a dead-lock: the ledger is locked before the scan', async () => {
    const { anna, id, holdId } = await running();
    const cancelled = await interleaved(expiryOf({ id, holdId }), () => cancel(anna, id));
    expect(cancelled.json()).toMatchObject({ code: 'conflict' });
    expect(await statusOf(id)).toBe('failed');
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('by its delivery and its owner is paid when the delivery was first', async () => {
    const { anna, id, holdId } = await running();
    expect((await interleaved(deliveryOf({ id, holdId }), () => cancel(anna, id))).statusCode).toBe(409);
    expect(await statusOf(id)).toBe('done');
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
  });

  it('by its expiry and its delivery is free when the expiry was first, and nothing is delivered', async () => {
    const { anna, id, holdId } = await running();
    const delivery = () => withSystem(test.deps.db, (tx) => capture(tx, holdId));
    expect(await interleaved(expiryOf({ id, holdId }), delivery)).toMatchObject({ state: 'released', isNew: false });
    expect(await withSystem(test.deps.db, (tx) => finishScan(tx, id, results))).toBe(false);
    expect(await statusOf(id)).toBe('failed');
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('by its delivery and its expiry is paid when the delivery was first, though its time was over', async () => {
    const { anna, id, holdId } = await running();
    await test.database.asOwner(
      `alter table credit_ledger disable trigger user;
       update credit_ledger set expires_at = now() - interval '1 second' where id = '${holdId}';
       alter table credit_ledger enable trigger user`,
    );
    await interleaved(deliveryOf({ id, holdId }), () => test.deps.ledger.sweep());
    expect(await statusOf(id)).toBe('done');
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
    await test.deps.ledger.sweep();
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
  });

  it('by its owner and its delivery is free when the owner was first', async () => {
    const { anna, id, holdId } = await running();
    const owner = {
      ledger: (tx: Tx) => release(tx, holdId, 'cancelled'),
      scan: (tx: Tx) => stopScan(tx, id, { status: 'cancelled', failure: null, note: 'cancelled' }),
    };
    const delivery = () => withSystem(test.deps.db, (tx) => capture(tx, holdId));
    expect(await interleaved(owner, delivery)).toMatchObject({ state: 'released', isNew: false });
    expect(await statusOf(id)).toBe('cancelled');
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });
});

it('one Idempotency-Key with two bodies at once pays for one of them; the other is a conflict, now and later', async () => {
  const anna = await test.signUp();
  const send = (symbol: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/scan',
      headers: { ...anna.bearer, 'idempotency-key': 'one-key' },
      payload: { symbols: [symbol] },
    });
  const symbols = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 'BTCUSDT' : 'ETHUSDT'));
  const responses = await Promise.all(symbols.map(send));
  const accepted = responses.filter(({ statusCode }) => statusCode === 202);
  expect(new Set(accepted.map((response) => response.json<{ scan_id: string }>().scan_id)).size).toBe(1);
  expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(6);
  expect(accepted).toHaveLength(6);
  expect(await credits(anna)).toMatchObject({ balance: 9, held: 1 });
});
