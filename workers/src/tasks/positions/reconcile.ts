import { SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ruleSlot } from '@sextant/engine-as/abi/records.ts';
import { ok } from '../../core/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { marketFill } from '../../positions/marketFill.ts';
import type { BookCloseReason, BookPosition } from '../../positions/bookTypes.ts';
import { exitFee, type Plan, planPosition } from '../../positions/plan.ts';
import { PositionBook } from '../../positions/positionBook.ts';
import { splitDifference, type Step, type Trade } from '../../positions/reconcile.ts';
import { rulesRow } from '../../positions/rows.ts';
import { QUANTITY_STEP_MIN } from '../../positions/sizing.ts';
import type { Candles } from '../../protocol/backtest.ts';
import type { ReconcileInput, ReconcileResult } from '../../protocol/positions.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { SIZING_COSTS } from '../../signals/signalRules.ts';
import { validateCandles } from '../validateCandles.ts';
import { check, firstFailure } from '../validateParams.ts';
import { validatePosition } from './validatePosition.ts';

const KEY = 'reconciled';
/** A backtest closes at the first level it meets; the guards of live closing are part of the difference. */
const noGuards = { ageMs: 0, moveFraction: 0 };

/** Runs a closed position as the lab would have, and splits the difference to its record by cause. */
export function reconcile(engine: Engine, input: ReconcileInput): TaskResult<ReconcileResult> {
  const { position, candles, firstSeen, marks, ranges } = input;
  const count = candles.time.length;
  const same = { min: count, max: count };
  const valid = firstFailure([
    () => validatePosition(position, 'position'),
    () => validateCandles(candles),
    () => (firstSeen === null ? ok(null) : validateCandles(firstSeen)),
    () => (marks === null ? ok(null) : validateCandles(marks)),
    () => check('candles.time.length', count, { min: 1, max: 1e6 }, true),
    () => check('candles.time[0]', candles.time[0] ?? 0, { min: input.decidedAtMs, max: input.decidedAtMs }),
    () => check('ranges.length', ranges?.length ?? count, same, true),
    () => check('plannedQuantity', input.plannedQuantity, { min: 0, max: 1e15, isOpen: true }),
    () => check('record.closePrice', input.record.closePrice, { min: 0, max: 1e15, isOpen: true }),
    () => check('record.entryMarketPrice', input.record.entryMarketPrice ?? 1, { min: 0, max: 1e15, isOpen: true }),
  ]);
  if (!valid.ok) return valid;
  if (minuteOf(candles, position.entryTimeMs) < 0)
    return fail('bad_input', 'candles must include the minute of the opening.', 'candles');
  const lab = labEntry(engine, input);
  if (lab === null) return ok({ reconciliation: null });
  const steps = stepsOf(engine, input, lab);
  const { takerFeeFraction } = position;
  const costs = { takerFeeFraction, fundings: input.fundings, candles, feeOf: exitFee };
  const split = splitDifference(steps.all, costs, input.record.netPnl);
  return ok({ reconciliation: { ...split, lab: steps.lab } });
}

/** Index of the candle that a moment lies in; -1 when there is none. */
const minuteOf = ({ time }: Candles, atMs: number): number => time.indexOf(Math.floor(atMs / MINUTE_MS) * MINUTE_MS);

/** An entry with its levels. */
interface Entry {
  atMs: number;
  price: number;
  stopPrice: number;
  targetPrice: number;
  liquidationPrice: number | null;
}

const entryOf = (plan: Plan, atMs: number): Entry => ({
  atMs,
  price: plan.entryPrice,
  stopPrice: plan.stopPrice,
  targetPrice: plan.targetPrice,
  liquidationPrice: plan.liquidationPrice,
});

/** The engine's own opening at a price; null when it rejects the size, or a level is on the wrong side of the price. */
function planAt(
  engine: Engine,
  { exchange, position, levels }: ReconcileInput,
  { price, atMs, quantity }: { price: number; atMs: number; quantity: number },
): Plan | null {
  const { side, leverage, tickSize, stepSize = 0, minNotional = 0, entryPrice } = position;
  const ratio = levels === 'fill' ? price / entryPrice : 1;
  const sign = side === 'LONG' ? 1 : -1;
  if (sign * position.stopPrice * ratio >= sign * price || sign * position.targetPrice * ratio <= sign * price)
    return null;
  return planPosition(engine, {
    exchange,
    side,
    price,
    timeMs: atMs,
    quantity,
    leverage,
    stopPrice: position.stopPrice * ratio,
    targetPrice: position.targetPrice * ratio,
    tickSize,
    stepSize: Math.max(stepSize, QUANTITY_STEP_MIN),
    minNotional,
    ...SIZING_COSTS,
    takerFeeFraction: position.takerFeeFraction,
  });
}

interface LabEntry {
  entry: Entry;
  quantity: number;
}

/** The open after the signal, with the lab's slippage, in the size of the signal. */
function labEntry(engine: Engine, input: ReconcileInput): LabEntry | null {
  const { position, candles, decidedAtMs: atMs, plannedQuantity: quantity } = input;
  const last = candles.open[0] ?? Number.NaN;
  const price = marketFill(position.side, { last, bid: null, ask: null }, position.tickSize);
  const plan = planAt(engine, input, { price, atMs, quantity });
  return plan === null ? null : { entry: entryOf(plan, atMs), quantity: plan.quantity };
}

interface Run {
  trade: Trade;
  reason: BookCloseReason | null;
}

function stepsOf(engine: Engine, input: ReconcileInput, { entry, quantity }: LabEntry) {
  const { position, candles, record } = input;
  const known = input.firstSeen ?? candles;
  const traded = { marks: null, quantity };
  const lab = run(engine, input, { ...traded, candles, entry, isLab: true });
  const revised = run(engine, input, { ...traded, candles: known, entry, isLab: true });
  const planned = (price: number, atMs: number): Entry => {
    const plan = planAt(engine, input, { price, atMs, quantity });
    // The same size at another price may fall below the minimum, or the price beyond a level: the recorded levels then stand.
    return plan === null ? { ...position, atMs, price } : entryOf(plan, atMs);
  };
  const open = known.open[0] ?? entry.price;
  const unslipped = run(engine, input, { ...traded, candles: known, entry: planned(open, entry.atMs) });
  const { entryTimeMs } = position;
  const minute = minuteOf(known, entryTimeMs);
  const [low, high] = [known.low[minute] ?? position.entryPrice, known.high[minute] ?? position.entryPrice];
  // The recorded price before costs; of an older record a price of that minute is the market's, and what lies beyond it the fill's.
  const marketPrice = record.entryMarketPrice ?? Math.min(Math.max(position.entryPrice, low), high);
  const own: Entry = { ...position, atMs: entryTimeMs, price: position.entryPrice };
  const later = marketPrice === position.entryPrice ? own : planned(marketPrice, entryTimeMs);
  const entered = run(engine, input, { ...traded, candles: known, entry: later });
  const filled = run(engine, input, { ...traded, candles: known, entry: own });
  const marked = run(engine, input, { ...traded, candles: known, entry: own, marks: input.marks });
  const exited = { ...marked.trade, exitPrice: record.closePrice, exitAtMs: record.closedAtMs };
  const sized = { ...exited, quantity: position.quantity };
  const modelled = { fees: null, funding: null };
  const { fees, funding } = record;
  const all: Step[] = [
    { cause: null, trade: lab.trade, charged: modelled },
    { cause: 'revision', trade: revised.trade, charged: modelled },
    { cause: 'slippage', trade: unslipped.trade, charged: modelled },
    { cause: 'entry', trade: entered.trade, charged: modelled },
    { cause: 'slippage', trade: filled.trade, charged: modelled },
    { cause: 'mark', trade: marked.trade, charged: modelled },
    { cause: 'exit', trade: exited, charged: modelled },
    { cause: 'size', trade: sized, charged: modelled },
    { cause: 'fees', trade: sized, charged: { fees, funding: null } },
    { cause: 'funding', trade: sized, charged: { fees, funding } },
  ];
  return { all, lab: { ...lab.trade, reason: lab.reason } };
}

/** Steps an entry over the candles; one that is still open at the end is valued at the last close. */
function run(
  engine: Engine,
  { position, candles: newest, ranges }: ReconcileInput,
  how: { candles: Candles; marks: Candles | null; entry: Entry; quantity: number; isLab?: boolean },
): Run {
  const { candles, marks, entry, quantity, isLab = false } = how;
  const { atMs: entryTimeMs, price: entryPrice, stopPrice, targetPrice, liquidationPrice } = entry;
  const book = new PositionBook(engine, noGuards);
  const rules = rulesRow(position);
  // The target of a backtest is a market order unless it is edited: it slips, and that of the desk does not.
  rules[ruleSlot.slippage] = SLIPPAGE;
  const own: BookPosition = {
    ...position,
    entryTimeMs,
    entryPrice,
    quantity,
    stopPrice,
    targetPrice,
    liquidationPrice,
    initialStopPrice: stopPrice,
    bestPrice: entryPrice,
    isArmed: true,
    changes: [],
    targets: null,
  };
  book.add(KEY, own, isLab ? rules : undefined);
  const rangeAt = new Map(ranges === null ? [] : Array.from(newest.time, (timeMs, i) => [timeMs, ranges[i]]));
  const markAt = new Map(marks === null ? [] : Array.from(marks.time, (timeMs, i) => [timeMs, i]));
  const markOf = (timeMs: number) => {
    const i = markAt.get(timeMs);
    if (marks === null || i === undefined) return undefined;
    return { open: marks.open[i] as number, high: marks.high[i] as number, low: marks.low[i] as number };
  };
  const trade = { side: position.side, quantity, entryPrice, entryAtMs: entryTimeMs };
  for (const [i, timeMs] of candles.time.entries()) {
    const bar = {
      timeMs,
      spanMs: MINUTE_MS,
      open: candles.open[i] as number,
      high: candles.high[i] as number,
      low: candles.low[i] as number,
      close: candles.close[i] as number,
      volume: candles.volume[i] as number,
    };
    const mark = markOf(timeMs);
    const events = book.candle(
      KEY,
      mark === undefined ? bar : { ...bar, mark },
      () => rangeAt.get(timeMs) ?? Number.NaN,
    );
    const closed = events.find((event) => event.kind === 'closed');
    if (closed !== undefined)
      return { trade: { ...trade, exitPrice: closed.price, exitAtMs: closed.atMs }, reason: closed.reason };
  }
  const exitPrice = candles.close.at(-1) ?? entryPrice;
  const exitAtMs = (candles.time.at(-1) ?? entryTimeMs) + MINUTE_MS;
  return { trade: { ...trade, exitPrice, exitAtMs }, reason: null };
}
