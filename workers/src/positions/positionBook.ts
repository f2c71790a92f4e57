// Long because the book is one class over slots of engine memory.
import {
  BAR_LENGTH,
  barSlot,
  POSITION_LENGTH,
  positionSlot,
  RULES_LENGTH,
  ruleSlot,
} from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import type { Engine } from '../engine/engine.ts';
import { type FillMarket, slippageWith } from './marketFill.ts';
import { type BookTarget, partOfTarget } from './partialClose.ts';
import {
  type BookPosition,
  closeReasons,
  type ExitDue,
  type Guards,
  hasMoved,
  type LevelChange,
  type StepEvent,
  type WatchedBar,
} from './bookTypes.ts';
import { rulesRow, stateRow, writeTrailing } from './rows.ts';

const SLOT_LENGTH = 2 * RULES_LENGTH + POSITION_LENGTH;

interface Slot {
  id: string;
  /** Address of the rules; those without a moving stop and the state follow. */
  rulesAt: number;
  stillRulesAt: number;
  stateAt: number;
  entryTimeMs: number;
  entryPrice: number;
  /** -Infinity: nothing was added. */
  addedAtMs: number;
  /** Infinity: not yet. */
  armedAtMs: number;
  /** A trailing stop or a break-even. */
  movesStop: boolean;
  /** The stop moves when candles of this length close; 0: with each candle. */
  stopSpanMs: number;
  /** Something was traded since such a candle closed. */
  hasTraded: boolean;
  /** Best price when the last of them closed, while the stop has not followed it: its range is not known yet. */
  dueBest: number | null;
  /** Infinity: no exit is due. */
  dueAtMs: number;
  dueReason: ExitDue['reason'];
  /** Fractions: of an exit by time or signal, which is a market order, and of a target. */
  leaveSlippage: number;
  targetSlippage: number;
  /** Which average true range its trailing stop follows; null: none. */
  atr: BookPosition['atr'];
  /** Still ahead, nearest first; one or none: the target closes all of it. */
  targets: readonly BookTarget[];
  stepSize: number;
  minNotional: number;
  leverage: number;
  /** Changes by the owner after the last judged candle, oldest first. */
  changes: readonly LevelChange[];
}

interface Tick {
  price: number;
  mark: number;
  atMs: number;
  halfSpread: number | null;
}

/** Positions of one series, and the prices between which no position changes. */
interface Group {
  slots: Slot[];
  /** f64 per slot: at or below `low`, or at or above `high`, a tick must be checked. */
  low: Float64Array;
  high: Float64Array;
}

/**
 * Open positions in the engine's memory, stepped by the engine's own `stepPosition`, so that they close as in a backtest. Levels move with
 * whole candles only; a tick is compared with the active levels and changes nothing unless it closes or arms, so a candle that arrives
 * later meets the levels it opened with. The engine must not be shared: its arena is never reset.
 */
export class PositionBook {
  readonly #engine: Engine;
  readonly #guards: Guards;
  readonly #groups = new Map<string, Group>();
  readonly #keys = new Map<string, string>();
  readonly #free: number[] = [];
  /** The engine's whole memory as a cached view, because creating one costs more than a step. */
  #window: Float64Array = new Float64Array(0);
  readonly #barAt: number;
  readonly #scratchAt: number;

  constructor(engine: Engine, guards: Guards) {
    this.#engine = engine;
    this.#guards = guards;
    this.#barAt = engine.reserve(BAR_LENGTH);
    this.#scratchAt = engine.reserve(POSITION_LENGTH);
  }

  get size(): number {
    return this.#keys.size;
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  ids(): string[] {
    return [...this.#keys.keys()];
  }

  /** Keys of the series that positions are open in. */
  series(): string[] {
    return [...this.#groups.keys()];
  }

  /**
   * Adds a position; a known one is unchanged.
   * @param given f64[RULES_LENGTH], by default those of a live position: slippage, limit targets, activation
   */
  add(key: string, position: BookPosition, given?: Float64Array): void {
    if (this.#keys.has(position.id)) return;
    const rules = given ?? rulesRow(position);
    const slips = slipsOf(given, rules);
    const rulesAt = this.#free.pop() ?? this.#engine.reserve(SLOT_LENGTH);
    const stillRulesAt = rulesAt + 8 * RULES_LENGTH;
    const stateAt = stillRulesAt + 8 * RULES_LENGTH;
    this.#engine.f64View(rulesAt, RULES_LENGTH).set(rules);
    const still = this.#engine.f64View(stillRulesAt, RULES_LENGTH);
    still.set(rules);
    still[ruleSlot.trailingMode] = abi.TRAILING_OFF;
    still[ruleSlot.breakEvenR] = 0;
    this.#engine.f64View(stateAt, POSITION_LENGTH).set(stateRow(position));
    const { id, entryTimeMs, entryPrice, atr, isArmed, exitDue, breakEvenR = 0, changes = [] } = position;
    const armedAtMs = isArmed ? (position.armedAtMs ?? Number.NEGATIVE_INFINITY) : Number.POSITIVE_INFINITY;
    const places = { rulesAt, stillRulesAt, stateAt };
    const follows = { stopSpanMs: position.stopSpanMs ?? 0, hasTraded: true, dueBest: null };
    const { leverage, stepSize = 0, minNotional = 0 } = position;
    const parts = { targets: position.targets ?? [], stepSize, minNotional, leverage };
    const slot = { id, ...places, entryTimeMs, entryPrice, atr, changes, armedAtMs, ...slips, ...follows, ...parts };
    const group = this.#groups.get(key) ?? { slots: [], low: new Float64Array(8), high: new Float64Array(8) };
    this.#groups.set(key, group);
    const movesStop = position.trailing.mode !== 'off' || breakEvenR > 0;
    group.slots.push({ ...slot, movesStop, ...addedOf(position), ...dueOf(exitDue) });
    this.#keys.set(id, key);
    if (group.low.length < group.slots.length) grow(group);
    this.#bound(group, group.slots.length - 1);
  }

  /** Whether the position is here with this quantity and entry: no fill has changed it elsewhere. */
  hasFills(id: string, { quantity, entryPrice }: Pick<BookPosition, 'quantity' | 'entryPrice'>): boolean {
    const slot = this.#slotOf(id);
    if (slot === undefined || slot.entryPrice !== entryPrice) return false;
    return this.#cells()[(slot.stateAt >> 3) + positionSlot.quantity] === quantity;
  }

  /** Replaces the changes by the owner that no judged candle has reached yet. */
  setChanges(id: string, changes: readonly LevelChange[]): void {
    const slot = this.#slotOf(id);
    if (slot !== undefined) slot.changes = changes;
  }

  #slotOf(id: string): Slot | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#groups.get(key)?.slots.find((each) => each.id === id);
  }

  /** The position leaves at the first price from then on; an earlier moment that was set before stands. */
  setExitDue(id: string, { atMs, reason }: ExitDue): void {
    const slot = this.#slotOf(id);
    if (slot === undefined || slot.dueAtMs <= atMs) return;
    Object.assign(slot, { dueAtMs: atMs, dueReason: reason });
  }

  remove(id: string): void {
    const key = this.#keys.get(id);
    const group = key === undefined ? undefined : this.#groups.get(key);
    if (key === undefined || group === undefined) return;
    this.#keys.delete(id);
    const index = group.slots.findIndex((slot) => slot.id === id);
    const [gone] = group.slots.splice(index, 1);
    if (gone !== undefined) this.#free.push(gone.rulesAt);
    if (group.slots.length === 0) this.#groups.delete(key);
    for (let i = index; i < group.slots.length; i++) this.#bound(group, i);
  }

  /** The ranges that the positions of a series follow, each once. */
  rangesOf(key: string): NonNullable<BookPosition['atr']>[] {
    const wanted = new Map<string, NonNullable<BookPosition['atr']>>();
    for (const { atr: own, changes } of this.#groups.get(key)?.slots ?? []) {
      for (const atr of [own, ...changes.map(({ trailing }) => trailing?.atr ?? null)]) {
        if (atr !== null) wanted.set(`${atr.interval} ${atr.period}`, atr);
      }
    }
    return [...wanted.values()];
  }

  /**
   * Applies a streamed price.
   * @param tick `mark`: price for liquidations, the price itself where the exchange sends none; `halfSpread`: half of the distance between
   * bid and ask, which a stop and an exit by time or signal pay; absent: unknown
   */
  tick(key: string, tick: Omit<Tick, 'halfSpread'> & { halfSpread?: number | null }): StepEvent[] {
    const { price, mark, atMs, halfSpread = null } = tick;
    const group = this.#groups.get(key);
    if (group === undefined) return [];
    const { slots, low, high } = group;
    const lowest = Math.min(price, mark);
    const highest = Math.max(price, mark);
    const events: StepEvent[] = [];
    for (let i = 0; i < slots.length; i++) {
      const { dueAtMs, changes } = slots[i] as Slot;
      const isBetween = lowest > (low[i] as number) && highest < (high[i] as number);
      if (dueAtMs > atMs && changes.length === 0 && isBetween) continue;
      this.#touch(group, i, { price, mark, atMs, halfSpread }, events);
    }
    this.#removeClosed(events);
    return events;
  }

  /**
   * Applies a closed candle. Positions opened within it are skipped: part of it was before them. Of a change within it the order is
   * unknown, so this candle closes only by what both the old and the new levels reach.
   * @param rangeOf the average true range known at the candle's close; NaN where there is none
   */
  candle(
    key: string,
    bar: WatchedBar,
    rangeOf: (atr: NonNullable<BookPosition['atr']>) => number = () => Number.NaN,
  ): StepEvent[] {
    const group = this.#groups.get(key);
    if (group === undefined) return [];
    this.#writeBar(bar);
    const events: StepEvent[] = [];
    for (let i = 0; i < group.slots.length; i++) {
      const slot = group.slots[i] as Slot;
      this.#applyChanges(slot, bar.timeMs, events);
      if (this.#isJudgedBy(slot, bar, events)) {
        this.#leaveAtOpen(slot, bar);
        const atr =
          slot.changes.findLast((each) => isWithin(each, bar) && each.trailing !== null)?.trailing?.atr ?? slot.atr;
        this.#cells()[(this.#barAt >> 3) + barSlot.atr] = atr === null ? Number.NaN : rangeOf(atr);
        this.#step(slot, bar, events);
      } else this.#applyChanges(slot, bar.timeMs + bar.spanMs - 1, events);
      this.#bound(group, i);
    }
    this.#removeClosed(events);
    return events;
  }

  #isJudgedBy(slot: Slot, bar: WatchedBar, events: StepEvent[]): boolean {
    if (slot.entryTimeMs > bar.timeMs) return false;
    // A price of a later minute may have armed it before this candle came: that does not count back.
    if (slot.dueAtMs <= bar.timeMs || slot.armedAtMs <= bar.timeMs + bar.spanMs) return true;
    return this.#armByCandle(slot, bar, events);
  }

  /** Applies the changes up to a moment, and reports each. */
  #applyChanges(slot: Slot, untilMs: number, events: StepEvent[]): void {
    if (slot.changes.length === 0) return;
    const cells = this.#cells();
    const state = slot.stateAt >> 3;
    for (const { number, atMs, stopPrice, targetPrice, targets, trailing: changed } of slot.changes) {
      if (atMs > untilMs) continue;
      if (stopPrice !== null) cells[state + positionSlot.stopPrice] = stopPrice;
      if (targetPrice !== null) cells[state + positionSlot.targetPrice] = targetPrice;
      if (targets !== undefined) slot.targets = targets ?? [];
      if (changed !== null) {
        const rules = this.#engine.f64View(slot.rulesAt, RULES_LENGTH);
        writeTrailing(rules, changed.trailing);
        rules[ruleSlot.breakEvenR] = 0;
        cells[state + positionSlot.bestPrice] = changed.bestPrice;
        const movesStop = changed.trailing.mode !== 'off';
        Object.assign(slot, { movesStop, atr: changed.atr, stopSpanMs: 0, dueBest: null });
      }
      const [stop, target] = [cells[state + positionSlot.stopPrice], cells[state + positionSlot.targetPrice]] as [
        number,
        number,
      ];
      const peak = cells[state + positionSlot.bestPrice] as number;
      events.push({ kind: 'changed', id: slot.id, atMs, number, stop, target, peak });
    }
    slot.changes = slot.changes.filter(({ atMs }) => atMs > untilMs);
  }

  /** Memory that grows leaves the old window empty. */
  #cells(): Float64Array {
    if (this.#window.length === 0) {
      const { buffer } = this.#engine.raw.memory;
      this.#window = new Float64Array(buffer, 0, buffer.byteLength >> 3);
    }
    return this.#window;
  }

  #removeClosed(events: readonly StepEvent[]): void {
    for (const event of events) if (event.kind === 'closed') this.remove(event.id);
  }

  #touch(group: Group, index: number, tick: Tick, events: StepEvent[]): void {
    const slot = group.slots[index] as Slot;
    const { price, mark, atMs, halfSpread } = tick;
    const isDue = slot.dueAtMs <= atMs;
    if (!isDue && slot.armedAtMs === Number.POSITIVE_INFINITY) {
      if (atMs - slot.entryTimeMs < this.#guards.ageMs || !hasMoved(slot.entryPrice, price, this.#guards)) return;
      slot.armedAtMs = atMs;
      events.push({ kind: 'armed', id: slot.id, atMs, price });
      this.#bound(group, index);
    }
    const marks = { open: mark, high: mark, low: mark };
    this.#writeBar({ timeMs: atMs, open: price, high: price, low: price, close: price, volume: 1, mark: marks });
    const load = (): Float64Array => {
      const scratch = this.#loadScratch(slot);
      for (const change of slot.changes) {
        if (change.atMs > atMs) continue;
        scratch[positionSlot.stopPrice] = change.stopPrice ?? (scratch[positionSlot.stopPrice] as number);
        scratch[positionSlot.targetPrice] = change.targetPrice ?? (scratch[positionSlot.targetPrice] as number);
      }
      return scratch;
    };
    const how = { rulesAt: slot.rulesAt, load, by: 'tick', atMs, untilMs: atMs } as const;
    if (!isDue && this.#takeParts(slot, how, events)) this.#bound(group, index);
    load();
    if (isDue) this.#leaveNext(slot, this.#scratchAt, price);
    const reason = this.#stepWithSpread(slot, price, halfSpread ?? 0);
    if (reason === abi.CLOSE_NONE) return;
    // A target is no market order: it fills at the observed price, as the specification has it.
    const market = { price, halfSpread: reason === abi.CLOSE_TAKE_PROFIT ? null : halfSpread };
    this.#pushClose(slot, this.#scratchAt, { reason, by: 'tick', atMs, market }, events);
  }

  /** Steps the copy by the written price. Exits that slip are market orders and pay half the spread too. */
  #stepWithSpread(slot: Slot, price: number, halfSpread: number): number {
    const step = () => this.#engine.raw.stepPosition(slot.rulesAt, this.#scratchAt, this.#barAt, 0, 0);
    if (!(halfSpread > 0)) return step();
    const cells = this.#cells();
    const rules = slot.rulesAt >> 3;
    const sells = (cells[(this.#scratchAt >> 3) + positionSlot.side] as number) > 0;
    const slots = [rules + ruleSlot.stopSlippage, rules + ruleSlot.slippage] as const;
    const [stop, other] = slots.map((at) => cells[at] as number) as [number, number];
    const withSpread = (fraction: number) => slippageWith(halfSpread, price, fraction, sells ? -1 : 1);
    cells[slots[0]] = withSpread(stop);
    if (other > 0) cells[slots[1]] = withSpread(other);
    const reason = step();
    const after = this.#cells();
    [after[slots[0]], after[slots[1]]] = [stop, other];
    return reason;
  }

  #loadScratch({ stateAt }: Slot): Float64Array {
    const scratch = this.#engine.f64View(this.#scratchAt, POSITION_LENGTH);
    scratch.set(this.#engine.f64View(stateAt, POSITION_LENGTH));
    return scratch;
  }

  /**
   * Closes the shares of the targets that the written bar reaches before the stop, by steps of copies: the position itself loses quantity
   * and moves on to its next target. The last target, and a share whose rest would be too small, is left to the step that closes.
   * @param how `load` writes the copy with the levels of this moment; changes of the owner until `untilMs` count
   * @returns whether anything was closed
   */
  #takeParts(
    slot: Slot,
    how: { rulesAt: number; load: () => Float64Array; by: 'tick' | 'candle'; atMs: number; untilMs: number },
    events: StepEvent[],
  ): boolean {
    const { raw } = this.#engine;
    let isReduced = false;
    for (;;) {
      const targets = slot.changes.reduce(
        (known, change) =>
          change.atMs <= how.untilMs && change.targets !== undefined ? (change.targets ?? []) : known,
        slot.targets,
      );
      if (targets.length <= 1) return isReduced;
      how.load();
      if (raw.stepPosition(how.rulesAt, this.#scratchAt, this.#barAt, 0, 0) !== abi.CLOSE_TAKE_PROFIT) return isReduced;
      const open = this.#cells()[(slot.stateAt >> 3) + positionSlot.quantity] as number;
      const { exitPrice } = this.#readExit(this.#scratchAt);
      const part = partOfTarget(targets, { ...slot, open, price: exitPrice });
      if (part.isWhole) return isReduced;
      how.load()[positionSlot.quantity] = part.quantity;
      raw.stepPosition(how.rulesAt, this.#scratchAt, this.#barAt, 0, 0);
      const { fees: exitFee } = this.#readExit(this.#scratchAt);
      const ahead = targets.slice(1);
      const { id } = slot;
      const { by, atMs, untilMs } = how;
      events.push({
        kind: 'reduced',
        id,
        atMs,
        price: exitPrice,
        quantity: part.quantity,
        by,
        exitFee,
        market: { price: exitPrice, halfSpread: null },
        targets: ahead,
      });
      const cells = this.#cells();
      const state = slot.stateAt >> 3;
      cells[state + positionSlot.quantity] = part.left;
      cells[state + positionSlot.margin] = (part.left * slot.entryPrice) / slot.leverage;
      cells[state + positionSlot.targetPrice] = (ahead[0] as BookTarget).price;
      slot.targets = ahead;
      // What the owner changed about targets until now is part of them.
      slot.changes = slot.changes.map((change) => {
        if (change.atMs > untilMs) return change;
        const { targets: _, ...rest } = change;
        return { ...rest, targetPrice: null };
      });
      isReduced = true;
    }
  }

  #readExit(stateAt: number): { exitPrice: number; fees: number } {
    const state = this.#engine.f64View(stateAt, POSITION_LENGTH);
    return { exitPrice: state[positionSlot.exitPrice] as number, fees: state[positionSlot.fees] as number };
  }

  /**
   * Sets the engine to close the position at the next open, after the levels that this open meets. No guard delays an exit signalled by its
   * strategy. It leaves as a market order, unless this open reaches its target.
   */
  #leaveNext(slot: Slot, stateAt: number, open: number): void {
    const cells = this.#cells();
    const state = stateAt >> 3;
    const side = cells[state + positionSlot.side] as number;
    const isTarget = side * open >= side * (cells[state + positionSlot.targetPrice] as number);
    const slippage = isTarget ? slot.targetSlippage : slot.leaveSlippage;
    for (const rulesAt of [slot.rulesAt, slot.stillRulesAt]) cells[(rulesAt >> 3) + ruleSlot.slippage] = slippage;
    if (slot.dueReason === 'SIGNAL') {
      cells[state + positionSlot.isLeaving] = 1;
      return;
    }
    for (const rulesAt of [slot.rulesAt, slot.stillRulesAt]) cells[(rulesAt >> 3) + ruleSlot.holdingBarsMax] = 1;
    cells[state + positionSlot.barsHeld] = Math.max(1, cells[state + positionSlot.barsHeld] as number);
  }

  /**
   * The rest of a position that is due leaves as a market order unless the open is beyond its target: after a part was closed, beyond the
   * next one.
   */
  #leaveAtOpen(slot: Slot, bar: WatchedBar): void {
    if (slot.dueAtMs <= bar.timeMs) this.#leaveNext(slot, slot.stateAt, bar.open);
  }

  /** A candle arms when its close is old enough and it reached far enough. */
  #armByCandle(slot: Slot, bar: WatchedBar, events: StepEvent[]): boolean {
    const atMs = bar.timeMs + bar.spanMs;
    if (!(bar.volume > 0) || atMs - slot.entryTimeMs < this.#guards.ageMs) return false;
    const far = Math.abs(bar.high - slot.entryPrice) > Math.abs(bar.low - slot.entryPrice) ? bar.high : bar.low;
    if (!hasMoved(slot.entryPrice, far, this.#guards)) return false;
    // Armed by a later price already: that is written, and written once.
    if (slot.armedAtMs === Number.POSITIVE_INFINITY) events.push({ kind: 'armed', id: slot.id, atMs, price: far });
    slot.armedAtMs = atMs;
    return true;
  }

  #step(slot: Slot, bar: WatchedBar, events: StepEvent[]): void {
    const { raw } = this.#engine;
    const state = slot.stateAt >> 3;
    const inside = slot.changes.filter((change) => isWithin(change, bar));
    const isChanging = inside.length > 0;
    const isFiner = slot.stopSpanMs > bar.spanMs;
    const cells = this.#cells();
    let levels = [cells[state + positionSlot.stopPrice], cells[state + positionSlot.targetPrice]] as const;
    const best = cells[state + positionSlot.bestPrice] as number;
    if (isChanging) this.#loosen(slot, inside);
    // What was added may be younger than the best price of the candle.
    const isAdded = slot.addedAtMs > bar.timeMs;
    if (isAdded) cells[state + positionSlot.targetPrice] = (cells[state + positionSlot.side] as number) * Infinity;
    const rulesAt = isFiner || isChanging ? slot.stillRulesAt : slot.rulesAt;
    const atMs = bar.timeMs + bar.spanMs;
    const load = () => this.#loadScratch(slot);
    const how = { rulesAt, load, by: 'candle', atMs, untilMs: atMs - 1 } as const;
    if (this.#takeParts(slot, how, events)) {
      levels = [levels[0], cells[state + positionSlot.targetPrice]];
      this.#leaveAtOpen(slot, bar);
    }
    const reason = raw.stepPosition(rulesAt, slot.stateAt, this.#barAt, 0, 0);
    if (reason !== abi.CLOSE_NONE) {
      const market = {
        price: marketOf(this.#engine.f64View(slot.stateAt, POSITION_LENGTH), reason, bar),
        halfSpread: null,
      };
      this.#pushClose(slot, slot.stateAt, { reason, by: 'candle', atMs, market }, events);
      return;
    }
    let [from] = levels as [number, number];
    if (isAdded) cells[state + positionSlot.targetPrice] = levels[1] as number;
    if (isChanging) {
      [cells[state + positionSlot.stopPrice], cells[state + positionSlot.targetPrice]] = levels as [number, number];
      this.#applyChanges(slot, atMs - 1, events);
      from = cells[state + positionSlot.stopPrice] as number;
    }
    if (!slot.movesStop) return;
    if (slot.stopSpanMs > bar.spanMs) this.#follow(slot, bar);
    else if (isChanging && bar.volume > 0) raw.moveStop(slot.rulesAt, slot.stateAt, this.#barAt);
    const after = this.#cells();
    const to = after[state + positionSlot.stopPrice] as number;
    const peak = after[state + positionSlot.bestPrice] as number;
    if (to !== from) events.push({ kind: 'trail_raised', id: slot.id, atMs, from, to, peak });
    else if (peak !== best) events.push({ kind: 'peak', id: slot.id, atMs, peak });
  }

  /** Each level where it is farthest from the price, of the present ones and those of the changes. */
  #loosen({ stateAt }: Slot, changes: readonly LevelChange[]): void {
    const cells = this.#cells();
    const state = stateAt >> 3;
    const side = cells[state + positionSlot.side] as number;
    const [stopAt, targetAt] = [state + positionSlot.stopPrice, state + positionSlot.targetPrice];
    for (const { stopPrice, targetPrice } of changes) {
      if (stopPrice !== null && side * stopPrice < side * (cells[stopAt] as number)) cells[stopAt] = stopPrice;
      if (targetPrice !== null && side * targetPrice > side * (cells[targetAt] as number))
        cells[targetAt] = targetPrice;
    }
  }

  /**
   * At the close of a candle that the stop follows it moves as in the backtest of those candles. Where their range is not known yet it
   * moves as soon as it is, by the best price of that close.
   */
  #follow(slot: Slot, bar: WatchedBar): void {
    slot.hasTraded ||= bar.volume > 0;
    const cells = this.#cells();
    const bestAt = (slot.stateAt >> 3) + positionSlot.bestPrice;
    const best = cells[bestAt] as number;
    if ((bar.timeMs + bar.spanMs) % slot.stopSpanMs === 0) {
      slot.dueBest = slot.hasTraded ? best : null;
      slot.hasTraded = false;
    }
    if (slot.dueBest === null) return;
    const isKnown = slot.atr === null || !Number.isNaN(cells[(this.#barAt >> 3) + barSlot.atr]);
    cells[bestAt] = slot.dueBest;
    this.#engine.raw.moveStop(slot.rulesAt, slot.stateAt, this.#barAt);
    cells[bestAt] = best;
    if (isKnown) slot.dueBest = null;
  }

  #pushClose(
    { id }: Slot,
    closedAt: number,
    { reason, by, atMs, market }: { reason: number; by: 'tick' | 'candle'; atMs: number; market: FillMarket },
    events: StepEvent[],
  ): void {
    const state = this.#engine.f64View(closedAt, POSITION_LENGTH);
    const price = state[positionSlot.exitPrice] as number;
    // Counted from 0: the entry's was booked at the opening.
    const exitFee = state[positionSlot.fees] as number;
    const isAmbiguous = state[positionSlot.isAmbiguous] === 1;
    const name = closeReasons[reason];
    if (name === undefined) throw new Error(`the engine closed a position for reason ${reason}`);
    const before = reason === abi.CLOSE_LIQUIDATION ? null : market;
    events.push({ kind: 'closed', id, atMs, price, reason: name, by, exitFee, market: before, isAmbiguous });
  }

  #writeBar(bar: Omit<WatchedBar, 'spanMs'>): void {
    const { mark = bar } = bar;
    const view = this.#cells().subarray(this.#barAt >> 3);
    view[barSlot.time] = bar.timeMs;
    view[barSlot.open] = bar.open;
    view[barSlot.high] = bar.high;
    view[barSlot.low] = bar.low;
    view[barSlot.close] = bar.close;
    view[barSlot.volume] = bar.volume;
    view[barSlot.markOpen] = mark.open;
    view[barSlot.markHigh] = mark.high;
    view[barSlot.markLow] = mark.low;
    view[barSlot.atr] = Number.NaN;
    // Fundings are charged by their own stamps, apart from candles.
    view[barSlot.fundingAtOpen] = 0;
    view[barSlot.fundingInside] = 0;
    view[barSlot.impact] = 0;
  }

  /** Between these two no position changes: no level is reached, and the move is too small to arm. */
  #bound(group: Group, index: number): void {
    const slot = group.slots[index] as Slot;
    if (slot.armedAtMs === Number.POSITIVE_INFINITY) {
      const far = slot.entryPrice * this.#guards.moveFraction * (1 - 1e-9);
      group.low[index] = slot.entryPrice - far;
      group.high[index] = slot.entryPrice + far;
      return;
    }
    const cells = this.#cells();
    const state = slot.stateAt >> 3;
    const stop = cells[state + positionSlot.stopPrice] as number;
    const target = cells[state + positionSlot.targetPrice] as number;
    const liquidation = cells[state + positionSlot.liquidationPrice] as number;
    const isLong = (cells[state + positionSlot.side] as number) > 0;
    const losing = Number.isNaN(liquidation)
      ? stop
      : isLong
        ? Math.max(stop, liquidation)
        : Math.min(stop, liquidation);
    group.low[index] = isLong ? losing : target;
    group.high[index] = isLong ? target : losing;
  }
}

const addedOf = ({ addedAtMs }: BookPosition): Pick<Slot, 'addedAtMs'> => ({
  addedAtMs: addedAtMs ?? Number.NEGATIVE_INFINITY,
});

const dueOf = (exitDue: ExitDue | null = null): Pick<Slot, 'dueAtMs' | 'dueReason'> => ({
  dueAtMs: exitDue?.atMs ?? Number.POSITIVE_INFINITY,
  dueReason: exitDue?.reason ?? 'TIME',
});

/** Fractions: given rules slip as they say, those of the desk when the position leaves by time or signal. */
const slipsOf = (given: Float64Array | undefined, rules: Float64Array) => ({
  leaveSlippage: given?.[ruleSlot.slippage] ?? SLIPPAGE,
  targetSlippage: rules[ruleSlot.slippage] as number,
});

/** The price that an exit of a candle starts from: its open, behind a gap too, else the level. */
function marketOf(state: Float64Array, reason: number, { open }: WatchedBar): number {
  const side = state[positionSlot.side] as number;
  if (reason === abi.CLOSE_STOP_LOSS) {
    const stop = state[positionSlot.stopPrice] as number;
    return side * open <= side * stop ? open : stop;
  }
  if (reason !== abi.CLOSE_TAKE_PROFIT) return open;
  const target = state[positionSlot.targetPrice] as number;
  return side * open >= side * target ? open : target;
}

/** Changes after its open apply to a part of a candle only. */
const isWithin = ({ atMs }: LevelChange, { timeMs, spanMs }: WatchedBar): boolean => atMs < timeMs + spanMs;

function grow(group: Group): void {
  const length = group.low.length * 2;
  const low = new Float64Array(length);
  const high = new Float64Array(length);
  low.set(group.low);
  high.set(group.high);
  Object.assign(group, { low, high });
}
