import { PORTFOLIO_SYMBOLS_MAX } from '../../abi/portfolio.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs, MarkPrices, CloseReason } from '@sextant/workers/src/protocol/backtest.ts';
import type { PortfolioLimits } from '@sextant/workers/src/protocol/portfolio.ts';
import { BAR_LENGTH, barSlot, POSITION_LENGTH, positionSlot, ruleSlot } from '../../abi/records.ts';
import * as abi from '../../abi/backtest.ts';

/**
 * One account over many symbols a second time, from the text of docs/portfolio.md and not from the kernel: objects, sums over whole lists,
 * every figure from its definition whenever it is needed. A single position goes through the engine's own open, step and close, which have
 * a slow twin of their own. Slow on purpose; tests only. Long because it is the whole account.
 */
export interface ReferenceSymbol {
  symbol: string;
  candles: Candles;
  score: Float64Array;
  /** Record of abi/records.ts. */
  rules: Float64Array;
  tiers: Float64Array;
  tierCount: number;
  costs: Costs;
  scoredCount: number;
  atr?: Float64Array;
  range?: Float64Array;
  markPrices?: MarkPrices;
}

export interface ReferenceAccountTrade {
  symbol: string;
  exitTime: number;
  side: number;
  entryIndex: number;
  exitIndex: number;
  entryPrice: number;
  exitPrice: number;
  quantity: number;
  reason: CloseReason;
  fees: number;
  funding: number;
  slippage: number;
  netPnl: number;
  margin: number;
  isAmbiguous: boolean;
  stop: number;
  target: number;
}

export interface ReferenceAccount {
  trades: ReferenceAccountTrade[];
  equity: number[];
  exposure: { long: number; short: number; margin: number; open: number }[];
  /** `SYMBOL reason`: how many signals. */
  skips: Map<string, number>;
  netPnl: number;
  contributions: Map<string, number>;
}

interface Open {
  stateAt: number;
  entryIndex: number;
}

interface Held extends ReferenceSymbol {
  indexAt: Map<number, number>;
  rulesAt: number;
  tiersAt: number;
  open: Open | null;
  due: { side: 1 | -1; strength: number } | null;
  lastClose: number;
  nets: number[];
}

type Holding = Held & { open: Open };

const noLimits: Required<PortfolioLimits> = {
  positionsMax: 0,
  openingsMax: 0,
  dailyLossPct: 0,
  stopStreak: 0,
  cooldownMinutes: 0,
  drawdownPct: 0,
  grossMaxFraction: 0,
  netMaxFraction: 0,
  stopLossMaxFraction: 0,
  skipsStopBeyondLiquidation: true,
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const reasons: Record<number, CloseReason> = { 1: 'TP', 2: 'SL', 3: 'LIQ', 4: 'END', 5: 'TIME', 6: 'SIGNAL' };
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function portfolioReference(
  engine: Engine,
  symbols: readonly ReferenceSymbol[],
  some: PortfolioLimits,
  initialEquity: number,
): ReferenceAccount {
  const limits = { ...noLimits, ...some };
  engine.raw.arenaReset();
  if (symbols.length > PORTFOLIO_SYMBOLS_MAX) throw new Error('too many symbols');
  const barAt = engine.reserve(BAR_LENGTH);
  const held = symbols.map((each): Held => {
    const start = each.candles.time.length - each.scoredCount;
    return {
      ...each,
      indexAt: new Map([...each.candles.time].map((time, i) => [time, i] as const).filter(([, i]) => i >= start)),
      rulesAt: engine.push(each.rules),
      tiersAt: engine.push(each.tiers),
      open: null,
      due: null,
      lastClose: Number.NaN,
      nets: [],
    };
  });
  const account: ReferenceAccount = {
    trades: [],
    equity: [],
    exposure: [],
    skips: new Map(),
    netPnl: 0,
    contributions: new Map(),
  };
  /** Net PnL and reason of every close, in order, with the open of its candle. */
  const closes: { atMs: number; net: number; reason: CloseReason }[] = [];
  const state = (at: number): Float64Array => engine.f64View(at, POSITION_LENGTH);
  const realised = (): number => initialEquity + sum(held.map(({ nets }) => sum(nets)));
  const withOpen = (): Holding[] => held.filter((each): each is Holding => each.open !== null);
  const costsSoFar = (): number =>
    sum(
      withOpen().map(
        ({ open }) => state(open.stateAt)[positionSlot.fees]! + state(open.stateAt)[positionSlot.funding]!,
      ),
    );
  const balance = (): number => realised() - costsSoFar();
  const margins = (): number => sum(withOpen().map(({ open }) => state(open.stateAt)[positionSlot.margin]!));
  const notionals = (wanted: 1 | -1): number =>
    sum(
      withOpen()
        .filter(({ open }) => state(open.stateAt)[positionSlot.side] === wanted)
        .map(({ open, lastClose }) => state(open.stateAt)[positionSlot.quantity]! * lastClose),
    );
  const lossAtStop = (each: Held, at: number): number => {
    const position = state(at);
    const side = position[positionSlot.side]!;
    const [entry, stop] = [position[positionSlot.entryPrice]!, position[positionSlot.stopPrice]!];
    const filled = stop * (1 - side * each.costs.stopSlippageFraction);
    const perUnit = side * (entry - filled) + each.costs.takerFeeFraction * (entry + filled);
    return Math.max(0, position[positionSlot.quantity]! * perUnit);
  };
  const skip = (each: Held, reason: string): void => {
    const key = `${each.symbol} ${reason}`;
    account.skips.set(key, (account.skips.get(key) ?? 0) + 1);
  };
  const close = (each: Holding, i: number): void => {
    const position = state(each.open.stateAt);
    const at = (slot: keyof typeof positionSlot): number => position[positionSlot[slot]]!;
    const gross = (at('exitPrice') - at('entryPrice')) * at('side') * at('quantity');
    const net = gross - at('fees') - at('funding');
    const reason = reasons[at('closeReason')]!;
    account.trades.push({
      symbol: each.symbol,
      exitTime: at('exitTime'),
      side: at('side'),
      entryIndex: each.open.entryIndex,
      exitIndex: i,
      entryPrice: at('entryPrice'),
      exitPrice: at('exitPrice'),
      quantity: at('quantity'),
      reason,
      fees: at('fees'),
      funding: at('funding'),
      slippage: at('slippage'),
      netPnl: net,
      margin: at('margin'),
      isAmbiguous: at('isAmbiguous') === 1,
      stop: at('stopPrice'),
      target: at('targetPrice'),
    });
    closes.push({ atMs: each.candles.time[i]!, net, reason });
    each.nets.push(net);
    (each as Held).open = null;
  };
  /** Takes a position through candle `i`; forced out at the last candle of its symbol. */
  const step = (each: Holding, i: number): void => {
    engine.f64View(barAt, BAR_LENGTH).set(barOf(each, i));
    const response = engine.raw.stepPosition(each.rulesAt, each.open.stateAt, barAt, 0, 0);
    if (response !== abi.CLOSE_NONE) {
      close(each, i);
      return;
    }
    if (i < each.candles.time.length - 1) return;
    const { time, close: last } = each.candles;
    const { impact } = liquidityAt(each, i);
    engine.raw.closePosition(each.rulesAt, each.open.stateAt, time[i]!, last[i]!, abi.CLOSE_END, impact);
    close(each, i);
  };

  /** Which limit an opened position of `each` would exceed; null: none. */
  const exceeded = (each: Held, stateAt: number): string | null => {
    const position = state(stateAt);
    const side = position[positionSlot.side]!;
    const [stop, liquidation] = [position[positionSlot.stopPrice]!, position[positionSlot.liquidationPrice]!];
    const isLiquidatedFirst = side === 1 ? stop <= liquidation : stop >= liquidation;
    const notional = position[positionSlot.quantity]! * position[positionSlot.entryPrice]!;
    const [long, short, base] = [notionals(1), notionals(-1), balance()];
    const before = long - short;
    const after = before + side * notional;
    const stops = sum(withOpen().map((other) => lossAtStop(other, other.open.stateAt))) + lossAtStop(each, stateAt);
    const isOver = (limit: number, value: number): boolean => limit > 0 && value > limit * base;
    if (limits.skipsStopBeyondLiquidation && isLiquidatedFirst) return 'stopBeyondLiquidation';
    if (isOver(limits.grossMaxFraction, long + short + notional)) return 'grossExposure';
    if (isOver(limits.netMaxFraction, Math.abs(after)) && Math.abs(after) > Math.abs(before)) return 'netExposure';
    return isOver(limits.stopLossMaxFraction, stops) ? 'stopLosses' : null;
  };
  /** Fills the due signal of `each` at the open of candle `i`, or says why not. */
  const enter = (each: Held, i: number, opened: number): string | null => {
    const openCount = withOpen().length;
    const blocked = blockedBy(limits, { opened, openCount, closes, atMs: each.candles.time[i]!, initialEquity });
    if (blocked !== null) return blocked;
    if (!(each.candles.volume[i]! > 0)) return 'noVolume';
    const stateAt = engine.reserve(POSITION_LENGTH);
    const { side } = each.due!;
    const response = openAt(engine, each, stateAt, { i, side, balance: balance(), free: balance() - margins() });
    if (response !== abi.OPEN_DONE) return response === abi.OPEN_TOO_SMALL ? 'tooSmall' : 'marginShort';
    const limit = exceeded(each, stateAt);
    if (limit !== null) return limit;
    each.open = { stateAt, entryIndex: i };
    each.lastClose = state(stateAt)[positionSlot.entryPrice]!;
    return null;
  };
  const unrealised = ({ open, lastClose }: Holding): number => {
    const position = state(open.stateAt);
    const at = (slot: keyof typeof positionSlot): number => position[positionSlot[slot]]!;
    return (lastClose - at('entryPrice')) * at('side') * at('quantity') - at('fees') - at('funding');
  };

  const clock = [...new Set(held.flatMap(({ indexAt }) => [...indexAt.keys()]))].sort((a, b) => a - b);
  for (const atMs of clock) {
    const here = held.filter(({ indexAt }) => indexAt.has(atMs));
    const indexOf = ({ indexAt }: Held): number => indexAt.get(atMs)!;
    for (const each of here) {
      if (each.open === null || !leavesAtOpen(each, state(each.open.stateAt), indexOf(each))) continue;
      step(each as Holding, indexOf(each));
    }

    const due = realised() > 0 ? here.filter((each) => each.due !== null) : [];
    let opened = 0;
    // A stable sort: equal ones stay in the order of the symbols.
    for (const each of due.toSorted((a, b) => b.due!.strength - a.due!.strength)) {
      const reason = enter(each, indexOf(each), opened);
      if (reason === null) opened++;
      else skip(each, reason);
    }

    for (const each of here) {
      if (each.open !== null) step(each as Holding, indexOf(each));
      each.lastClose = each.candles.close[indexOf(each)]!;
    }

    account.equity.push(withOpen().reduce((total, each) => total + unrealised(each), realised()));
    account.exposure.push({ long: notionals(1), short: notionals(-1), margin: margins(), open: withOpen().length });
    const isSolvent = realised() > 0;
    for (const each of here) each.due = isSolvent ? decided(each, indexOf(each), state, skip) : null;
  }
  for (const { symbol, nets } of held) account.contributions.set(symbol, sum(nets));
  account.netPnl = sum([...account.contributions.values()]);
  return account;
}

/** The limits that do not depend on the size, in their order. */
function blockedBy(
  { openingsMax, positionsMax, dailyLossPct, stopStreak, cooldownMinutes, drawdownPct }: Required<PortfolioLimits>,
  now: {
    opened: number;
    openCount: number;
    closes: readonly { atMs: number; net: number; reason: CloseReason }[];
    atMs: number;
    initialEquity: number;
  },
): string | null {
  const { closes, atMs, initialEquity } = now;
  if (openingsMax > 0 && now.opened >= openingsMax) return 'positionsWanted';
  if (positionsMax > 0 && now.openCount >= positionsMax) return 'maxConcurrent';
  const midnightMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  const today = sum(closes.filter((each) => each.atMs >= midnightMs).map(({ net }) => net));
  if (dailyLossPct > 0 && (Math.max(0, -today) / initialEquity) * 100 >= dailyLossPct) return 'dailyLoss';
  const isLosingStop = ({ reason, net }: { reason: CloseReason; net: number }): boolean =>
    (reason === 'SL' || reason === 'LIQ') && net < 0;
  const streak = closes.length - 1 - closes.findLastIndex((each) => !isLosingStop(each));
  const untilMs = (closes.at(-1)?.atMs ?? 0) + cooldownMinutes * 60_000;
  if (stopStreak > 0 && streak >= stopStreak && atMs < untilMs) return 'stopStreak';
  let equity = initialEquity;
  let peak = equity;
  for (const { net } of closes) {
    equity += net;
    peak = Math.max(peak, equity);
  }
  return drawdownPct > 0 && ((peak - equity) / peak) * 100 >= drawdownPct ? 'drawdown' : null;
}

function decided(
  each: Held,
  i: number,
  state: (at: number) => Float64Array,
  skip: (each: Held, reason: string) => void,
): Held['due'] {
  const score = each.score[i]!;
  const threshold = each.rules[ruleSlot.entryThreshold]!;
  if (!(Math.abs(score) >= threshold)) return null;
  const side = score > 0 ? 1 : -1;
  const signal = isEntered(each, i, side) ? ({ side, strength: Math.abs(score) } as const) : null;
  if (each.open === null) return signal;
  const position = state(each.open.stateAt);
  const onOpposite = each.rules[ruleSlot.onOpposite];
  if (position[positionSlot.side] !== side && onOpposite !== abi.OPPOSITE_HOLD) {
    position[positionSlot.isLeaving] = 1;
    return onOpposite === abi.OPPOSITE_REVERSE ? signal : null;
  }
  if (signal !== null) skip(each, 'held');
  return null;
}

/** The direction allows the side, and levels by range have one. */
function isEntered({ rules, range }: Held, i: number, side: number): boolean {
  const rule = (slot: keyof typeof ruleSlot): number => rules[ruleSlot[slot]]!;
  if (rule('direction') !== 0 && rule('direction') !== side) return false;
  const needsRange = rule('stopAtr') > 0 || rule('targetAtr') > 0;
  return !needsRange || (range?.[i] ?? 0) > 0;
}

function leavesAtOpen(each: Held, position: Float64Array, i: number): boolean {
  const bar = barOf(each, i);
  const at = (slot: keyof typeof positionSlot): number => position[positionSlot[slot]]!;
  if (!(bar[barSlot.volume]! > 0)) return false;
  const isLong = at('side') === 1;
  const [open, mark] = [bar[barSlot.open]!, bar[barSlot.markOpen]!];
  const isLost = (price: number, level: number): boolean => (isLong ? price <= level : price >= level);
  const isLimit = each.costs.takeProfitOrder === 'limit';
  const isWon = isLong ? open > at('targetPrice') : open < at('targetPrice');
  const longest = each.rules[ruleSlot.holdingBarsMax]!;
  return (
    isLost(mark, at('liquidationPrice')) ||
    isLost(open, at('stopPrice')) ||
    isWon ||
    (!isLimit && open === at('targetPrice')) ||
    (longest > 0 && at('barsHeld') >= longest) ||
    at('isLeaving') === 1
  );
}

/**
 * With compounding, notional and risk are those of the rules times balance over initial equity: an account without compounding whose rules
 * hold the grown amounts.
 */
function openAt(
  engine: Engine,
  each: Held,
  stateAt: number,
  { i, side, balance, free }: { i: number; side: number; balance: number; free: number },
): number {
  const rules = each.rules.slice();
  if (rules[ruleSlot.isCompounding] === 1) {
    const first = each.costs.tiers?.slice(1).find(({ leverageMax }) => leverageMax < each.costs.leverage);
    const grown = balance / each.costs.initialEquity;
    const scale =
      first === undefined ? grown : Math.min(grown, (first.notionalFloor * (1 - 1e-9)) / each.costs.notional);
    rules[ruleSlot.notional] = each.costs.notional * scale;
    rules[ruleSlot.initialEquity] = each.costs.initialEquity * scale;
    rules[ruleSlot.isCompounding] = 0;
  }
  const { impact, entryMax } = liquidityAt(each, i);
  const { time, open } = each.candles;
  const range = each.range?.[i - 1] ?? Number.NaN;
  const rulesAt = engine.push(rules);
  return engine.raw.openPosition(
    rulesAt,
    each.tiersAt,
    each.tierCount,
    stateAt,
    side,
    time[i]!,
    open[i]!,
    free,
    range,
    impact,
    entryMax,
  );
}

function barOf(each: Held, i: number): Float64Array {
  const { candles, markPrices, atr } = each;
  const bar = new Float64Array(BAR_LENGTH);
  bar[barSlot.time] = candles.time[i]!;
  bar[barSlot.open] = candles.open[i]!;
  bar[barSlot.high] = candles.high[i]!;
  bar[barSlot.low] = candles.low[i]!;
  bar[barSlot.close] = candles.close[i]!;
  bar[barSlot.volume] = candles.volume[i]!;
  bar[barSlot.markOpen] = markPrices?.open[i] ?? candles.open[i]!;
  bar[barSlot.markHigh] = markPrices?.high[i] ?? candles.high[i]!;
  bar[barSlot.markLow] = markPrices?.low[i] ?? candles.low[i]!;
  bar[barSlot.atr] = atr?.[i] ?? Number.NaN;
  const { atOpen, inside } = fundingAt(each, i);
  bar[barSlot.fundingAtOpen] = atOpen;
  bar[barSlot.fundingInside] = inside;
  bar[barSlot.impact] = liquidityAt(each, i).impact;
  return bar;
}

/** Mark x rate of the stamps at the open of the candle, and of those after it until the next one of this symbol. */
function fundingAt(each: Held, i: number): { atOpen: number; inside: number } {
  const { time } = each.candles;
  const last = time.length - 1;
  const from = time[i]!;
  const end = time[i + 1] ?? from + (last > 0 ? from - time[last - 1]! : 0);
  const { fundingSource = 'history' } = each.costs;
  if (fundingSource === 'off') return { atOpen: 0, inside: 0 };
  const mark = each.markPrices?.open[i] ?? each.candles.open[i]!;
  return fundingSource === 'assumed' ? assumedAt(each.costs, mark, from, end) : settledAt(each.costs, mark, from, end);
}

function assumedAt({ assumedFundingFraction: rate = 0 }: Costs, mark: number, from: number, end: number) {
  let count = 0;
  for (let hour = Math.floor(from / HOUR_MS) + 1; hour * HOUR_MS < end; hour++) if (hour % 8 === 0) count++;
  return { atOpen: from % (8 * HOUR_MS) === 0 ? mark * rate : 0, inside: mark * rate * count };
}

function settledAt({ funding }: Costs, mark: number, from: number, end: number) {
  let atOpen = 0;
  let inside = 0;
  for (const [k, stamp] of (funding?.time ?? new Float64Array()).entries()) {
    const atMs = stamp - (stamp % 1000);
    const amount = (funding?.mark?.[k] ?? mark) * funding!.rate[k]!;
    if (atMs === from) atOpen += amount;
    else if (atMs > from && atMs < end) inside += amount;
  }
  return { atOpen, inside };
}

/** docs/simulator.md, section 12. */
function liquidityAt({ candles, costs }: Held, i: number): { impact: number; entryMax: number } {
  const { impactCoefficient: coefficient = 0, turnoverShareMax: share = 0 } = costs;
  if (!(coefficient > 0) && !(share > 0)) return { impact: 0, entryMax: Infinity };
  const turnover = (k: number): number => candles.volume[k]! * candles.close[k]!;
  const before: number[] = [];
  for (let k = Math.max(0, i - abi.LIQUIDITY_BARS); k < i; k++) before.push(k);
  const count = Math.max(1, before.length);
  const usual = sum(before.map(turnover)) / count;
  const square = (k: number): number => {
    const fraction = (candles.high[k]! - candles.low[k]!) / candles.close[k]!;
    return fraction * fraction;
  };
  const volatility = Math.sqrt(sum(before.map(square)) / count / (4 * Math.LN2));
  return {
    impact: usual > 0 ? (coefficient * volatility) / Math.sqrt(usual) : 0,
    entryMax: share > 0 ? share * Math.min(usual, turnover(i)) : Infinity,
  };
}
