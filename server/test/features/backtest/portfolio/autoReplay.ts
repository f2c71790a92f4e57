import { BAR_LENGTH, barSlot, POSITION_LENGTH, positionSlot, ruleSlot } from '@sextant/engine-as/abi/records.ts';
import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { BookPosition, BookTrailing } from '@sextant/workers/src/positions/bookTypes.ts';
import type { Plan } from '@sextant/workers/src/positions/plan.ts';
import { rulesRow, stateRow } from '@sextant/workers/src/positions/rows.ts';
import type { Candles, CloseReason } from '@sextant/workers/src/protocol/backtest.ts';
import { turnOf } from '@sextant/workers/src/signals/openingRules.ts';
import { confidenceOf } from '@sextant/workers/src/signals/rescoring.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import { guardsOf, type GuardedClose } from '../../../../src/features/guards/guards.ts';
import type { FuturesSymbol } from '../../../../src/features/market/port.ts';
import { decide, type OpeningRequest } from '../../../../src/features/positions/decideOpening.ts';
import type { Preferences } from '../../../../src/features/preferences/contract.ts';
import { judge, mayTakeSlot, type Scored } from '../../../../src/features/scan/candidates.ts';
import type { SignalWire } from '../../../../src/features/signals/contract.ts';

/**
 * Auto over closed candles in a plain loop: its own functions rank, judge, size and plan (`judge`, `decide` with `sizePosition` and
 * `planPosition`, `guardsOf`, `turnOf`), and the watch's rows go through the engine's step. The price of a decision is the open of the
 * next candle. Long because it is the whole loop.
 *
 * Left out, because a backtest has no such thing: AI and rule checks, the limit on a moved price, the closing guards (age and move), a
 * second position of the other side, a signal of a symbol that is held at its candle's close, dynamic risk, news. Auto has no slippage at the entry and no tiers, so the run has none either.
 */
export interface ReplaySymbol {
  symbol: string;
  candles: Candles;
  /** Scores of the strategy, by candle. */
  score: Float64Array;
  /** Average true range, by candle. */
  range: Float64Array;
  /** Settled at the opens of candles: stamps and rates. */
  funding: Map<number, number>;
  listing: FuturesSymbol;
}

export interface ReplayTrade {
  symbol: string;
  side: 'LONG' | 'SHORT';
  entryTimeMs: number;
  exitTimeMs: number;
  entryPrice: number;
  exitPrice: number;
  quantity: number;
  closeReason: CloseReason;
  fees: number;
  funding: number;
  netPnl: number;
  margin: number;
  stopLossPrice: number;
  takeProfitPrice: number;
}

interface Open {
  position: BookPosition;
  plan: Plan;
  rulesAt: number;
  entryMs: number;
}

interface Held extends ReplaySymbol {
  indexAt: Map<number, number>;
  stateAt: number;
  scratchAt: number;
  open: Open | null;
  /** Direction decided at the candle before; null: none. */
  due: { direction: 'LONG' | 'SHORT'; score: number; index: number } | null;
}

const reasons: Record<number, CloseReason> = { 1: 'TP', 2: 'SL', 3: 'LIQ', 4: 'END', 5: 'TIME', 6: 'SIGNAL' };

export function replayAuto(
  engine: Engine,
  symbols: readonly ReplaySymbol[],
  strategy: Strategy,
  preferences: Preferences,
): ReplayTrade[] {
  engine.raw.arenaReset();
  const chosen = { name: 'saved', version: 'v', value: strategy };
  const barAt = engine.reserve(BAR_LENGTH);
  const held = symbols
    .map((each): Held => ({
      ...each,
      indexAt: new Map([...each.candles.time].map((time, i) => [time, i] as const)),
      stateAt: engine.reserve(POSITION_LENGTH),
      scratchAt: engine.reserve(POSITION_LENGTH),
      open: null,
      due: null,
    }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const trades: ReplayTrade[] = [];
  const closes: GuardedClose[] = [];
  const state = (at: number): Float64Array => engine.f64View(at, POSITION_LENGTH);
  const openOnes = (): (Held & { open: Open })[] => held.filter((each): each is Held & { open: Open } => !!each.open);

  const funds = () => ({
    results: Float64Array.from(closes, ({ net }) => net),
    realisedUsdt:
      closes.reduce((sum, { net }) => sum + net, 0) -
      openOnes().reduce(
        (sum, { open, stateAt }) => sum + open.plan.entryFee + state(stateAt)[positionSlot.funding]!,
        0,
      ),
    marginUsdt: openOnes().reduce((sum, { open }) => sum + open.plan.margin, 0),
  });
  const rules = {
    balanceUsdt: preferences.balance_usdt,
    dailyLossPct: preferences.guard_daily_loss_pct,
    stopStreak: preferences.guard_stop_streak,
    cooldownMinutes: preferences.guard_cooldown_minutes,
    drawdownPct: preferences.guard_drawdown_pct,
  };

  const writeBar = (each: Held, i: number, isTick: boolean): void => {
    const { candles, range, funding } = each;
    const bar = engine.f64View(barAt, BAR_LENGTH);
    const open = candles.open[i]!;
    bar.fill(0);
    bar[barSlot.time] = candles.time[i]!;
    bar[barSlot.volume] = candles.volume[i]!;
    bar[barSlot.atr] = range[i]!;
    bar[barSlot.open] = open;
    bar[barSlot.high] = isTick ? open : candles.high[i]!;
    bar[barSlot.low] = isTick ? open : candles.low[i]!;
    bar[barSlot.close] = isTick ? open : candles.close[i]!;
    bar[barSlot.markOpen] = open;
    bar[barSlot.markHigh] = bar[barSlot.high]!;
    bar[barSlot.markLow] = bar[barSlot.low]!;
    bar[barSlot.fundingAtOpen] = open * (funding.get(candles.time[i]!) ?? 0);
  };
  const record = (each: Held & { open: Open }, candleMs: number): void => {
    const position = state(each.stateAt);
    const { plan, position: book, entryMs } = each.open;
    const at = (slot: keyof typeof positionSlot): number => position[positionSlot[slot]]!;
    // The engine counts the fees of the exit; the entry was paid at the opening.
    const fees = plan.entryFee + at('fees');
    const side = book.side === 'LONG' ? 1 : -1;
    const net = (at('exitPrice') - book.entryPrice) * side * book.quantity - fees - at('funding');
    const reason = reasons[at('closeReason')]!;
    trades.push({
      symbol: each.symbol,
      side: book.side,
      entryTimeMs: entryMs,
      exitTimeMs: at('exitTime'),
      entryPrice: book.entryPrice,
      exitPrice: at('exitPrice'),
      quantity: book.quantity,
      closeReason: reason,
      fees,
      funding: at('funding'),
      netPnl: net,
      margin: plan.margin,
      stopLossPrice: at('stopPrice'),
      takeProfitPrice: at('targetPrice'),
    });
    closes.push({ closedAtMs: candleMs, reason, net });
    (each as Held).open = null;
  };
  /** Whether the first price of the candle closes the position; it is then recorded. */
  const leavesAtOpen = (each: Held & { open: Open }, i: number): boolean => {
    writeBar(each, i, true);
    state(each.scratchAt).set(state(each.stateAt));
    if (engine.raw.stepPosition(each.open.rulesAt, each.scratchAt, barAt, 0, 0) === abi.CLOSE_NONE) return false;
    state(each.stateAt).set(state(each.scratchAt));
    record(each, each.candles.time[i]!);
    return true;
  };
  const stepThrough = (each: Held & { open: Open }, i: number): void => {
    writeBar(each, i, false);
    const { time, close } = each.candles;
    const { rulesAt } = each.open;
    const isOpen = engine.raw.stepPosition(rulesAt, each.stateAt, barAt, 0, 0) === abi.CLOSE_NONE;
    if (isOpen && i < time.length - 1) return;
    if (isOpen) engine.raw.closePosition(rulesAt, each.stateAt, time[i]!, close[i]!, abi.CLOSE_END, 0);
    record(each, time[i]!);
  };

  const requestOf = ({ symbol, due, range }: Held): OpeningRequest => ({
    source: 'scan',
    symbol,
    interval: '1h',
    direction: due!.direction,
    confidence: confidenceOf(due!.score),
    confidenceKind: 'score',
    signalPrice: null,
    levels: null,
    levelsOf: 'signal',
    riskMultiplier: 1,
    sizing: { by: 'settings' },
    strategy: chosen,
    range: range[due!.index]!,
  });
  const decideNow = (each: Held, i: number) => {
    const nowMs = each.candles.time[i]!;
    return decide(engine, requestOf(each), {
      exchange: 'binance',
      preferences,
      market: each.listing,
      quote: { last: each.candles.open[i]!, atMs: nowMs },
      openCount: openOnes().length,
      isOpen: each.open !== null,
      guards: guardsOf(rules, closes, { nowMs, drawdownSinceMs: 0 }),
      funds: funds(),
    });
  };
  const scoredOf = (each: Held, i: number): Scored => {
    const { plan, quantity, refusal } = decideNow(each, i).draft;
    const { direction, score } = each.due!;
    const confidence = confidenceOf(score);
    const signal = {
      symbol: each.symbol,
      interval: '1h',
      direction,
      confidence,
      confidence_kind: 'score',
      raw_confidence: confidence,
      stopLoss: plan?.stopPrice ?? 1,
      takeProfit: plan?.targetPrice ?? 1,
      horizon_min: 60,
      position: { qty: plan === null ? 0 : quantity, refused_by: refusal?.detail ?? null },
    } as unknown as SignalWire;
    return { signal, isStopNearer: plan?.isStopNearer ?? true };
  };
  const openNow = (each: Held, i: number): boolean => {
    const { skip, draft } = decideNow(each, i);
    if (skip !== null) return false;
    const plan = draft.plan!;
    const nowMs = each.candles.time[i]!;
    const position: BookPosition = {
      id: each.symbol,
      side: each.due!.direction,
      entryTimeMs: nowMs,
      entryPrice: plan.entryPrice,
      quantity: plan.quantity,
      leverage: draft.leverage,
      stopPrice: plan.stopPrice,
      targetPrice: plan.targetPrice,
      liquidationPrice: plan.liquidationPrice,
      bestPrice: plan.entryPrice,
      isArmed: true,
      tickSize: each.listing.tickSize,
      takerFeeFraction: SIZING_COSTS.takerFeeFraction,
      trailing: trailingOf(strategy),
      atr: null,
      breakEvenR: strategy.breakEvenR,
    };
    state(each.stateAt).set(stateRow(position));
    const row = rulesRow(position);
    row[ruleSlot.holdingBarsMax] = strategy.holdingBarsMax;
    each.open = { position, plan, rulesAt: engine.push(row), entryMs: nowMs };
    return true;
  };

  const clock = [...new Set(held.flatMap(({ indexAt }) => [...indexAt.keys()]))].sort((a, b) => a - b);
  for (const atMs of clock) {
    const here = held.filter(({ indexAt }) => indexAt.has(atMs));
    const indexOf = ({ indexAt }: Held): number => indexAt.get(atMs)!;
    for (const each of here) if (each.open !== null) leavesAtOpen(each as Held & { open: Open }, indexOf(each));

    // Without equity nothing can be opened: the account is over.
    const isSolvent = preferences.balance_usdt + closes.reduce((sum, { net }) => sum + net, 0) > 0;
    const due = here.filter((each) => isSolvent && each.due !== null && each.candles.volume[indexOf(each)]! > 0);
    const results = judge(
      due.map((each) => scoredOf(each, indexOf(each))),
      {
        confidenceFloor: preferences.tuning_conf_floor,
        minConfidencePct: preferences.min_auto_conf_pct,
        isScoreHeld: preferences.min_conf_on_score,
        positionsWanted: preferences.positions_wanted,
        strategy: chosen,
      },
    );
    const opened = new Set<string>();
    for (const { symbol, outcome, filteredBy } of results) {
      if (outcome !== 'ELIGIBLE' && !mayTakeSlot({ filtered_by: filteredBy })) continue;
      const each = due.find((other) => other.symbol === symbol)!;
      if (turnOf(symbol, opened, preferences.positions_wanted) !== null) continue;
      if (openNow(each, indexOf(each))) opened.add(symbol);
    }

    for (const each of here) if (each.open !== null) stepThrough(each as Held & { open: Open }, indexOf(each));
    for (const each of here) each.due = dueOf(each, indexOf(each), strategy, state(each.stateAt));
  }
  return trades;
}

/** What a scan of the closed candle finds; an opposite signal lets a position leave at the next price. */
function dueOf(
  each: Held,
  index: number,
  { entryThreshold, onOpposite }: Strategy,
  position: Float64Array,
): Held['due'] {
  const score = each.score[index]!;
  if (!(Math.abs(score) >= entryThreshold)) return null;
  const direction = score > 0 ? 'LONG' : 'SHORT';
  const signal = { direction, score, index } as const;
  if (each.open === null) return signal;
  if (each.open.position.side === direction || onOpposite === 'hold') return null;
  position[positionSlot.isLeaving] = 1;
  return signal;
}

function trailingOf({ trailing }: Strategy): BookTrailing {
  const { mode, callbackFraction, stepFraction, atrMultiple, activationFraction } = trailing;
  if (mode === 'off') return { mode };
  return mode === 'percent'
    ? { mode, callbackFraction, stepFraction, activationFraction }
    : { mode, atrMultiplier: atrMultiple, stepFraction, activationFraction };
}

/** Fundings every eight hours. */
export const FUNDING_MS = DAY_MS / 3;
export const HOUR_MS = intervalMs['1h'];
