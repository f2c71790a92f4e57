import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { hold, inLedger, release } from '../../../src/features/credits/ledger.ts';
import type { TransferReport } from '../../../src/features/payments/port.ts';
import { settleDebts } from '../../../src/features/payments/reconcile.ts';
import {
  applyReport,
  endOrder,
  insertOrder,
  lockById,
  type PaymentRow,
} from '../../../src/features/payments/record.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { type Command, createPaymentModel, paymentCommand } from './support/paymentModel.ts';

/** PAYMENT_SEQUENCES=2000 for the full run. */
const runs = Number(process.env['PAYMENT_SEQUENCES'] ?? 60);
const welcome = 10;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The real service for one account, command by command. */
function createAccount(userId: string) {
  let payment: PaymentRow | undefined;
  let holdId: string | undefined;
  const sent: TransferReport[] = [];
  const { db } = database;

  const report = (word: string, paidAmount: number, isChild = false): Promise<void> => {
    if (payment === undefined) return Promise.resolve();
    const invoiceId = `i${payment.id.slice(0, 20)}`;
    const said: TransferReport = {
      provider: 'nowpayments',
      transferId: isChild ? `c${payment.id.slice(0, 20)}` : invoiceId,
      parentId: isChild ? invoiceId : null,
      orderId: payment.provider_order_id,
      word,
      invoiceUsd: String(payment.tokens),
      payAddress: 'T1',
      payAmount: String(payment.tokens),
      payCurrency: 'usdttrc20',
      payMemo: null,
      paidAmount: String(paidAmount),
      paidUsd: null,
      transactionHash: null,
    };
    sent.push(said);
    return withSystem(db, async (tx) => {
      await applyReport(tx, said);
    });
  };
  const end = (kind: 'cancelled' | 'expired'): Promise<void> =>
    withSystem(db, async (tx) => {
      const locked = payment === undefined ? undefined : await lockById(tx, payment.id);
      if (locked !== undefined) await endOrder(tx, locked, { kind });
    });
  async function buy(tokens: number): Promise<void> {
    const [open] = await database.asOwner(`select id from payments where user_id = $1 and status = 'PENDING'`, [
      userId,
    ]);
    if (open !== undefined) return;
    const coin = { method: 'usdt', provider: 'nowpayments', pay_currency: 'usdttrc20' };
    const order = { user_id: userId, tokens, ...coin, expiresInS: 900 };
    payment = await withSystem(db, (tx) => insertOrder(tx, order));
  }
  async function spend(credits: number): Promise<void> {
    const request = { userId, credits, reason: 'plan' as const, ref: 'x', key: randomUUID(), expiresInS: 60 };
    const held = await inLedger(db, (tx) => hold(tx, request));
    if (held.ok) holdId = held.value.id;
  }
  async function giveBack(): Promise<void> {
    const id = holdId;
    if (id !== undefined) await withSystem(db, (tx) => release(tx, id, 'test'));
    holdId = undefined;
  }
  const commands: Record<Exclude<Command['kind'], 'buy' | 'spend'>, () => Promise<void>> = {
    giveBack,
    cancel: () => end('cancelled'),
    expire: () => end('expired'),
    full: () => report('finished', payment?.tokens ?? 0),
    half: () => report('partially_paid', (payment?.tokens ?? 0) / 2),
    child: () => report('finished', 7.5, true),
    refund: () => report('refunded', 0),
    refundChild: () => report('refunded', 0, true),
    async replay() {
      for (const said of sent) await withSystem(db, (tx) => applyReport(tx, said));
    },
    settle: () => settleDebts(db),
  };
  return {
    apply(command: Command): Promise<void> {
      if (command.kind === 'buy') return buy(command.tokens);
      return command.kind === 'spend' ? spend(command.credits) : commands[command.kind]();
    },
    async state() {
      const [row] = await database.asOwner<{ credits: number; owed: number; status: string | null }>(
        `select credits, owed_credits as owed, (select status from payments p where p.id = $2) as status from balances where user_id = $1`,
        [userId, payment?.id ?? null],
      );
      return row;
    },
  };
}

it(
  `FUND-034 leaves account and model with the same figures (${runs} sequences)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(paymentCommand, { minLength: 1, maxLength: 40, size: 'max' }), async (commands) => {
        const account = createAccount(await database.addUser());
        const model = createPaymentModel(welcome);
        for (const command of commands) {
          model.apply(command);
          await account.apply(command);
          expect(await account.state(), JSON.stringify(command)).toEqual(model.state());
        }
      }),
      { numRuns: runs },
    );
    expect(await findViolations(database.db)).toEqual([]);
  },
  60_000 + 400 * runs,
);
