import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireHolds, findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import {
  capture,
  grant,
  hold,
  type HoldRequest,
  inLedger,
  release,
  type Settlement,
} from '../../../src/features/credits/ledger.ts';
import { type SystemTx, withSystem } from '../../../src/platform/db/scope.ts';
import { createGate } from '../../../src/platform/limits/gate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

/** Commands on the credits of one user. Few keys, so that replays and double settlements are frequent. */
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const credits = fc.integer({ min: 1, max: 6 });
const ledgerCommand = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), key, credits }),
  fc.record({ kind: fc.constant('capture' as const), key }),
  fc.record({ kind: fc.constant('release' as const), key }),
  fc.record({ kind: fc.constant('buy' as const), key, credits }),
);
type LedgerCommand = typeof ledgerCommand extends fc.Arbitrary<infer C> ? C : never;

interface ModelHold {
  credits: number;
  state: 'open' | 'captured' | 'released';
}

/** A naive model of the ledger: a number, the holds by key, and the purchases made. */
function createModel(start: number) {
  let balance = start;
  const holds = new Map<string, ModelHold>();
  const purchases = new Set<string>();

  function settle(name: string, as: 'captured' | 'released'): string {
    const held = holds.get(name);
    if (held === undefined) return 'unknown';
    if (held.state !== 'open') return held.state;
    held.state = as;
    if (as === 'released') balance += held.credits;
    return as;
  }

  function take(name: string, amount: number): string {
    const before = holds.get(name);
    if (before !== undefined) return before.credits === amount ? 'replay' : 'conflict';
    if (balance < amount) return 'insufficient_credits';
    balance -= amount;
    holds.set(name, { credits: amount, state: 'open' });
    return 'held';
  }

  function buy(name: string, amount: number): string {
    if (purchases.has(name)) return 'replay';
    purchases.add(name);
    balance += amount;
    return 'granted';
  }

  return {
    balance: () => balance,
    apply(command: LedgerCommand): string {
      if (command.kind === 'hold') return take(command.key, command.credits);
      if (command.kind === 'buy') return buy(command.key, command.credits);
      return settle(command.key, command.kind === 'capture' ? 'captured' : 'released');
    },
  };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ connectionsMax: 16 });
});
afterAll(async () => {
  expect(await findViolations(database.db)).toEqual([]);
  await database.drop();
});

const request = (userId: string, key: string, credits = 1): HoldRequest => ({
  userId,
  credits,
  key,
  // The only reason whose work has no separate table yet.
  reason: 'vision',
  ref: key,
  // Longer than this file runs: a sweep takes only the holds that a test expires.
  expiresInS: 3600,
});
const tryHold = (userId: string, key: string, credits = 1) =>
  inLedger(database.db, (tx) => hold(tx, request(userId, key, credits)));
const give = (userId: string, credits: number, key: string) =>
  withSystem(database.db, (tx) => grant(tx, { userId, credits, reason: 'purchase', key }));
const settle = async (how: (tx: SystemTx, id: string, note: string) => Promise<Settlement>, id: string) =>
  (await withSystem(database.db, (tx) => how(tx, id, 'test'))).state;
const balanceOf = async (userId: string) => {
  const [row] = await database.asOwner<{ credits: number; sum: number; entries: number }>(
    `select credits, (select sum(delta_credits)::int from credit_ledger l where l.user_id = b.user_id) as sum,
      (select count(*)::int from credit_ledger l where l.user_id = b.user_id) as entries from balances b where user_id = $1`,
    [userId],
  );
  return row!;
};
const held = async (userId: string, key: string, credits = 1) => {
  const outcome = await tryHold(userId, key, credits);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value.id;
};

describe('a new account', () => {
  it('has the welcome credits as an entry of its ledger', async () => {
    const anna = await database.addUser();
    expect(await balanceOf(anna)).toEqual({ credits: 10, sum: 10, entries: 1 });
    const [entry] = await database.asOwner('select kind, reason, delta_credits from credit_ledger where user_id = $1', [
      anna,
    ]);
    expect(entry).toEqual({ kind: 'grant', reason: 'welcome', delta_credits: 10 });
  });
});

describe('a hold', () => {
  it('leaves the balance at once, is spent by its capture and comes back by its release', async () => {
    const anna = await database.addUser();
    const first = await held(anna, 'first', 3);
    const second = await held(anna, 'second', 4);
    expect((await balanceOf(anna)).credits).toBe(3);
    expect(await settle(capture, first)).toBe('captured');
    expect((await balanceOf(anna)).credits).toBe(3);
    expect(await settle(release, second)).toBe('released');
    expect(await balanceOf(anna)).toEqual({ credits: 7, sum: 7, entries: 5 });
  });

  it('notifies its owner once when it leaves two credits or fewer, and again when it takes the last', async () => {
    const anna = await database.addUser();
    const report = () =>
      database.asOwner<{ credits: number }>(
        `select (payload ->> 'credits')::int as credits from notifications where user_id = '${anna}' order by created_at`,
      );
    await held(anna, 'a', 7);
    expect(await report()).toEqual([]);
    await held(anna, 'b', 1);
    await held(anna, 'c', 1);
    expect(await report()).toEqual([{ credits: 2 }]);
    await held(anna, 'd', 1);
    await held(anna, 'd', 1);
    expect(await report()).toEqual([{ credits: 2 }, { credits: 0 }]);
  });

  it('is settled once: a second settlement returns the state of the hold and changes nothing', async () => {
    const anna = await database.addUser();
    const id = await held(anna, 'once');
    const settlements = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        withSystem(database.db, (tx) => (i % 2 === 0 ? capture(tx, id) : release(tx, id, 'raced'))),
      ),
    );
    expect(new Set(settlements.map(({ state }) => state)).size).toBe(1);
    expect(settlements.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await balanceOf(anna)).entries).toBe(3);
    expect(await settle(capture, crypto.randomUUID())).toBe('unknown');
  });

  it('of more than the balance is rejected and leaves no trace', async () => {
    const anna = await database.addUser();
    expect(await tryHold(anna, 'too much', 11)).toMatchObject({
      ok: false,
      error: { code: 'insufficient_credits', message: 'Insufficient credits' },
    });
    expect(await balanceOf(anna)).toEqual({ credits: 10, sum: 10, entries: 1 });
    expect((await tryHold(anna, 'too much', 10)).ok).toBe(true);
  });

  it('with a key that is already used for something else is a conflict', async () => {
    const anna = await database.addUser();
    await held(anna, 'key', 2);
    expect(await tryHold(anna, 'key', 3)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await tryHold(anna, 'welcome', 1)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect((await balanceOf(anna)).credits).toBe(8);
  });

  it('that expired is released by the sweep, which notifies its owner once', async () => {
    const anna = await database.addUser();
    const id = await inLedger(database.db, (tx) =>
      hold(tx, { ...request(anna, 'late', 5), ref: 'the work', expiresInS: 0 }),
    );
    await held(anna, 'in time', 1);
    const reported: string[] = [];
    const onExpired = {
      vision: (_: unknown, ref: string) => {
        reported.push(ref);
        return Promise.resolve();
      },
    };
    await Promise.all([1, 2, 3].map(() => expireHolds(database.db, onExpired)));
    expect(reported).toEqual(['the work']);
    expect((await balanceOf(anna)).credits).toBe(9);
    if (id.ok) expect(await settle(capture, id.value.id)).toBe('released');
  });

  it('that cannot be given back does not block the others, and stays due', async () => {
    const [anna, bert] = [await database.addUser(), await database.addUser()];
    for (const [userId, ref] of [
      [anna, 'stuck'],
      [bert, 'fine'],
    ] as const)
      await inLedger(database.db, (tx) => hold(tx, { ...request(userId, ref), expiresInS: 0 }));
    const onExpired = {
      vision: (_: unknown, ref: string) => (ref === 'stuck' ? Promise.reject(new Error('not now')) : Promise.resolve()),
    };
    await expect(expireHolds(database.db, onExpired)).rejects.toThrow('1 of 2 holds');
    expect((await balanceOf(anna)).credits).toBe(9);
    expect((await balanceOf(bert)).credits).toBe(10);
    expect(await expireHolds(database.db, {})).toBe(1);
    expect((await balanceOf(anna)).credits).toBe(10);
  });
});

describe('many concurrent debits', () => {
  // As many as the pool keeps waiting without a connection timing out on a busy machine; the rest queue here.
  const gate = createGate({ slotCount: 100, queueMax: 1000 });
  it('1,000 debits on 500 credits: 500 accepted, 500 rejected, nothing left and nothing owed', async () => {
    const anna = await database.addUser();
    await give(anna, 490, 'to 500');
    const startedAt = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => gate.run(() => tryHold(anna, `debit ${i}`))),
    );
    const perSecond = Math.round(1000 / ((performance.now() - startedAt) / 1000));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(500);
    const rejected = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]));
    expect(rejected).toEqual(Array.from({ length: 500 }, () => 'insufficient_credits'));
    expect(await balanceOf(anna)).toEqual({ credits: 0, sum: 0, entries: 502 });
    process.stdout.write(`debits ${JSON.stringify({ debitsPerSecond: perSecond })}\n`);
  });

  it('100 keys sent 10 times each have 100 effects', async () => {
    const anna = await database.addUser();
    await give(anna, 90, 'to 100');
    const keys = Array.from({ length: 1000 }, (_, i) => `key ${i % 100}`);
    const outcomes = await Promise.all(keys.map((key) => gate.run(() => tryHold(anna, key))));
    const ids = new Set(outcomes.map((outcome) => (outcome.ok ? outcome.value.id : 'refused')));
    expect(ids.size).toBe(100);
    expect(outcomes.filter((outcome) => outcome.ok && !outcome.value.isReplay)).toHaveLength(100);
    expect(await balanceOf(anna)).toEqual({ credits: 0, sum: 0, entries: 102 });
    const grants = await Promise.all([1, 2, 3, 4, 5].map(() => give(anna, 7, 'one purchase')));
    expect(grants.filter(Boolean)).toHaveLength(1);
    expect((await balanceOf(anna)).credits).toBe(7);
  });
});

describe('any sequence of commands', () => {
  const runs = Number(process.env['LEDGER_SEQUENCES'] ?? 40);
  it(
    `leaves ledger and model with the same figures (${runs} sequences)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(ledgerCommand, { minLength: 1, maxLength: 40, size: 'max' }), async (commands) => {
          const userId = await database.addUser();
          const model = createModel(10);
          for (const command of commands) {
            const expected = model.apply(command);
            expect(await apply(userId, command), JSON.stringify(command)).toEqual(expected);
          }
          expect((await balanceOf(userId)).credits).toBe(model.balance());
          expect((await balanceOf(userId)).sum).toBe(model.balance());
        }),
        { numRuns: runs },
      );
    },
    60_000 + 60 * runs,
  );

  /** Applies each command of the model to the real ledger and returns the result in the model's terms. */
  const ids = new Map<string, string>();
  async function apply(userId: string, command: Parameters<ReturnType<typeof createModel>['apply']>[0]) {
    const name = `${userId} ${command.key}`;
    const known = ids.get(name) ?? crypto.randomUUID();
    switch (command.kind) {
      case 'hold': {
        const outcome = await tryHold(userId, command.key, command.credits);
        if (!outcome.ok) return outcome.error.code;
        ids.set(name, outcome.value.id);
        return outcome.value.isReplay ? 'replay' : 'held';
      }
      case 'capture':
        return settle(capture, known);
      case 'release':
        return settle(release, known);
      case 'buy':
        return (await give(userId, command.credits, `buy ${command.key}`)) ? 'granted' : 'replay';
    }
  }
});
