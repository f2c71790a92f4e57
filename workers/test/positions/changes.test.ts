// Long because the random lives need a plain reference and a watch that can be killed beside the worked cases.
import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { instantiate } from '../../src/engine/engine.ts';
import {
  type BookPosition,
  type BookTrailing,
  CLOSE_GUARDS,
  hasMoved,
  type LevelChange,
  type StepEvent,
  type WatchedBar,
} from '../../src/positions/bookTypes.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import { roundDown, roundUp } from '../../src/positions/sizing.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { seededRandom } from '../support/randomRuns.ts';

const MINUTE_MS = 60_000;
const key = 'binance BTCUSDT';
const TICK = 0.01;
const sequences = Number(process.env['CHANGE_SEQUENCES'] ?? 1000);

let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await testEngine());
}, engineTimeoutMs);

const long: BookPosition = {
  id: 'p',
  side: 'LONG',
  entryTimeMs: 0,
  entryPrice: 100,
  quantity: 2,
  leverage: 5,
  stopPrice: 98,
  targetPrice: 104,
  liquidationPrice: 80.5,
  bestPrice: 100,
  isArmed: false,
  tickSize: TICK,
  takerFeeFraction: 0.0005,
  trailing: { mode: 'off' },
  atr: null,
};
const change = (number: number, atMs: number, more: Partial<LevelChange>): LevelChange => ({
  number,
  atMs,
  stopPrice: null,
  targetPrice: null,
  trailing: null,
  ...more,
});
const bar = (minute: number, open: number, high: number, low: number, close: number): WatchedBar => ({
  timeMs: minute * MINUTE_MS,
  spanMs: MINUTE_MS,
  open,
  high,
  low,
  close,
  volume: 1,
});

describe('levels changed by the owner', () => {
  /** The close of a position whose stop of 98 changes in minute 2, over candles; null: none. */
  const closeOf = (stopPrice: number, bars: readonly WatchedBar[]) => {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    book.add(key, { ...long, changes: [change(1, 2.5 * MINUTE_MS, { stopPrice })] });
    const closed = bars.flatMap((each) => book.candle(key, each)).find(({ kind }) => kind === 'closed');
    return closed?.kind === 'closed' ? { price: closed.price, minute: closed.atMs / MINUTE_MS - 1 } : null;
  };
  const quiet = (minute: number) => bar(minute, 100, 100.5, 99.7, 100);

  it('DESK-004 candles before the change meet the old stop, later ones the new; its own candle only what both reach', () => {
    // 98 x 0.9998 = 97.9804, 99 x 0.9998 = 98.9802 and 97 x 0.9998 = 96.9806, each down to the tick.
    expect(closeOf(99, [quiet(0), bar(1, 100, 100, 98.5, 100), quiet(2), quiet(3)])).toBeNull();
    expect(closeOf(97, [quiet(0), bar(1, 100, 100, 97.5, 100)])).toEqual({ price: 97.98, minute: 1 });
    expect(closeOf(99, [quiet(0), quiet(1), bar(2, 100, 100, 98.5, 100), quiet(3)])).toBeNull();
    expect(closeOf(99, [quiet(0), quiet(1), bar(2, 100, 100, 97.9, 100)])).toEqual({ price: 97.98, minute: 2 });
    expect(closeOf(97, [quiet(0), quiet(1), bar(2, 100, 100, 97.5, 100), quiet(3)])).toBeNull();
    expect(closeOf(97, [quiet(0), quiet(1), bar(2, 100, 100, 96.9, 100)])).toEqual({ price: 96.98, minute: 2 });
    expect(closeOf(99, [quiet(0), quiet(1), quiet(2), bar(3, 100, 100, 98.9, 100)])).toEqual({
      price: 98.98,
      minute: 3,
    });
    expect(closeOf(97, [quiet(0), quiet(1), quiet(2), bar(3, 100, 100, 97.5, 100)])).toBeNull();
  });

  it('DESK-004 prices meet the new levels from the moment of the change on', () => {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    book.add(key, { ...long, isArmed: true });
    book.setChanges('p', [change(1, 150_000, { stopPrice: 99, targetPrice: 101 })]);
    const at = (price: number, atMs: number) => book.tick(key, { price, mark: price, atMs });
    expect(at(98.9, 149_999)).toEqual([]);
    expect(at(101.5, 149_999)).toEqual([]);
    expect(at(99.5, 150_000)).toEqual([]);
    expect(at(101.2, 150_001)).toMatchObject([{ kind: 'closed', reason: 'TP', price: 101.2 }]);
  });

  it('DESK-005 trailing that is switched on follows from the price of that moment, and off leaves the stop', () => {
    const trailing = { mode: 'percent', callbackFraction: 0.01, stepFraction: 0, activationFraction: 0 } as const;
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    const on = { trailing, atr: null, bestPrice: 101 };
    book.add(key, { ...long, targetPrice: 120, changes: [change(1, 150_000, { trailing: on })] });
    // The best price so far is 104: 1 % below it would close at once.
    const events = [bar(0, 100, 104, 99.7, 101), bar(1, 101, 101, 100.9, 101), bar(2, 101, 103, 100.9, 102)].flatMap(
      (each) => book.candle(key, each),
    );
    expect(events.filter(({ kind }) => kind === 'changed' || kind === 'trail_raised')).toMatchObject([
      { kind: 'changed', stop: 98, target: 120, peak: 101 },
      { kind: 'trail_raised', from: 98, to: 99.99 },
    ]);
    book.setChanges('p', [change(2, 180_000, { trailing: { trailing: { mode: 'off' }, atr: null, bestPrice: 102 } })]);
    expect(book.candle(key, bar(3, 102, 110, 101.5, 105))).toMatchObject([{ kind: 'changed', number: 2, stop: 99.99 }]);
  });
});

interface Closed {
  price: number;
  reason: string;
  atMs: number;
}

/** A position in plain arithmetic, without the engine. */
class Reference {
  readonly #side: 1 | -1;
  readonly #entry: number;
  #stop: number;
  #target: number;
  #best: number;
  #trailing: BookTrailing;
  #armedMs = Infinity;
  #changes: LevelChange[] = [];
  #closed: Closed | null = null;

  constructor({ side, entryPrice, stopPrice, targetPrice, trailing }: BookPosition) {
    this.#side = side === 'LONG' ? 1 : -1;
    this.#entry = entryPrice;
    [this.#stop, this.#target, this.#best, this.#trailing] = [stopPrice, targetPrice, entryPrice, trailing];
  }

  closed(): Closed | null {
    return this.#closed;
  }

  change(next: LevelChange): void {
    this.#changes.push(next);
  }

  #close(price: number, reason: 'SL' | 'TP', atMs: number): void {
    const slipped = reason === 'SL' ? price * (1 - this.#side * STOP_SLIPPAGE) : price;
    this.#closed ??= { price: this.#side > 0 ? roundDown(slipped, TICK) : roundUp(slipped, TICK), reason, atMs };
  }

  tick(price: number, atMs: number): void {
    if (this.closed() !== null) return;
    if (this.#armedMs === Infinity) {
      if (atMs < CLOSE_GUARDS.ageMs || !hasMoved(this.#entry, price, CLOSE_GUARDS)) return;
      this.#armedMs = atMs;
    }
    let [stop, target] = [this.#stop, this.#target];
    for (const each of this.#changes) {
      if (each.atMs <= atMs) [stop, target] = [each.stopPrice ?? stop, each.targetPrice ?? target];
    }
    if (this.#side * price <= this.#side * stop) this.#close(price, 'SL', atMs);
    else if (this.#side * price >= this.#side * target) this.#close(price, 'TP', atMs);
  }

  #apply(untilMs: number): void {
    for (const each of this.#changes.filter(({ atMs }) => atMs <= untilMs)) {
      this.#stop = each.stopPrice ?? this.#stop;
      this.#target = each.targetPrice ?? this.#target;
      if (each.trailing !== null) [this.#trailing, this.#best] = [each.trailing.trailing, each.trailing.bestPrice];
    }
    this.#changes = this.#changes.filter(({ atMs }) => atMs > untilMs);
  }

  candle({ timeMs, open, high, low }: WatchedBar): void {
    if (this.closed() !== null) return;
    const side = this.#side;
    const endMs = timeMs + MINUTE_MS;
    this.#apply(timeMs);
    const far = Math.abs(high - this.#entry) > Math.abs(low - this.#entry) ? high : low;
    if (this.#armedMs > endMs && endMs >= CLOSE_GUARDS.ageMs && hasMoved(this.#entry, far, CLOSE_GUARDS))
      this.#armedMs = endMs;
    if (this.#armedMs > endMs) {
      this.#apply(endMs - 1);
      return;
    }
    const inside = this.#changes.filter(({ atMs }) => atMs < endMs);
    const { stop, target } = this.#farthest(inside);
    const [worst, best] = side > 0 ? [low, high] : [high, low];
    if (side * open <= side * stop) this.#close(open, 'SL', endMs);
    else if (side * open >= side * target) this.#close(open, 'TP', endMs);
    else if (side * worst <= side * stop) this.#close(stop, 'SL', endMs);
    else if (side * best >= side * target) this.#close(target, 'TP', endMs);
    if (this.closed() !== null) return;
    if (side * best > side * this.#best) this.#best = best;
    this.#apply(endMs - 1);
    this.#trail();
  }

  /** Farthest of the present levels and those of changes. */
  #farthest(changes: readonly LevelChange[]): { stop: number; target: number } {
    const stops = [this.#stop, ...changes.flatMap(({ stopPrice }) => stopPrice ?? [])];
    const targets = [this.#target, ...changes.flatMap(({ targetPrice }) => targetPrice ?? [])];
    return this.#side > 0
      ? { stop: Math.min(...stops), target: Math.max(...targets) }
      : { stop: Math.max(...stops), target: Math.min(...targets) };
  }

  #trail(): void {
    const trailing = this.#trailing;
    if (trailing.mode !== 'percent') return;
    if (this.#side * (this.#best - this.#entry) < (trailing.activationFraction ?? 0) * this.#entry) return;
    const raw = this.#best * (1 - this.#side * trailing.callbackFraction);
    const next = this.#side > 0 ? roundUp(raw, TICK) : roundDown(raw, TICK);
    if (this.#side * (next - this.#stop) >= trailing.stepFraction * this.#entry) this.#stop = next;
  }
}

/** What the database holds of a position, and a watch that may end at any moment: the next one starts from what is stored. */
class KillableWatch {
  #row: BookPosition;
  #pending: LevelChange[] = [];
  #book: PositionBook;
  #isInformed = true;
  closed: { price: number; reason: string; atMs: number } | null = null;

  constructor(position: BookPosition) {
    this.#row = position;
    this.#book = this.#load();
  }

  #load(): PositionBook {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    if (this.closed === null) book.add(key, { ...this.#row, changes: [...this.#pending] });
    this.#isInformed = true;
    return book;
  }

  kill(): void {
    this.#book = this.#load();
  }

  /** Stored by another node; this one reads it now or later. */
  change(next: LevelChange, isReceived: boolean): void {
    this.#pending.push(next);
    if (isReceived) this.#inform();
    else this.#isInformed = false;
  }

  #inform(): void {
    this.#book.setChanges('p', [...this.#pending]);
    this.#isInformed = true;
  }

  tick(price: number, atMs: number): void {
    this.#write(this.#book.tick(key, { price, mark: price, atMs }));
  }

  candle(next: WatchedBar): void {
    this.#inform();
    this.#write(this.#book.candle(key, next));
  }

  #write(events: readonly StepEvent[]): void {
    for (const event of events) {
      if (event.kind === 'armed') this.#row = { ...this.#row, isArmed: true, armedAtMs: event.atMs };
      if (event.kind === 'peak') this.#row = { ...this.#row, bestPrice: event.peak };
      if (event.kind === 'trail_raised') this.#row = { ...this.#row, stopPrice: event.to, bestPrice: event.peak };
      if (event.kind === 'changed') this.#reach(event);
      if (event.kind !== 'closed') continue;
      // Closed by levels that had changed: the stored change came first.
      if (this.#isInformed) this.closed = { price: event.price, reason: event.reason, atMs: event.atMs };
      else this.#book = this.#load();
    }
  }

  #reach({ number, stop, target, peak }: Extract<StepEvent, { kind: 'changed' }>): void {
    const trailing = this.#pending.find((each) => each.number === number)?.trailing?.trailing ?? this.#row.trailing;
    const initialStopPrice = this.#row.initialStopPrice ?? this.#row.stopPrice;
    this.#row = { ...this.#row, stopPrice: stop, targetPrice: target, bestPrice: peak, trailing, initialStopPrice };
    this.#pending = this.#pending.filter((each) => each.number > number);
  }
}

interface Moves {
  changes: number;
  kills: number;
}

/** One random life: candles, prices inside them, changes and kills. Prices come while every change is known, as stored closes need. */
function live(seed: number): { reference: Reference; watch: KillableWatch; counts: Moves } {
  const random = seededRandom(seed);
  const side = random() < 0.5 ? 'LONG' : 'SHORT';
  const sign = side === 'LONG' ? 1 : -1;
  const money = (value: number): number => Number(value.toFixed(2));
  const level = (price: number, fraction: number): number => money(price * (1 + sign * fraction));
  const trailingOf = (): BookTrailing =>
    random() < 0.4
      ? { mode: 'off' }
      : {
          mode: 'percent',
          callbackFraction: 0.003 + 0.01 * random(),
          stepFraction: 0.002 * random(),
          activationFraction: random() < 0.5 ? 0 : 0.01 * random(),
        };
  const position: BookPosition = {
    ...long,
    side,
    stopPrice: level(100, -0.005 - 0.02 * random()),
    targetPrice: level(100, 0.005 + 0.03 * random()),
    liquidationPrice: level(100, -0.19),
    trailing: trailingOf(),
  };
  const reference = new Reference(position);
  const watch = new KillableWatch(position);
  const counts = { changes: 0, kills: 0 };
  let price = 100;
  for (let minute = 0; minute < 40 && reference.closed() === null; minute++) {
    const open = price;
    let [high, low] = [open, open];
    for (let part = 1; part <= 4; part++) {
      const atMs = minute * MINUTE_MS + part * 14_000;
      price = money(price * (1 + 0.003 * (random() + random() - 1)));
      [high, low] = [Math.max(high, price), Math.min(low, price)];
      if (random() < 0.3) {
        reference.tick(price, atMs);
        watch.tick(price, atMs);
      }
      if (random() < 0.06 && reference.closed() === null) {
        const next = change((counts.changes += 1), atMs + (random() < 0.1 ? 6000 : 0), {
          stopPrice: random() < 0.6 ? level(price, -0.001 - 0.02 * random()) : null,
          targetPrice: random() < 0.6 ? level(price, 0.001 + 0.02 * random()) : null,
          trailing: random() < 0.4 ? { trailing: trailingOf(), atr: null, bestPrice: price } : null,
        });
        reference.change(next);
        watch.change(next, true);
      }
      if (random() < 0.1) {
        watch.kill();
        counts.kills += 1;
      }
    }
    const next = { timeMs: minute * MINUTE_MS, spanMs: MINUTE_MS, open, high, low, close: price, volume: 1 };
    reference.candle(next);
    watch.candle(next);
  }
  return { reference, watch, counts };
}

describe('random lives of a position', () => {
  it(`DESK-004 DESK-005 ${sequences} sequences of changes, prices, candles and restarts close as a plain replay does`, () => {
    const total = { changes: 0, kills: 0, closed: 0 };
    for (let seed = 1; seed <= sequences; seed++) {
      const { reference, watch, counts } = live(seed);
      expect(watch.closed, `seed ${seed}`).toEqual(reference.closed());
      total.changes += counts.changes;
      total.kills += counts.kills;
      if (reference.closed() !== null) total.closed += 1;
    }
    expect(total.changes).toBeGreaterThan(sequences);
    expect(total.kills).toBeGreaterThan(sequences);
    expect(total.closed).toBeGreaterThan(sequences / 2);
  });

  it('DESK-004 a price that closed by levels changed before it was written closes nothing', () => {
    const watch = new KillableWatch({ ...long, isArmed: true });
    watch.change(change(1, 100_000, { stopPrice: 95 }), false);
    watch.tick(97, 100_100);
    expect(watch.closed).toBeNull();
    watch.tick(94.9, 100_200);
    expect(watch.closed).toMatchObject({ reason: 'SL', atMs: 100_200 });
  });
});
