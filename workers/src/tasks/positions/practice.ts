import { ruleSlot } from '@sextant/engine-as/abi/records.ts';
import { SLIPPAGE, venueFees } from '@sextant/engine-as/abi/costs.ts';
import { orderRules } from '../../candles/contract.ts';
import { ok } from '../../core/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { stepCandle, stopEntryFill } from '../../orders/restingOrders.ts';
import type { BookCloseReason, BookPosition, StepEvent, WatchedBar } from '../../positions/bookTypes.ts';
import { openFigures } from '../../positions/openFigures.ts';
import { targetParts } from '../../positions/partialClose.ts';
import { type Plan, planPosition } from '../../positions/plan.ts';
import { PositionBook } from '../../positions/positionBook.ts';
import {
  checkPracticeOrder,
  onTicks,
  type PracticeProblem,
  type PracticeOrder,
} from '../../positions/practiceOrder.ts';
import { rulesRow } from '../../positions/rows.ts';
import type { PracticeInput, PracticePreview, PracticeResult, PracticeTrade } from '../../protocol/practice.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import { SIZING_COSTS } from '../../signals/signalRules.ts';
import { validateCandles } from '../validateCandles.ts';
import { check, firstFailure } from '../validateParams.ts';
import { barAt } from './replay.ts';

const KEY = 'practice';
/** A practised position closes as soon as its levels are met: the guards are for positions that opened by themselves. */
const NO_GUARDS = { ageMs: 0, moveFraction: 0 };

interface Open {
  order: PracticeOrder;
  entryIndex: number;
  /** All of it, base units. */
  quantity: number;
  entryPrice: number;
  left: number;
  /** USDT so far. */
  fees: number;
  gross: number;
  exitValue: number;
  liquidationPrice: number | null;
  targets: PracticeOrder['targets'];
  isClosing: boolean;
}

interface Working {
  order: PracticeOrder;
  activeFromMs: number;
}

const signOf = (side: PracticeOrder['side']): 1 | -1 => (side === 'LONG' ? 1 : -1);

/** Runs the orders of a bar replay over its candles, from the start each time: the same input gives the same fills. */
export function practise(engine: Engine, input: PracticeInput): TaskResult<PracticeResult> {
  const { candles, from, spanMs, equity, actions } = input;
  const count = candles.time.length;
  const valid = firstFailure([
    () => validateCandles(candles),
    () => check('from', from, { min: 0, max: count - 1 }, true),
    () => check('spanMs', spanMs, { min: 1000, max: 86_400_000 * 31 }),
    () => check('equity', equity, { min: 1, max: 1e15 }),
    () => check('actions.length', actions.length, { min: 0, max: 100_000 }, true),
  ]);
  if (!valid.ok) return valid;
  const desk = new Desk(engine, input);
  for (let i = from; i < count; i++) {
    desk.takeActions(i - 1);
    desk.step(i);
  }
  desk.takeActions(count - 1);
  return ok(desk.result());
}

/** One account with at most one position and one working order. */
class Desk {
  readonly #engine: Engine;
  readonly #input: PracticeInput;
  readonly #book: PositionBook;
  /** What the engine rounds by. */
  readonly #steps: { tickSize: number; stepSize: number; minNotional: number };
  readonly #trades: PracticeTrade[] = [];
  readonly #rejected: PracticeResult['rejected'] = [];
  readonly #equity: Float64Array;
  #cash: number;
  #open: Open | null = null;
  #working: Working | null = null;
  #nextAction = 0;
  #heldBars = 0;

  constructor(engine: Engine, input: PracticeInput) {
    this.#engine = engine;
    this.#input = input;
    this.#book = new PositionBook(engine, NO_GUARDS);
    const { tickSize, stepSize, minNotional } = input.contract;
    this.#steps = { tickSize, stepSize, minNotional };
    this.#cash = input.equity;
    this.#equity = new Float64Array(input.candles.time.length - input.from);
  }

  /** Decisions at the close of a candle. */
  takeActions(at: number): void {
    const { actions } = this.#input;
    for (; this.#nextAction < actions.length; this.#nextAction++) {
      const action = actions[this.#nextAction];
      if (action === undefined || action.at > at) break;
      if (action.kind === 'cancel') this.#working = null;
      else if (action.kind === 'order') this.#place(action.order, at);
      else if (this.#open !== null) this.#open.isClosing = true;
    }
  }

  #place(given: PracticeOrder, at: number): void {
    const { candles, spanMs, contract } = this.#input;
    const order = onTicks(given, contract.tickSize);
    const isFree = this.#working === null && (this.#open === null || this.#open.isClosing);
    const problem: PracticeProblem | null = isFree
      ? this.#problemOf(order, at)
      : { field: 'account', message: 'Close the position or cancel the order first.' };
    if (problem === null) this.#working = { order, activeFromMs: (candles.time[at] ?? NaN) + spanMs };
    else this.#rejected.push({ at, ...problem });
  }

  /** Why an order on its ticks cannot be placed at the close of a candle. */
  #problemOf(order: PracticeOrder, at: number): PracticeProblem | null {
    const { candles, contract, venue } = this.#input;
    const last = candles.close[at] ?? NaN;
    const market = orderRules(contract, order.notional);
    const problem = checkPracticeOrder(order, { last, equity: this.#worth(at), market, ...venueFees[venue] });
    if (problem !== null || order.stopPrice === null) return problem;
    const plan = this.#plan(order, this.#expectedFill(order, last), candles.time[at] ?? NaN);
    if (plan === null || plan.isStopNearer) return null;
    const price = Number((plan.liquidationPrice ?? NaN).toPrecision(8));
    return {
      field: 'leverage',
      message: `Lower the leverage, or set a nearer stop: liquidation at ${price} comes first.`,
    };
  }

  /** Fill of an order that is placed now: a market order at the last close, others at their price. */
  #expectedFill({ side, type, price }: PracticeOrder, last: number): { price: number; slippage: number } {
    if (type === 'market' || price === null) return { price: last, slippage: SLIPPAGE };
    const { tickSize } = this.#steps;
    return { price: type === 'stop' ? stopEntryFill(side, price, tickSize) : price, slippage: 0 };
  }

  step(i: number): void {
    const bar = barAt(this.#input.candles, i, this.#input.spanMs);
    const wasOpen = this.#open !== null;
    if (this.#open?.isClosing === true) this.#book.setExitDue(KEY, { atMs: bar.timeMs, reason: 'SIGNAL' });
    this.#follow(this.#book.candle(KEY, bar), i);
    if (this.#open === null && this.#working !== null) this.#fill(this.#working, bar, i);
    if (wasOpen || this.#open !== null || this.#trades.at(-1)?.entryIndex === i) this.#heldBars += 1;
    this.#equity[i - this.#input.from] = this.#worth(i);
  }

  /**
   * A market order opens at the candle's open and meets the whole candle. A resting order opens within it: its stop counts in that candle,
   * its targets do not, because the best price may be older.
   */
  #fill({ order, activeFromMs }: Working, bar: WatchedBar, i: number): void {
    const { side, type, price } = order;
    if (!(bar.volume > 0)) return;
    if (type === 'market' || price === null) {
      if (this.#enter(order, { price: bar.open, slippage: SLIPPAGE }, bar, i))
        this.#follow(this.#book.candle(KEY, bar), i);
      return;
    }
    const { tickSize } = this.#steps;
    const resting = { id: KEY, side, type, price, tickSize, activeFromMs, expiresAtMs: null, revision: 0 };
    const event = stepCandle(resting, bar);
    if (event?.kind !== 'filled' || !this.#enter(order, { price: event.price, slippage: 0 }, bar, i)) return;
    // The part of the candle before the fill is no exit.
    this.#follow(this.#book.candle(KEY, { ...bar, open: event.price }), i);
  }

  /** @returns whether it opened */
  #enter(order: PracticeOrder, fill: { price: number; slippage: number }, bar: WatchedBar, i: number): boolean {
    this.#working = null;
    const plan = this.#plan(order, fill, bar.timeMs);
    if (plan === null) {
      const message = 'Raise the notional: at its fill the order is below the least size of the exchange.';
      this.#rejected.push({ at: i, field: 'notional', message });
      return false;
    }
    const { entryPrice, quantity, entryFee, liquidationPrice } = plan;
    const { takerFeeFraction } = venueFees[this.#input.venue];
    const position: BookPosition = {
      id: KEY,
      side: order.side,
      entryTimeMs: bar.timeMs,
      entryPrice,
      quantity,
      leverage: order.leverage,
      stopPrice: stopOf(order),
      targetPrice: order.targets[0]?.price ?? farTarget(order),
      liquidationPrice,
      bestPrice: entryPrice,
      isArmed: true,
      addedAtMs: order.type === 'market' ? null : bar.timeMs + bar.spanMs,
      ...this.#steps,
      takerFeeFraction,
      trailing: { mode: 'off' },
      atr: null,
      targets: order.targets,
    };
    const rules = rulesRow(position);
    rules[ruleSlot.slippage] = SLIPPAGE;
    this.#book.add(KEY, position, rules);
    this.#cash -= entryFee;
    const state = { left: quantity, fees: entryFee, gross: 0, exitValue: 0, targets: order.targets, isClosing: false };
    this.#open = { order, entryIndex: i, quantity, entryPrice, liquidationPrice, ...state };
    return true;
  }

  #plan(order: PracticeOrder, fill: { price: number; slippage: number }, timeMs: number): Plan | null {
    const { venue } = this.#input;
    const { takerFeeFraction, makerFeeFraction } = venueFees[venue];
    const price = fill.price * (1 + signOf(order.side) * fill.slippage);
    return planPosition(this.#engine, {
      exchange: venue,
      side: order.side,
      price,
      timeMs,
      quantity: order.notional / price,
      leverage: order.leverage,
      stopPrice: stopOf(order),
      targetPrice: order.targets[0]?.price ?? farTarget(order),
      ...this.#steps,
      maintenanceMarginFraction: SIZING_COSTS.maintenanceMarginFraction,
      stopSlippageFraction: SIZING_COSTS.stopSlippageFraction,
      takerFeeFraction,
      entryFeeFraction: order.type === 'limit' ? makerFeeFraction : takerFeeFraction,
    });
  }

  /** Books what the engine closed. */
  #follow(events: readonly StepEvent[], i: number): void {
    for (const event of events) {
      if (event.kind === 'reduced') {
        this.#exit(event.quantity, event.price, event.exitFee);
        if (this.#open !== null) this.#open.targets = event.targets;
      }
      if (event.kind === 'closed') this.#close(event, i, event.reason);
    }
  }

  #exit(quantity: number, price: number, fee: number): void {
    const open = this.#open;
    if (open === null) return;
    const gross = signOf(open.order.side) * (price - open.entryPrice) * quantity;
    open.left -= quantity;
    open.fees += fee;
    open.gross += gross;
    open.exitValue += quantity * price;
    this.#cash += gross - fee;
  }

  #close({ price, exitFee }: { price: number; exitFee: number }, i: number, reason: BookCloseReason | 'END'): void {
    const open = this.#open;
    if (open === null) return;
    this.#exit(open.left, price, exitFee);
    const { order, entryIndex, entryPrice, quantity, gross, fees, exitValue } = open;
    this.#trades.push({
      side: order.side,
      entryIndex,
      exitIndex: i,
      entryPrice,
      exitPrice: exitValue / quantity,
      quantity,
      leverage: order.leverage,
      closeReason: reason,
      grossPnl: gross,
      netPnl: gross - fees,
      stopPrice: order.stopPrice,
      targetPrice: order.targets.at(-1)?.price ?? null,
    });
    this.#open = null;
  }

  /** Equity at the close of a candle. */
  #worth(i: number): number {
    if (this.#open === null) return this.#cash;
    const { order, entryPrice, left } = this.#open;
    const terms = { side: order.side, entryPrice, qty: left, fees: 0, funding: 0 };
    return this.#cash + openFigures(terms, this.#input.candles.close[i] ?? NaN).pnl;
  }

  /** The state after the last candle. An open position is valued by the engine's own exit at the last close. */
  result(): PracticeResult {
    const { candles, contract, draft, spanMs } = this.#input;
    const last = candles.time.length - 1;
    const close = candles.close[last] ?? NaN;
    const order = draft === undefined ? null : onTicks(draft, contract.tickSize);
    const draftProblem = order === null ? null : this.#problemOf(order, last);
    const preview =
      order === null || draftProblem !== null ? null : this.#preview(order, close, candles.time[last] ?? NaN);
    const open = this.#open;
    const state: PracticeResult['open'] =
      open === null
        ? null
        : {
            side: open.order.side,
            entryPrice: open.entryPrice,
            quantity: open.left,
            stopPrice: open.order.stopPrice,
            liquidationPrice: open.liquidationPrice,
            targets: open.targets,
            isClosing: open.isClosing,
          };
    if (open !== null) {
      const atMs = (candles.time[last] ?? NaN) + spanMs;
      this.#book.setExitDue(KEY, { atMs, reason: 'SIGNAL' });
      for (const event of this.#book.tick(KEY, { price: close, mark: close, atMs }))
        if (event.kind === 'closed') this.#close(event, last, 'END');
    }
    return {
      trades: this.#trades,
      open: state,
      working: this.#working?.order ?? null,
      equity: this.#equity,
      heldBarCount: this.#heldBars,
      rejected: this.#rejected,
      draft: preview,
      draftProblem,
    };
  }

  #preview(draft: PracticeOrder, close: number, timeMs: number): PracticePreview | null {
    const fill = this.#expectedFill(draft, close);
    const plan = this.#plan(draft, fill, timeMs);
    if (plan === null) return null;
    const { entryPrice, quantity, margin, entryFee, liquidationPrice } = plan;
    const { takerFeeFraction } = venueFees[this.#input.venue];
    const filled = { side: draft.side, entryPrice, quantity, entryFee, takerFeeFraction };
    const gains = targetParts(draft.targets, filled, this.#steps).map(({ gain }) => gain);
    const lossAtStop = draft.stopPrice === null ? null : plan.lossAtStop;
    return { entryPrice, quantity, margin, liquidationPrice, lossAtStop, gains };
  }
}

/** A price that no candle reaches stands for a level that was not set. */
const stopOf = ({ side, stopPrice }: PracticeOrder): number => stopPrice ?? (side === 'LONG' ? 0 : Infinity);
const farTarget = ({ side }: PracticeOrder): number => (side === 'LONG' ? Infinity : 0);
