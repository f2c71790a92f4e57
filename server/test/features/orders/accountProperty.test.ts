// Long because the two drivers of one script stand beside each other.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import {
  closingSide as other,
  halfSpreadOf,
  marketFill,
  pricedFill,
} from '@sextant/workers/src/positions/marketFill.ts';
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
import { writeWatermarks } from '../../../src/features/positions/watch/watchRepository.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import { readWatched } from '../../../src/features/positions/watch/watchRepository.ts';
import { readFunds } from '../../../src/features/sizing/accountSizing.ts';
import { type SystemTx, withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { simulated } from '../positions/support/scriptedMarket.ts';
import {
  type Op,
  randomScript,
  ReferenceAccount,
  type RefFill,
  type RefPosition,
  type Side,
} from './support/referenceAccount.ts';

const start = 1_767_225_600_000;
/** `npm test` takes a share. */
const isFull = process.env['STATISTICS'] === 'full';
const RUNS = isFull ? 10_000 : 2000;
const DATABASE_RUNS = isFull ? 100 : 20;
const OPS = 40;
let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await loadModule());
});

const targetsOf = (targets: readonly { price: number; tenths: number }[]): BookTarget[] =>
  targets.map(({ price, tenths }) => ({ price: price / 100, fraction: tenths / 10 }));

/** Prices of a script as the product has them. */
const quoteOf = ({ price, spread }: { price: number; spread: number }) => {
  const [bid, ask] = spread === 0 ? [null, null] : [(price - spread) / 100, (price + spread) / 100];
  return { last: price / 100, bid, ask };
};
const marketPrice = (op: Extract<Op, { kind: 'market' }>): number => marketFill(op.side, quoteOf(op), 0.01);

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
type PureOrder = Omit<RestingOrder, 'revision'> & {
  qty: number;
  isReducing: boolean;
  stop: number;
  targets: BookTarget[];
};

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

  #isBeforeStop(side: Side, price: number): boolean {
    const stop = this.#row(side)?.book.stopPrice;
    const sign = side === 'LONG' ? 1 : -1;
    return stop === undefined || sign * price > sign * stop;
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
    else if (op.kind === 'tick') this.#tick(op);
    else if (op.kind === 'market' && this.#isBeforeStop(op.side, marketPrice(op)))
      this.#enter(op.side, {
        ...op,
        price: marketPrice(op),
        qty: op.qty / 100,
        stop: op.stop / 100,
        targets: targetsOf(op.targets),
        role: 'taker',
      });
    else if (op.kind === 'place')
      this.orders.push({
        id: String(op.order),
        side: op.side,
        type: op.type,
        price: op.price / 100,
        tickSize: 0.01,
        activeFromMs: op.atMs,
        expiresAtMs: op.expiresAtMs,
        qty: op.qty / 100,
        isReducing: op.isReducing,
        stop: op.stop / 100,
        targets: targetsOf(op.targets),
      });
    else if (op.kind === 'edit')
      this.orders = this.orders.map((order) =>
        order.id === String(op.order)
          ? { ...order, price: op.price / 100, qty: op.qty / 100, activeFromMs: op.atMs }
          : order,
      );
    else if (op.kind === 'cancel') this.orders = this.orders.filter(({ id }) => id !== String(op.order));
    else if (op.kind === 'close') {
      const price = marketFill(other(op.side), quoteOf(op), 0.01);
      this.#exit(this.#row(op.side), { price, qty: op.qty / 100, atMs: op.atMs, role: 'taker' });
    } else if (op.kind === 'reverse') {
      const row = this.#row(op.side);
      if (row === undefined || this.#row(other(op.side)) !== undefined) return;
      const qty = row.book.quantity;
      const price = marketFill(other(op.side), quoteOf(op), 0.01);
      this.#exit(row, { price, qty, atMs: op.atMs, role: 'taker' });
      this.#enter(other(op.side), {
        price,
        qty,
        atMs: op.atMs,
        stop: op.stop / 100,
        targets: targetsOf(op.targets),
        role: 'taker',
      });
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
      id: String(this.positions.length),
      side,
      entryTimeMs: atMs,
      entryPrice: price,
      quantity: qty,
      leverage: 1,
      stopPrice: fill.stop,
      targetPrice: fill.targets[0]?.price ?? 0,
      targets: fill.targets,
      liquidationPrice: null,
      bestPrice: price,
      isArmed: false,
      tickSize: 0.01,
      takerFeeFraction: 0.0005,
      trailing: { mode: 'off' },
      atr: null,
      stepSize: 0.01,
      minNotional: 5,
    };
    const facts = {
      symbol: 'X',
      side,
      leverage: 1,
      entry_price: price,
      qty,
      confidence: 0,
      stop_loss: fill.stop,
      take_profit: book.targetPrice,
      liquidation_approx: null,
    };
    const added: PurePosition = {
      book,
      isOpen: true,
      fills: [{ kind: 'open', role, price, qty, fee }],
      events: [{ kind: 'opened', at, data: facts }, feeEvent],
    };
    this.positions.push(added);
    this.#book.add('key', book);
  }

  #exit(
    row: PurePosition | undefined,
    { price, qty, atMs, role }: { price: number; qty: number; atMs: number; role: 'maker' | 'taker' },
  ): void {
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
    exit: {
      price: number;
      quantity: number;
      left: number;
      fee: number;
      atMs: number;
      role: 'maker' | 'taker';
      reason: string;
    },
  ): void {
    const at = new Date(exit.atMs);
    const { price, quantity, left } = exit;
    row.isOpen = left > 0;
    row.fills.push({
      kind: row.isOpen ? 'partial_close' : 'close',
      role: exit.role,
      price,
      qty: quantity,
      fee: exit.fee,
    });
    row.events.push({ kind: 'fee', at, data: { amount: Number(exit.fee.toFixed(8)), what: 'exit' } });
    const data = row.isOpen ? { price, quantity } : { price, reason: exit.reason };
    row.events.push({ kind: row.isOpen ? 'reduced' : 'closed', at, data });
    if (row.isOpen) row.book = { ...row.book, quantity: left };
  }

  #tick(op: Extract<Op, { kind: 'tick' }>): void {
    const { atMs } = op;
    const { last: price, ...book } = quoteOf(op);
    const tick = { price, atMs, halfSpread: halfSpreadOf(book) };
    for (const step of this.#book.tick('key', { ...tick, mark: price })) {
      const row = this.positions.find(({ book }) => book.id === step.id);
      if (row === undefined) throw new Error('the book has only rows');
      if (step.kind === 'armed') row.book = { ...row.book, isArmed: true, armedAtMs: atMs };
      if (step.kind === 'closed') {
        const { quantity } = row.book;
        this.#write(row, {
          price: step.price,
          quantity,
          left: 0,
          fee: step.exitFee,
          atMs,
          role: 'taker',
          reason: step.reason,
        });
      }
      if (step.kind === 'reduced') {
        const { quantity, targets } = step;
        const left = Number((row.book.quantity - quantity).toFixed(8));
        this.#write(row, { price: step.price, quantity, left, fee: step.exitFee, atMs, role: 'taker', reason: 'TP' });
        row.book = { ...row.book, targets, targetPrice: targets[0]?.price ?? 0 };
      }
    }
    for (const order of this.orders) this.#stepOrder(order, tick);
  }

  #stepOrder(order: PureOrder, tick: { price: number; atMs: number; halfSpread: number | null }): void {
    const { atMs } = tick;
    const step = stepTick({ ...order, revision: 1 }, tick);
    if (step === null) return;
    this.orders = this.orders.filter(({ id }) => id !== order.id);
    if (step.kind === 'expired') return;
    const { role } = step;
    const sign = order.side === 'LONG' ? 1 : -1;
    const same = this.#row(order.side);
    if (order.isReducing) {
      const row = this.#row(other(order.side));
      if (row !== undefined)
        this.#exit(row, { price: step.price, qty: Math.min(order.qty, row.book.quantity), atMs, role });
    } else if (
      sign * step.price > sign * (same?.book.stopPrice ?? order.stop) &&
      (same !== undefined || sign * step.price < sign * (order.targets[0]?.price ?? 0))
    )
      this.#enter(order.side, { ...order, price: step.price, atMs, role });
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

/** Limits for scripts that hang, not for a slow machine. */
const LIMIT_MS = isFull ? 900_000 : 180_000;

describe('an account against a plain reference', { timeout: LIMIT_MS }, () => {
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
      expect(
        product.orders.map(({ id }) => Number(id)),
        `seed ${seed}`,
      ).toEqual(reference.orders.map(({ id }) => id));
      const rebuilt = product.positions.map(({ events }) => rebuildPosition(events));
      const figures = rebuilt.map(({ qty, fees, pnl, entry_price, close_reason }) => ({
        qty,
        fees,
        pnl,
        entry: Number(entry_price),
        close_reason,
      }));
      expect(figures, `seed ${seed}`).toEqual(
        reference.positions.map((each) => ({
          qty: String((each.reason === null ? each.qty : each.enteredQty) / 100),
          fees: money(each.fees),
          pnl: each.reason === null ? null : money(pnlOf(each)),
          entry: each.reason === null ? each.average : each.entered / (each.enteredQty * 100),
          close_reason: each.reason,
        })),
      );
      for (const each of reference.positions)
        for (const { kind, role } of each.fills) seen.set(`${kind} ${role}`, (seen.get(`${kind} ${role}`) ?? 0) + 1);
    }
    // The scripts reach every kind of fill, by market, limit and stop orders.
    for (const kind of [
      'open taker',
      'open maker',
      'add taker',
      'add maker',
      'partial_close taker',
      'partial_close maker',
      'close taker',
      'close maker',
    ])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(RUNS / 10);
  });
});

/** The same script through the tables: every price reads all of its state from them, as after a kill. */
class StoredAccount {
  readonly #database: TestDatabase;
  readonly #userId: string;
  readonly #symbol: string;
  readonly #ids = new Map<number, string>();
  readonly #resting: ReturnType<typeof createRestingOrders>;
  readonly #deps = { kernel: () => kernel, config: simulated };

  constructor(database: TestDatabase, userId: string, symbol: string) {
    this.#database = database;
    this.#userId = userId;
    this.#symbol = symbol;
    this.#resting = createRestingOrders(this.#deps);
  }

  async apply(op: Op): Promise<void> {
    await withSystem(this.#database.db, (tx) => this.#applyIn(tx, op));
  }

  async #applyIn(tx: SystemTx, op: Op): Promise<void> {
    if (op.kind === 'kill') return;
    if (op.kind === 'tick') return this.#tick(tx, op);
    if (op.kind === 'funding') {
      const place = { market: 'simulated' as const, exchange: 'binance', symbol: this.#symbol };
      // Its script judges every price before the stamp.
      await writeWatermarks(tx, 'simulated', new Map([[`binance ${this.#symbol}`, op.stampMs]]));
      await chargeStamp(tx, { ...place, stampMs: op.stampMs, rate: 0.0001, mark: op.mark / 100 });
      return;
    }
    if (op.kind === 'cancel' || op.kind === 'edit') return this.#change(tx, op);
    if (op.kind === 'place') return this.#place(tx, op);
    await this.#fill(tx, op);
  }

  async #change(tx: SystemTx, op: Extract<Op, { kind: 'cancel' | 'edit' }>): Promise<void> {
    const id = this.#ids.get(op.order);
    if (id === undefined) return;
    const change =
      op.kind === 'cancel'
        ? { status: 'cancelled', cancel_reason: 'owner', ended_at: new Date(), reserved: '0' }
        : {
            price: String(op.price / 100),
            quantity: String(op.qty / 100),
            active_from: new Date(op.atMs),
            revision: op.atMs % 1e9,
          };
    await tx.updateTable('orders').set(change).where('id', '=', id).where('status', '=', 'resting').execute();
  }

  async #place(tx: SystemTx, op: Extract<Op, { kind: 'place' }>): Promise<void> {
    const columns = { type: op.type, reduce_only: op.isReducing, price: String(op.price / 100) };
    const expires = op.expiresAtMs === null ? null : new Date(op.expiresAtMs);
    const row = await this.#insert(tx, op.side, op.qty / 100, { ...op, ...columns, expires_at: expires });
    this.#ids.set(op.order, row.id);
  }

  async #fill(tx: SystemTx, op: Extract<Op, { kind: 'market' | 'close' | 'reverse' }>): Promise<void> {
    const filled = pricedFill(op.kind === 'market' ? op.side : other(op.side), quoteOf(op), 0.01);
    const fill = { ...filled, atMs: op.atMs, role: 'taker' as const, candleMs: null };
    if (op.kind === 'market') {
      await fillOrder(this.#deps, tx, await this.#insert(tx, op.side, op.qty / 100, op), fill);
      return;
    }
    const position = await this.#open(tx, op.side);
    if (position === undefined) return;
    if (op.kind === 'reverse' && (await this.#open(tx, other(op.side))) !== undefined) return;
    const quantity = op.kind === 'close' ? op.qty / 100 : Number(position.qty);
    const part = { userId: this.#userId, id: position.id, body: { quantity }, quote: { ...quoteOf(op), mark: null } };
    // The product's own fill of a close by hand, dated by the script.
    expect(await closePart(tx, { ...part, fill: { ...fill, orderId: null } })).toMatchObject({ ok: true });
    if (op.kind === 'reverse')
      await fillOrder(this.#deps, tx, await this.#insert(tx, other(op.side), quantity, op), fill);
  }

  #open(tx: SystemTx, side: Side) {
    const own = tx.selectFrom('positions').selectAll().where('user_id', '=', this.#userId);
    return own.where('side', '=', side).where('closed_at', 'is', null).executeTakeFirst();
  }

  #insert(
    tx: SystemTx,
    side: Side,
    quantity: number,
    op: { atMs: number; stop: number; targets: readonly { price: number; tenths: number }[] } & Partial<
      Pick<OrderRow, 'type' | 'reduce_only' | 'expires_at'>
    > & { price?: number | string },
  ): Promise<OrderRow> {
    const { type = 'market', reduce_only = false, expires_at = null } = op;
    return tx
      .insertInto('orders')
      .values({
        user_id: this.#userId,
        exchange: 'binance',
        market: 'simulated',
        symbol: this.#symbol,
        interval: '1h',
        side,
        type,
        status: 'resting',
        reduce_only,
        quantity: String(quantity),
        leverage: 1,
        expires_at,
        price: type === 'market' ? null : String(op.price),
        stop_loss: reduce_only ? null : String(op.stop / 100),
        take_profits: reduce_only ? null : JSON.stringify(targetsOf(op.targets)),
        trail: JSON.stringify({ enabled: false }),
        tick_size: '0.01',
        step_size: '0.01',
        min_notional: '5',
        active_from: new Date(op.atMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async #tick(tx: SystemTx, op: Extract<Op, { kind: 'tick' }>): Promise<void> {
    const { last: price, ...sides } = quoteOf(op);
    const tick = { price, atMs: op.atMs, halfSpread: halfSpreadOf(sides) };
    const book = new PositionBook(bookEngine, CLOSE_GUARDS);
    for (const { position } of await readWatched(tx, 'simulated')) book.add('key', position);
    const events = book.tick('key', { ...tick, mark: price });
    await writeSteps(tx, events);
    for (const event of events) if (event.kind === 'reduced') await writeReduce(tx, { ...event, reason: 'TP' });
    await writeCloses(
      tx,
      events.filter((event) => event.kind === 'closed'),
    );
    await this.#resting.load(tx, 'simulated');
    await this.#resting.write(tx, this.#resting.tick(`binance ${this.#symbol}`, tick));
  }
}

let kernel: ReturnType<typeof instantiate>;
let bookEngine: ReturnType<typeof instantiate>;

describe('an account in the database against a plain reference', { timeout: LIMIT_MS }, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it(`DESK-037 DESK-038 ${DATABASE_RUNS} random scripts give the same fills, margin, funding and cash to the last decimal`, async () => {
    for (let seed = 1; seed <= DATABASE_RUNS; seed++) {
      kernel = instantiate(module);
      bookEngine = instantiate(module);
      const reference = new ReferenceAccount();
      const ops = randomScript(seededRandom(1_000_000 + seed), reference, OPS, start);
      const userId = await database.addUser();
      await database.asOwner(
        `insert into preferences (user_id, balance_usdt) values ('${userId}', 1000000) on conflict (user_id) do update set balance_usdt = 1000000`,
      );
      const product = new StoredAccount(database, userId, `S${seed}USDT`);
      for (const op of ops) await product.apply(op);
      const rows = await database.asOwner<Record<string, string | null> & { fills: RefFill[] }>(
        `select p.qty, p.entry_price, p.fees, p.funding, p.realised, p.pnl, p.close_reason, (
           select json_agg(json_build_object('kind', f.kind, 'role', f.role, 'price', f.price, 'qty', f.quantity, 'fee', f.fee::text,
             'pnl', f.pnl::text) order by f.seq) from position_fills f where f.position_id = p.id) as fills
         from positions p where p.user_id = $1 order by (select min(seq) from position_fills f where f.position_id = p.id)`,
        [userId],
      );
      const wanted = reference.positions.map((each) => ({
        qty: String((each.reason === null ? each.qty : each.enteredQty) / 100),
        entry_price: String(each.reason === null ? each.average : each.entered / (each.enteredQty * 100)),
        fees: money(each.fees),
        funding: money(each.funding),
        realised: money(each.realised),
        pnl: each.reason === null ? null : money(pnlOf(each)),
        close_reason: each.reason,
        fills: each.fills.map(({ kind, role, price, qty, fee, pnl }) => ({
          kind,
          role,
          price: price / 100,
          qty: qty / 100,
          fee: money(fee),
          pnl: money(pnl),
        })),
      }));
      expect(rows, `seed ${seed}`).toEqual(wanted);
      const funds = await withSystem(database.db, (tx) => readFunds(tx, userId, 'simulated'));
      expect(funds.realisedUsdt.toFixed(8), `seed ${seed}`).toBe(money(reference.cash));
      expect(funds.marginUsdt.toFixed(8), `seed ${seed}`).toBe(money(reference.margin));
      const ends = await database.asOwner<{ status: string; count: number }>(
        `select status, count(*)::int as count from orders where user_id = $1 and type <> 'market' group by 1`,
        [userId],
      );
      const countOf = (status: string): number => ends.find((each) => each.status === status)?.count ?? 0;
      for (const status of ['filled', 'cancelled', 'expired'] as const)
        expect(countOf(status), `seed ${seed} ${status}`).toBe(
          [...reference.ends.values()].filter((end) => end === status).length,
        );
      expect(countOf('resting'), `seed ${seed}`).toBe(reference.orders.length);
      expect(await findDrift(database.db, new Date(0)), `seed ${seed}`).toEqual([]);
      await database.asOwner('delete from users');
    }
  });
});
