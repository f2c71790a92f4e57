// Long because the two drivers of one script stand beside each other.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { type RestingOrder, stepTick } from '@sextant/workers/src/orders/restingOrders.ts';
import { type BookPosition, CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { averageEntry, type BookTarget, partOf } from '@sextant/workers/src/positions/partialClose.ts';
import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillOrder } from '../../../src/features/orders/fillOrder.ts';
import type { OrderRow } from '../../../src/features/orders/orderRow.ts';
import { createRestingOrders } from '../../../src/features/orders/restingOrders.ts';
import { closePart, writeCloses } from '../../../src/features/positions/closePosition.ts';
import { writeSteps } from '../../../src/features/positions/eventWriter.ts';
import { writeReduce } from '../../../src/features/positions/fillWriter.ts';
import { findDrift, rebuildPosition } from '../../../src/features/positions/findDrift.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import { readWatched } from '../../../src/features/positions/watch/watchRepository.ts';
import { readFunds } from '../../../src/features/sizing/accountSizing.ts';
import { type SystemTx, withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { simulated } from '../positions/support/scriptedMarket.ts';
import { type Op, randomScript, ReferenceAccount, type RefFill, type RefPosition, type Side } from './support/referenceAccount.ts';

const start = 1_767_225_600_000;
const RUNS = 10_000;
const DATABASE_RUNS = 100;
const OPS = 40;
let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await loadModule());
});

const other = (side: Side): Side => (side === 'LONG' ? 'SHORT' : 'LONG');
const targetsOf = (targets: readonly { price: number; tenths: number }[]): BookTarget[] =>
  targets.map(({ price, tenths }) => ({ price: price / 100, fraction: tenths / 10 }));

interface PureFill {
  kind: RefFill['kind'];
  role: 'maker' | 'taker';
  price: number;
  qty: number;
  fee: number;
}
interface PurePosition {
  book: BookPosition;
  fills: PureFill[];
  events: { kind: string; at: Date; data: Record<string, unknown> }[];
  isOpen: boolean;
}
type PureOrder = RestingOrder & { qty: number; isReducing: boolean; stop: number; targets: BookTarget[] };

/** The product without a database: its book, its orders and its parts; rows are what a killed process would read again. */
class PureAccount {
  readonly positions: PurePosition[] = [];
  orders: PureOrder[] = [];
  readonly #engine = instantiate(module);
  #book = new PositionBook(this.#engine, CLOSE_GUARDS);
  readonly #mark = this.#engine.raw.arenaMark();

  #row(side: Side): PurePosition | undefined {
    return this.positions.find(({ book, isOpen }) => isOpen && book.side === side);
  }

  #reload({ book }: PurePosition): void {
    this.#book.remove(book.id);
    this.#book.add('key', book);
  }

  /** All memory is gone. */
  #kill(): void {
    this.#engine.raw.arenaRelease(this.#mark);
    this.#book = new PositionBook(this.#engine, CLOSE_GUARDS);
    for (const row of this.positions) if (row.isOpen) this.#book.add('key', row.book);
  }

  apply(op: Op): void {
    if (op.kind === 'kill') this.#kill();
    else if (op.kind === 'tick') this.#tick(op.price / 100, op.atMs);
    else if (op.kind === 'market') this.#enter(op.side, { ...op, price: op.price / 100, qty: op.qty / 100, stop: op.stop / 100, targets: targetsOf(op.targets), role: 'taker' });
    else if (op.kind === 'place')
      this.orders.push({
        ...{ id: String(op.order), side: op.side, type: op.type, price: op.price / 100, tickSize: 0.01 },
        ...{ activeFromMs: op.atMs, expiresAtMs: op.expiresAtMs, qty: op.qty / 100, isReducing: op.isReducing },
        ...{ stop: op.stop / 100, targets: targetsOf(op.targets) },
      });
    else if (op.kind === 'edit')
      this.orders = this.orders.map((order) =>
        order.id === String(op.order) ? { ...order, price: op.price / 100, qty: op.qty / 100, activeFromMs: op.atMs } : order,
      );
    else if (op.kind === 'cancel') this.orders = this.orders.filter(({ id }) => id !== String(op.order));
    else if (op.kind === 'close') this.#exit(this.#row(op.side), { price: op.price / 100, qty: op.qty / 100, atMs: op.atMs, role: 'taker' });
    else if (op.kind === 'reverse') {
      const row = this.#row(op.side);
      if (row === undefined || this.#row(other(op.side)) !== undefined) return;
      const qty = row.book.quantity;
      this.#exit(row, { price: op.price / 100, qty, atMs: op.atMs, role: 'taker' });
      this.#enter(other(op.side), { price: op.price / 100, qty, atMs: op.atMs, stop: op.stop / 100, targets: targetsOf(op.targets), role: 'taker' });
    }
  }

  #enter(
    side: Side,
    fill: { price: number; qty: number; atMs: number; stop: number; targets: BookTarget[]; role: 'maker' | 'taker' },
  ): void {
    const { price, qty, atMs, role } = fill;
    const fee = exitFee(qty, price, role === 'maker' ? 0.0002 : 0.0005);
    const at = new Date(atMs);
    const feeEvent = { kind: 'fee', at, data: { amount: Number(fee.toFixed(8)), what: 'entry' } };
    const row = this.#row(side);
    if (row !== undefined) {
      const { book } = row;
      const entryPrice = averageEntry({ price: book.entryPrice, quantity: book.quantity }, { price, quantity: qty });
      const quantity = Number((book.quantity + qty).toPrecision(15));
      row.book = { ...book, entryPrice, quantity };
      row.fills.push({ kind: 'add', role, price, qty, fee });
      const data = { price, quantity: qty, entry_price: entryPrice, qty: quantity, liquidation_approx: null };
      row.events.push(feeEvent, { kind: 'added', at, data });
      this.#reload(row);
      return;
    }
    const book: BookPosition = {
      ...{ id: String(this.positions.length), side, entryTimeMs: atMs, entryPrice: price, quantity: qty, leverage: 1 },
      ...{ stopPrice: fill.stop, targetPrice: fill.targets[0]?.price ?? 0, targets: fill.targets, liquidationPrice: null },
      ...{ bestPrice: price, isArmed: false, tickSize: 0.01, takerFeeFraction: 0.0005, trailing: { mode: 'off' }, atr: null },
      ...{ stepSize: 0.01, minNotional: 5 },
    };
    const facts = { symbol: 'X', side, leverage: 1, entry_price: price, qty, confidence: 0, stop_loss: fill.stop, take_profit: book.targetPrice, liquidation_approx: null };
    const added: PurePosition = { book, isOpen: true, fills: [{ kind: 'open', role, price, qty, fee }], events: [{ kind: 'opened', at, data: facts }, feeEvent] };
    this.positions.push(added);
    this.#book.add('key', book);
  }

  #exit(row: PurePosition | undefined, { price, qty, atMs, role }: { price: number; qty: number; atMs: number; role: 'maker' | 'taker' }): void {
    if (row === undefined) return;
    const part = partOf({ open: row.book.quantity, wanted: qty, price, stepSize: 0.01, minNotional: 5 });
    if (part === null) throw new Error('a script closes at least a step');
    const fee = exitFee(part.quantity, price, role === 'maker' ? 0.0002 : 0.0005);
    this.#write(row, { price, quantity: part.quantity, left: part.left, fee, atMs, role, reason: 'MANUAL' });
    this.#book.remove(row.book.id);
    if (row.isOpen) this.#book.add('key', row.book);
  }

  #write(
    row: PurePosition,
    exit: { price: number; quantity: number; left: number; fee: number; atMs: number; role: 'maker' | 'taker'; reason: string },
  ): void {
    const at = new Date(exit.atMs);
    const { price, quantity, left } = exit;
    row.isOpen = left > 0;
    row.fills.push({ kind: row.isOpen ? 'partial_close' : 'close', role: exit.role, price, qty: quantity, fee: exit.fee });
    row.events.push({ kind: 'fee', at, data: { amount: Number(exit.fee.toFixed(8)), what: 'exit' } });
    const data = row.isOpen ? { price, quantity } : { price, reason: exit.reason };
    row.events.push({ kind: row.isOpen ? 'reduced' : 'closed', at, data });
    if (row.isOpen) row.book = { ...row.book, quantity: left };
  }

  #tick(price: number, atMs: number): void {
    for (const step of this.#book.tick('key', { price, mark: price, atMs })) {
      const row = this.positions.find(({ book }) => book.id === step.id);
      if (row === undefined) throw new Error('the book has only rows');
      if (step.kind === 'armed') row.book = { ...row.book, isArmed: true, armedAtMs: atMs };
      if (step.kind === 'closed') {
        const { quantity } = row.book;
        this.#write(row, { price: step.price, quantity, left: 0, fee: step.exitFee, atMs, role: 'taker', reason: step.reason });
      }
      if (step.kind === 'reduced') {
        const { quantity, targets } = step;
        const left = Number((row.book.quantity - quantity).toFixed(8));
        this.#write(row, { price: step.price, quantity, left, fee: step.exitFee, atMs, role: 'taker', reason: 'TP' });
        row.book = { ...row.book, targets, targetPrice: targets[0]?.price ?? 0 };
      }
    }
    for (const order of this.orders) {
      const step = stepTick(order, { price, atMs });
      if (step === null) continue;
      this.orders = this.orders.filter(({ id }) => id !== order.id);
      if (step.kind === 'expired') continue;
      const { role } = step;
      const sign = order.side === 'LONG' ? 1 : -1;
      const same = this.#row(order.side);
      if (order.isReducing) {
        const row = this.#row(other(order.side));
        if (row !== undefined) this.#exit(row, { price: step.price, qty: Math.min(order.qty, row.book.quantity), atMs, role });
      } else if (same === undefined || sign * step.price > sign * same.book.stopPrice)
        this.#enter(order.side, { ...order, price: step.price, atMs, role });
    }
  }
}

const money = (units: bigint): string => {
  const text = (units < 0n ? -units : units).toString().padStart(9, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -8)}.${text.slice(-8)}`;
};
const pnlOf = ({ side, exited, entered }: RefPosition): bigint =>
  BigInt(side === 'LONG' ? 1 : -1) * BigInt(exited - entered) * 10_000n;
const refFills = ({ fills }: RefPosition) =>
  fills.map(({ kind, role, price, qty, fee }) => ({ kind, role, price: price / 100, qty: qty / 100, fee: money(fee) }));

describe('an account against a plain reference', () => {
  it(`DESK-037 ${RUNS} random scripts of orders, edits, parts, adds, reverses and kills give the same fills, fees and results`, () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed++) {
      const reference = new ReferenceAccount();
      const ops = randomScript(seededRandom(seed), reference, OPS, start);
      const product = new PureAccount();
      for (const op of ops) product.apply(op);
      const fills = product.positions.map((row) =>
        row.fills.map(({ fee, ...rest }) => ({ ...rest, fee: fee.toFixed(8) })),
      );
      expect(fills, `seed ${seed}`).toEqual(reference.positions.map(refFills));
      expect(product.orders.map(({ id }) => Number(id)), `seed ${seed}`).toEqual(reference.orders.map(({ id }) => id));
      const rebuilt = product.positions.map(({ events }) => rebuildPosition(events));
      const figures = rebuilt.map(({ qty, fees, pnl, entry_price, close_reason }) => ({ qty, fees, pnl, entry: Number(entry_price), close_reason }));
      expect(figures, `seed ${seed}`).toEqual(
        reference.positions.map((each) => ({
          qty: String((each.reason === null ? each.qty : each.enteredQty) / 100),
          fees: money(each.fees),
          pnl: each.reason === null ? null : money(pnlOf(each)),
          entry: each.reason === null || each.fills.length <= 2 ? each.average : each.entered / each.enteredQty / 100,
          close_reason: each.reason,
        })),
      );
      for (const each of reference.positions)
        for (const { kind, role } of each.fills) seen.set(`${kind} ${role}`, (seen.get(`${kind} ${role}`) ?? 0) + 1);
    }
    // The scripts reach every kind of fill, by market, limit and stop orders.
    for (const kind of ['open taker', 'open maker', 'add taker', 'add maker', 'partial_close taker', 'partial_close maker', 'close taker', 'close maker'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(RUNS / 10);
  });
});
