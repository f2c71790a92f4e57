// Long because the account and the scripts that fit its state are one subject.
/**
 * A plain account in integers, written without the product's code: what orders, fills and closes must add up to. Prices are cents, quantities
 * hundredths, money is units of 1e-8, so that every fee is exact. Ticks only: candles have a test of their own.
 */

export type Side = 'LONG' | 'SHORT';
export type Op =
  /** `spread`: half of the distance between bid and ask, cents; 0: no book. Here and below. */
  | { kind: 'tick'; atMs: number; price: number; spread: number }
  | { kind: 'kill' }
  | {
      kind: 'market';
      atMs: number;
      side: Side;
      /** The last price. */
      price: number;
      spread: number;
      qty: number;
      stop: number;
      targets: RefTarget[];
    }
  | {
      kind: 'place';
      atMs: number;
      order: number;
      side: Side;
      type: 'limit' | 'stop';
      price: number;
      qty: number;
      isReducing: boolean;
      expiresAtMs: number | null;
      stop: number;
      targets: RefTarget[];
    }
  | { kind: 'edit'; atMs: number; order: number; price: number; qty: number }
  | { kind: 'cancel'; order: number }
  | { kind: 'close'; atMs: number; side: Side; price: number; spread: number; qty: number }
  | { kind: 'reverse'; atMs: number; side: Side; price: number; spread: number; stop: number; targets: RefTarget[] }
  | { kind: 'funding'; stampMs: number; mark: number };

export interface RefTarget {
  price: number;
  /** Tenths of the position. */
  tenths: number;
}

export interface RefFill {
  kind: 'open' | 'add' | 'partial_close' | 'close';
  role: 'maker' | 'taker';
  price: number;
  qty: number;
  fee: bigint;
  pnl: bigint;
  atMs: number;
}

export interface RefPosition {
  side: Side;
  openedAtMs: number;
  isArmed: boolean;
  stop: number;
  targets: RefTarget[];
  qty: number;
  /** Average entry as a decimal of an f64, in quote currency. */
  average: number;
  /** Sum of price x quantity, units of 1e-4. */
  entered: number;
  enteredQty: number;
  exited: number;
  fees: bigint;
  funding: bigint;
  realised: bigint;
  fills: RefFill[];
  reason: 'SL' | 'TP' | 'MANUAL' | null;
}

interface RefOrder {
  id: number;
  side: Side;
  type: 'limit' | 'stop';
  price: number;
  qty: number;
  isReducing: boolean;
  activeMs: number;
  expiresAtMs: number | null;
  stop: number;
  targets: RefTarget[];
}

const sign = (side: Side): 1 | -1 => (side === 'LONG' ? 1 : -1);
const other = (side: Side): Side => (side === 'LONG' ? 'SHORT' : 'LONG');
/** 0.05 % and 0.02 % of cents x hundredths, in units of 1e-8. */
const feeOf = (price: number, qty: number, role: 'maker' | 'taker'): bigint =>
  BigInt(price) * BigInt(qty) * (role === 'maker' ? 2n : 5n);

/** A decimal text in units of 1e-20. */
export function exact(value: number): bigint {
  // The shortest decimal, as the database stores it.
  const short = String(value);
  if (/e/.test(short)) throw new Error('prices of this test have no exponent');
  const [w = '0', p = ''] = short.split('.');
  return BigInt(w + p.padEnd(20, '0'));
}
const halfAway = (value: bigint, unit: bigint): bigint =>
  value < 0n ? -((-value + unit / 2n) / unit) : (value + unit / 2n) / unit;

const isOpen = ({ reason }: RefPosition): boolean => reason === null;

/** Half the spread and hundredths of a percent of slippage, on the worse cent. */
function worse(side: Side, price: number, spread: number, hundredths: number): number {
  const base = price + sign(side) * spread;
  return side === 'LONG'
    ? Math.ceil((base * (10_000 + hundredths)) / 10_000)
    : Math.floor((base * (10_000 - hundredths)) / 10_000);
}

/** A limit fills at its price a tick beyond it, a stop as a market order with 0.02 % of slippage. */
function fillOf({ side, type, price: wanted }: RefOrder, price: number, spread: number): number | null {
  const way = sign(side);
  if (type === 'limit') return way * (wanted - price) >= 1 ? wanted : null;
  return way * price < way * wanted ? null : worse(side, price, spread, 2);
}

/** A market order that buys (LONG) or sells. */
const marketFillOf = (side: Side, { price, spread }: { price: number; spread: number }): number =>
  worse(side, price, spread, 1);

export class ReferenceAccount {
  readonly positions: RefPosition[] = [];
  orders: RefOrder[] = [];
  /** Ended orders, by their number. */
  readonly ends = new Map<number, 'filled' | 'cancelled' | 'expired'>();

  open(side: Side): RefPosition | undefined {
    return this.positions.find((each) => each.side === side && each.reason === null);
  }

  apply(op: Op): void {
    switch (op.kind) {
      case 'kill':
        return;
      case 'tick': {
        this.#tick(op);
        return;
      }
      case 'market':
        this.#market(op);
        return;
      case 'place':
        this.orders.push({ ...op, id: op.order, activeMs: op.atMs });
        return;
      case 'edit': {
        const order = this.orders.find(({ id }) => id === op.order);
        if (order !== undefined) Object.assign(order, { price: op.price, qty: op.qty, activeMs: op.atMs });
        return;
      }
      case 'cancel':
        this.#cancel(op.order);
        return;
      case 'close': {
        const position = this.open(op.side);
        const price = marketFillOf(other(op.side), op);
        if (position !== undefined)
          this.#exit(position, { price, qty: op.qty, atMs: op.atMs, role: 'taker', reason: 'MANUAL' });
        return;
      }
      case 'reverse':
        this.#reverse(op);
        return;
      case 'funding':
        for (const position of this.positions) this.#fund(position, op.stampMs, op.mark);
    }
  }

  #cancel(order: number): void {
    if (this.orders.some(({ id }) => id === order)) this.#end(order, 'cancelled');
  }

  /** A market order; adding beyond the stop, which is not armed yet, is rejected. */
  #market(op: Extract<Op, { kind: 'market' }>): void {
    const fill = marketFillOf(op.side, op);
    if (sign(op.side) * fill <= sign(op.side) * (this.open(op.side)?.stop ?? op.stop)) return;
    this.#enter(op, fill, op.atMs, 'taker');
  }

  #reverse(op: Extract<Op, { kind: 'reverse' }>): void {
    const position = this.open(op.side);
    if (position === undefined || this.open(other(op.side)) !== undefined) return;
    const { qty } = position;
    const price = marketFillOf(other(op.side), op);
    this.#exit(position, { price, qty, atMs: op.atMs, role: 'taker', reason: 'MANUAL' });
    this.#enter({ side: other(op.side), qty, stop: op.stop, targets: op.targets }, price, op.atMs, 'taker');
  }

  #end(id: number, how: 'filled' | 'cancelled' | 'expired'): void {
    this.orders = this.orders.filter((each) => each.id !== id);
    this.ends.set(id, how);
  }

  /** Longs pay 0.01 % of what was open before the stamp. */
  #fund(position: RefPosition, stampMs: number, mark: number): void {
    const before = position.fills.filter(({ atMs }) => atMs < stampMs);
    const qty = before.reduce(
      (sum, { kind, qty: part }) => sum + (kind === 'open' || kind === 'add' ? part : -part),
      0,
    );
    position.funding += BigInt(sign(position.side) * qty * mark);
  }

  #enter(
    { side, qty, stop, targets }: { side: Side; qty: number; stop: number; targets: RefTarget[] },
    price: number,
    atMs: number,
    role: 'maker' | 'taker',
  ): void {
    const position = this.open(side);
    const fee = feeOf(price, qty, role);
    if (position === undefined) {
      this.positions.push({
        side,
        stop,
        targets,
        qty,
        fees: fee,
        openedAtMs: atMs,
        isArmed: false,
        reason: null,
        average: price / 100,
        entered: price * qty,
        enteredQty: qty,
        exited: 0,
        funding: 0n,
        realised: 0n,
        fills: [{ kind: 'open', role, price, qty, fee, pnl: 0n, atMs }],
      });
      return;
    }
    const [a, b] = [position.qty / 100, qty / 100];
    position.average = (position.average * a + (price / 100) * b) / (a + b);
    position.qty += qty;
    position.entered += price * qty;
    position.enteredQty += qty;
    position.fees += fee;
    position.fills.push({ kind: 'add', role, price, qty, fee, pnl: 0n, atMs });
  }

  /** Closes a part, or all of it where the rest is worth less than 5. */
  #exit(
    position: RefPosition,
    {
      price,
      qty,
      atMs,
      role,
      reason,
    }: { price: number; qty: number; atMs: number; role: 'maker' | 'taker'; reason: 'SL' | 'TP' | 'MANUAL' },
  ): void {
    const rest = position.qty - qty;
    const isWhole = rest <= 0 || rest * price < 50_000;
    const closed = isWhole ? position.qty : qty;
    const fee = feeOf(price, closed, role);
    position.fees += fee;
    position.exited += price * closed;
    const total = BigInt(sign(position.side)) * BigInt(position.exited - position.entered) * 10_000n;
    // Units of 1e-22 to 1e-8.
    const part = halfAway(
      (exact(price / 100) - exact(position.average)) * BigInt(sign(position.side) * closed),
      10n ** 14n,
    );
    const pnl = isWhole ? total - position.realised : part;
    position.fills.push({ kind: isWhole ? 'close' : 'partial_close', role, price, qty: closed, fee, pnl, atMs });
    if (isWhole) position.reason = reason;
    else {
      position.realised += pnl;
      position.qty -= closed;
    }
  }

  #tick(tick: Extract<Op, { kind: 'tick' }>): void {
    for (const position of this.positions) if (position.reason === null) this.#judge(position, tick);
    for (const order of [...this.orders]) this.#judgeOrder(order, tick);
  }

  #judge(position: RefPosition, { price, spread, atMs }: Extract<Op, { kind: 'tick' }>): void {
    const side = sign(position.side);
    if (!position.isArmed) {
      const isFar = Math.abs(price / 100 - position.average) >= position.average * 0.002 * (1 - 1e-9);
      if (atMs - position.openedAtMs < 60_000 || !isFar) return;
      position.isArmed = true;
    }
    if (side * price <= side * position.stop) {
      const fill = worse(other(position.side), price, spread, 2);
      this.#exit(position, { price: fill, qty: position.qty, atMs, role: 'taker', reason: 'SL' });
      return;
    }
    while (isOpen(position) && side * price >= side * (position.targets[0]?.price ?? 0)) {
      const ahead = position.targets.reduce((sum, { tenths }) => sum + tenths, 0);
      const isLast = position.targets.length === 1;
      const share = Math.max(1, Math.floor((position.qty * (position.targets[0]?.tenths ?? 0)) / ahead));
      const qty = isLast ? position.qty : share;
      this.#exit(position, { price, qty, atMs, role: 'taker', reason: 'TP' });
      if (isOpen(position)) position.targets = position.targets.slice(1);
    }
  }

  /** From its expiry on no price fills an order; without candles it expires two minutes later. */
  #isPastExpiry({ id, expiresAtMs }: RefOrder, atMs: number): boolean {
    if (expiresAtMs === null || atMs < expiresAtMs) return false;
    if (atMs >= expiresAtMs + 120_000) this.#end(id, 'expired');
    return true;
  }

  #judgeOrder(order: RefOrder, { price, spread, atMs }: Extract<Op, { kind: 'tick' }>): void {
    if (atMs < order.activeMs || this.#isPastExpiry(order, atMs)) return;
    const side = sign(order.side);
    const fill = fillOf(order, price, spread);
    if (fill === null) return;
    const role = order.type === 'limit' ? 'maker' : 'taker';
    if (!order.isReducing) {
      const position = this.open(order.side);
      const stop = position?.stop ?? order.stop;
      const isPast = position === undefined && side * fill >= side * (order.targets[0]?.price ?? 0);
      if (side * fill <= side * stop || isPast) {
        this.#end(order.id, 'cancelled');
        return;
      }
      this.#end(order.id, 'filled');
      this.#enter(order, fill, atMs, role);
      return;
    }
    const position = this.open(other(order.side));
    if (position === undefined) {
      this.#end(order.id, 'cancelled');
      return;
    }
    this.#end(order.id, 'filled');
    this.#exit(position, { price: fill, qty: Math.min(order.qty, position.qty), atMs, role, reason: 'MANUAL' });
  }

  /** Sum of what closed positions made, and of what open ones realised, less all costs: units of 1e-8. */
  get cash(): bigint {
    return this.positions.reduce((sum, { realised, fees, funding, reason, entered, exited, side }) => {
      const pnl = reason === null ? realised : BigInt(sign(side)) * BigInt(exited - entered) * 10_000n;
      return sum + pnl - fees - funding;
    }, 0n);
  }

  /** Leverage 1: the value of what is open at its average, rounded to 1e-8 each. */
  get margin(): bigint {
    return this.positions.reduce(
      (sum, { reason, average, qty }) =>
        reason === null ? sum + halfAway(exact(average) * BigInt(qty), 10n ** 14n) : sum,
      0n,
    );
  }
}

const pickSide = (random: () => number): Side => (random() < 0.5 ? 'LONG' : 'SHORT');

/** Where an order rests: 1 above the price, -1 below it. */
const restsAt = ({ side, type }: Pick<RefOrder, 'side' | 'type'>): number => sign(side) * (type === 'limit' ? -1 : 1);

/** A random script that fits the state of the reference, with the reference moved along. */
export function randomScript(random: () => number, account: ReferenceAccount, count: number, startMs: number): Op[] {
  const ops: Op[] = [];
  let [price, atMs, orderCount] = [10_000, startMs, 0];
  const pick = (most: number): number => Math.floor(random() * most);
  const levels = (side: Side, entry: number): { stop: number; targets: RefTarget[] } => {
    const way = sign(side);
    const shares = ([[10], [5, 5], [5, 3, 2], [1, 9]] as const)[pick(4)] as readonly number[];
    let at = entry;
    const targets = shares.map((tenths) => {
      at += way * (50 + pick(400));
      return { price: at, tenths };
    });
    return { stop: entry - way * (60 + pick(700)), targets };
  };
  const add = (op: Op): void => {
    account.apply(op);
    ops.push(op);
  };
  for (let i = 0; i < count; i++) {
    const side = pickSide(random);
    const qty = 10 + pick(300);
    const position = account.open(side);
    atMs += 1 + pick(400);
    const dice = random();
    if (dice < 0.55) {
      atMs += pick(25_000);
      price = Math.min(13_000, Math.max(7000, price + pick(301) - 150));
      add({ kind: 'tick', atMs, price, spread: pick(4) });
    } else if (dice < 0.62) add({ kind: 'market', atMs, side, price, spread: pick(4), qty, ...levels(side, price) });
    else if (dice < 0.76) {
      const type = random() < 0.6 ? 'limit' : 'stop';
      const at = price + restsAt({ side, type }) * (5 + pick(250));
      const isReducing = random() < 0.35;
      const expiresAtMs = random() < 0.3 ? atMs + 61_000 + pick(100_000) : null;
      orderCount += 1;
      add({
        kind: 'place',
        atMs,
        order: orderCount,
        side,
        type,
        price: at,
        qty,
        isReducing,
        expiresAtMs,
        ...levels(side, at),
      });
    } else if (dice < 0.8) {
      const order = account.orders[pick(Math.max(1, account.orders.length))];
      if (order !== undefined)
        add({ kind: 'edit', atMs, order: order.id, price: price + restsAt(order) * (5 + pick(250)), qty });
    } else if (dice < 0.83) add({ kind: 'cancel', order: 1 + pick(orderCount + 1) });
    else if (dice < 0.91) {
      const percent = [25, 50, 75, 100, 1 + pick(99)][pick(5)] ?? 100;
      if (position !== undefined)
        add({
          kind: 'close',
          atMs,
          side,
          price,
          spread: pick(4),
          qty: Math.max(1, Math.floor((position.qty * percent) / 100)),
        });
    } else if (dice < 0.94) add({ kind: 'reverse', atMs, side, price, spread: pick(4), ...levels(other(side), price) });
    else if (dice < 0.97) add({ kind: 'funding', stampMs: atMs, mark: price });
    else add({ kind: 'kill' });
  }
  return ops;
}
