import type {
  Candles,
  CloseReason,
  Costs,
  LeverageTier,
  MarkPrices,
  StrategyParams,
} from '@sextant/workers/src/protocol/backtest.ts';
import type { StrategyExits, StrategyLevel } from '../../abi/strategy.ts';

/**
 * The simulator a second time, from the text of docs/simulator.md (section numbers below) and not from the kernel: objects,
 * scans over whole lists instead of cursors, no shared code. Slow on purpose; tests only. Long because it is the whole simulator.
 */
export interface ReferenceRun {
  candles: Candles;
  score: Float64Array;
  params: StrategyParams;
  costs: Costs;
  scoredCount: number;
  atr?: Float64Array;
  markPrices?: MarkPrices;
  fineCandles?: Candles;
  exits?: Partial<StrategyExits>;
  range?: Float64Array;
  /** Exits of own rules: 1 leaves a long, 2 a short, 3 either. */
  leave?: Int8Array;
}

export interface ReferenceTrade {
  side: number;
  entryIndex: number;
  exitIndex: number;
  exitTimeMs: number;
  entryPrice: number;
  exitPrice: number;
  quantity: number;
  margin: number;
  reason: CloseReason;
  grossPnl: number;
  fees: number;
  funding: number;
  slippage: number;
  netPnl: number;
  isAmbiguous: boolean;
  adverse: number;
  favourable: number;
  stop: number;
  target: number;
  liquidation: number | null;
}

export interface ReferenceResult {
  trades: ReferenceTrade[];
  equity: number[];
  skipped: number;
  dropped: { noVolume: number; tooSmall: number; marginShort: number };
  ruinIndex: number | null;
  heldBars: number;
  pessimisticNetPnl: number;
  optimisticNetPnl: number;
}

interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  mark: { open: number; high: number; low: number };
}

interface Open {
  side: 1 | -1;
  entryIndex: number;
  entry: number;
  quantity: number;
  margin: number;
  stop: number;
  target: number;
  liquidation: number | null;
  fees: number;
  funding: number;
  slippage: number;
  completedBars: number;
  seen: number[];
  best: number;
  /** Section 11: distance of the first stop. */
  firstRisk: number;
  isLeaving: 'RULE' | 'SIGNAL' | null;
}

interface Exit {
  reason: CloseReason;
  /** Undisturbed. */
  price: number;
  timeMs: number;
  isAmbiguous: boolean;
  /** Prices of the exit bar that the position surely saw. */
  seen: number[];
}

export function backtestReference(run: ReferenceRun): ReferenceResult {
  const pessimistic = simulate(run, false);
  const optimistic = simulate(run, true);
  const netOf = ({ trades }: Pick<ReferenceResult, 'trades'>): number =>
    trades.reduce((sum, trade) => sum + trade.netPnl, 0);
  return {
    ...(run.costs.sameBar === 'target' ? optimistic : pessimistic),
    pessimisticNetPnl: netOf(pessimistic),
    optimisticNetPnl: netOf(optimistic),
  };
}

function simulate(
  run: ReferenceRun,
  isTargetFirst: boolean,
): Omit<ReferenceResult, 'pessimisticNetPnl' | 'optimisticNetPnl'> {
  const { candles, costs } = run;
  const count = candles.time.length;
  const trades: ReferenceTrade[] = [];
  const equity: number[] = [];
  const dropped = { noVolume: 0, tooSmall: 0, marginShort: 0 };
  const state: Account = { position: null, ruinIndex: null, heldBars: 0, skipped: 0 };
  let wanted: 1 | -1 | null = null;
  /** Ends the position when the bar, or the end of the candles, does. */
  const through = (i: number, bar: Bar): void => {
    const { position } = state;
    if (position === null) return;
    const exit = throughBar(run, position, i, bar, isTargetFirst);
    const forced: Exit = { reason: 'END', price: bar.close, timeMs: bar.time, isAmbiguous: false, seen: [] };
    const final = exit ?? (i === count - 1 ? forced : null);
    if (final === null) return;
    trades.push(closed(run, position, i, final));
    state.position = null;
    if (realisedOf(costs, trades) <= 0) state.ruinIndex = i;
  };
  for (let i = count - run.scoredCount; i < count; i++) {
    const bar = barOf(run, i);
    const wasHeld = state.position !== null;
    if (wanted !== null && bar.volume > 0) through(i, bar); // section 11, reverse
    if (wanted !== null && state.ruinIndex === null) {
      const response: Open | keyof typeof dropped =
        bar.volume > 0 ? openAt(run, i, bar, wanted, realisedOf(costs, trades)) : 'noVolume';
      if (typeof response === 'string') dropped[response]++;
      else state.position = response;
    }
    if (wasHeld || state.position !== null) state.heldBars++;
    through(i, bar);
    equity.push(equityOf(costs, trades, state.position, bar.close));
    wanted = i < count - 1 ? decided(run, state, i) : null;
  }
  const { heldBars, skipped, ruinIndex } = state;
  return { trades, equity, skipped, dropped, ruinIndex, heldBars };
}

interface Account {
  position: Open | null;
  ruinIndex: number | null;
  heldBars: number;
  skipped: number;
}

/** Sections 1 and 11: the side that is entered at the next open. */
function decided(run: ReferenceRun, state: Account, i: number): 1 | -1 | null {
  const signal = signalOf(run.score[i] ?? Number.NaN, run.params.entryThreshold);
  if (state.ruinIndex !== null) return null;
  leaveByRule(run, state.position, i);
  if (signal === null) return null;
  const isRequested = isEntered(run, i, signal);
  const { position } = state;
  if (position === null) return isRequested ? signal : null;
  const onOpposite = run.exits?.onOpposite ?? 'hold';
  if (position.side !== signal && onOpposite !== 'hold') {
    position.isLeaving ??= 'SIGNAL';
    return isRequested && onOpposite === 'reverse' ? signal : null;
  }
  if (isRequested) state.skipped++;
  return null;
}

function leaveByRule({ leave }: ReferenceRun, position: Open | null, i: number): void {
  if (position === null) return;
  if (((leave?.[i] ?? 0) & (position.side === 1 ? 1 : 2)) !== 0) position.isLeaving ??= 'RULE';
}

/** Section 11: the direction allows the side, and levels by range have one. */
function isEntered({ exits = {}, range }: ReferenceRun, i: number, signal: 1 | -1): boolean {
  const { direction = 'both', stop, target } = exits;
  const needsRange = stop?.mode === 'atr' || target?.mode === 'atr';
  const isSide = direction === 'both' || (direction === 'long') === (signal === 1);
  return isSide && (!needsRange || (range?.[i] ?? 0) > 0);
}

const signalOf = (score: number, threshold: number): 1 | -1 | null =>
  score >= threshold ? 1 : score <= -threshold ? -1 : null;

const realisedOf = (costs: Costs, trades: ReferenceTrade[]): number =>
  costs.initialEquity + trades.reduce((sum, trade) => sum + trade.netPnl, 0);

/** Section 8. */
function equityOf(costs: Costs, trades: ReferenceTrade[], position: Open | null, close: number): number {
  const realised = realisedOf(costs, trades);
  if (position === null) return realised;
  const unrealised = (close - position.entry) * position.side * position.quantity;
  return realised + unrealised - position.fees - position.funding;
}

function barOf({ candles, markPrices }: ReferenceRun, i: number): Bar {
  const own = { open: candles.open[i]!, high: candles.high[i]!, low: candles.low[i]! };
  const mark = markPrices ? { open: markPrices.open[i]!, high: markPrices.high[i]!, low: markPrices.low[i]! } : own;
  return { ...own, time: candles.time[i]!, close: candles.close[i]!, volume: candles.volume[i]!, mark };
}

// --- Section 7 ---

/** The decimal an exchange would write for a number of units: fifteen digits drop what a binary product has too much. */
const decimal = (value: number): number => Number(value.toPrecision(15));
const up = (value: number, unit = 0): number => (unit > 0 ? decimal(Math.ceil(value / unit - 1e-9) * unit) : value);
const down = (value: number, unit = 0): number => (unit > 0 ? decimal(Math.floor(value / unit + 1e-9) * unit) : value);
const bought = (price: number, tick?: number): number => up(price, tick);
const sold = (price: number, tick?: number): number => down(price, tick);

// --- Sections 1 and 2 ---

function openAt(
  run: ReferenceRun,
  i: number,
  bar: Bar,
  side: 1 | -1,
  equity: number,
): Open | 'tooSmall' | 'marginShort' {
  const { params, costs, exits = {} } = run;
  const tick = costs.tickSize;
  const isLong = side === 1;
  const { impact, entryMax } = liquidityAt(run, i);
  const slipped = (slippage: number): number => {
    const raw = bar.open * (1 + side * slippage);
    return isLong ? bought(raw, tick) : sold(raw, tick);
  };
  // Section 12: the size without an impact determines the impact.
  const plain = slipped(costs.slippageFraction);
  const requested = quantityOf(run, { side, entry: plain, stop: stopOf(run, i, side, plain), equity, entryMax });
  if (typeof requested === 'string') return requested;
  const moved = impactOn(impact, requested * bar.open);
  const entry = slipped(costs.slippageFraction + moved);
  const stop = stopOf(run, i, side, entry);
  const rawTarget = entry + side * awayOf(run, i, entry, exits.target, params.takeProfitFraction);
  const target = isLong ? down(rawTarget, tick) : up(rawTarget, tick);
  const quantity = quantityOf(run, { side, entry, stop, equity, entryMax });
  if (typeof quantity === 'string') return quantity;
  const margin = (quantity * entry) / costs.leverage;
  const liquidation = liquidationOf(costs, side, entry, quantity, margin);
  return {
    side,
    entryIndex: i,
    entry,
    quantity,
    margin,
    stop,
    target,
    liquidation: liquidation === null ? null : isLong ? up(liquidation, tick) : down(liquidation, tick),
    fees: costs.takerFeeFraction * (quantity * entry),
    funding: 0,
    slippage: quantity * Math.abs(entry - bar.open),
    completedBars: 0,
    seen: [entry],
    best: entry,
    firstRisk: Math.abs(entry - stop),
    isLeaving: null,
  };
}

/** Section 2 and 11, towards the entry: up from below it, down from above it. */
function stopOf(run: ReferenceRun, i: number, side: 1 | -1, entry: number): number {
  const { params, costs, exits = {} } = run;
  const raw = entry - side * awayOf(run, i, entry, exits.stop, params.stopLossFraction);
  return side === 1 ? up(raw, costs.tickSize) : down(raw, costs.tickSize);
}

/** How far from the entry a level is. */
function awayOf(run: ReferenceRun, i: number, entry: number, level: StrategyLevel | undefined, fraction: number) {
  return level?.mode === 'atr'
    ? level.multiple * (run.range?.[i - 1] ?? Number.NaN)
    : entry * (level?.fraction ?? fraction);
}

// --- Section 12 ---

/** From the candles that closed before bar `i`: slippage of a fill in it per root of its notional, and the largest entry. */
function liquidityAt({ candles, costs }: ReferenceRun, i: number): { impact: number; entryMax: number } {
  const { impactCoefficient = 0, turnoverShareMax = 0 } = costs;
  const turnoverOf = (k: number): number => candles.volume[k]! * candles.close[k]!;
  const before: number[] = [];
  for (let k = Math.max(0, i - 20); k < i; k++) before.push(k);
  const mean = (values: number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const turnover = mean(before.map(turnoverOf));
  const squares = before.map((k) => ((candles.high[k]! - candles.low[k]!) / candles.close[k]!) ** 2);
  const volatility = Math.sqrt(mean(squares) / (4 * Math.LN2));
  return {
    impact: turnover > 0 ? (impactCoefficient * volatility) / Math.sqrt(turnover) : 0,
    entryMax: turnoverShareMax > 0 ? turnoverShareMax * Math.min(turnover, turnoverOf(i)) : Infinity,
  };
}

const impactOn = (impact: number, notional: number): number => Math.min(0.5, impact * Math.sqrt(notional));

interface Entry {
  side: 1 | -1;
  entry: number;
  stop: number;
  equity: number;
  entryMax: number;
}

/** Sections 1 and 11. */
function quantityOf(run: ReferenceRun, order: Entry): number | 'tooSmall' | 'marginShort' {
  const { costs, exits } = run;
  const { mode, riskFraction, isCompounding } = exits?.sizing ?? {
    mode: 'fixed',
    riskFraction: 0,
    isCompounding: false,
  };
  const barred = costs.tiers?.slice(1).find(({ leverageMax }) => leverageMax < costs.leverage);
  const grown = isCompounding ? costs.notional * (order.equity / costs.initialEquity) : costs.notional;
  const notional = isCompounding && barred ? Math.min(grown, barred.notionalFloor * (1 - 1e-9)) : grown;
  if (mode === 'fixed') return fixedQuantity(costs, order, notional);
  return riskQuantity(costs, order, notional, riskFraction * costs.initialEquity * (notional / costs.notional));
}

const largestOrder = ({ maxQuantity = 0 }: Costs): number => (maxQuantity > 0 ? maxQuantity : Infinity);

function fixedQuantity(
  costs: Costs,
  { entry, equity, entryMax }: Entry,
  notional: number,
): number | 'tooSmall' | 'marginShort' {
  const { leverage, takerFeeFraction: fee, stepSize, minNotional: least = 0 } = costs;
  const wanted = down(Math.min(Math.min(notional, entryMax) / entry, largestOrder(costs)), stepSize);
  if (wanted <= 0 || wanted * entry < least) return 'tooSmall';
  if (wanted * entry * (1 / leverage + fee) <= equity + equity / 1e9) return wanted;
  const quantity = down(equity / (entry / leverage + fee * entry), stepSize);
  return quantity * entry < least || quantity * entry <= costs.notional / 1e9 ? 'marginShort' : quantity;
}

function riskQuantity(costs: Costs, { side, entry, stop, equity, entryMax }: Entry, notional: number, mayLose: number) {
  const { leverage, takerFeeFraction: fee, stepSize = 0, minNotional: least = 0 } = costs;
  const perUnit = entry / leverage + fee * entry;
  const most = largestOrder(costs);
  const out = stop * (1 - side * costs.stopSlippageFraction);
  const loss = (entry - out) * side + (entry + out) * fee;
  const step = stepSize > 0.0001 ? stepSize : 0.0001;
  const quantity = down(Math.min(notional / entry, entryMax / entry, mayLose / loss, equity / perUnit, most), step);
  if (quantity > 0 && quantity * entry >= least) return quantity;
  let smallest = Math.max(step, up(least / entry, step));
  if (smallest * entry < least) smallest = up(smallest + step, step);
  if (smallest * perUnit > equity * (1 + 1e-9)) return 'marginShort';
  if (smallest * entry > entryMax * (1 + 1e-9) || smallest > most) return 'tooSmall';
  return smallest * loss <= mayLose * (1 + 1e-9) ? smallest : 'tooSmall';
}

// --- Section 5 ---

function liquidationOf(costs: Costs, side: number, entry: number, quantity: number, margin: number): number | null {
  if (costs.leverage <= 1 && side === 1) return null;
  const { maintenanceMarginFraction, tiers } = costs;
  const formula = (rate: number, amount: number): number => {
    switch (costs.liquidationModel ?? 'binance') {
      case 'binance':
        return (margin + amount - side * quantity * entry) / (quantity * (rate - side));
      case 'bybit':
        return entry - (side * (margin - (quantity * entry * rate - amount))) / quantity;
      case 'okx':
        return (entry - (side * margin) / quantity) / (1 - side * (rate + costs.takerFeeFraction));
    }
  };
  if (tiers === undefined || tiers.length === 0) {
    const price = formula(maintenanceMarginFraction, 0);
    return price > 0 ? price : null;
  }
  const at = (tier: LeverageTier): number => formula(tier.maintenanceMarginFraction, tier.maintenanceAmount);
  const tierFor = (notional: number): LeverageTier =>
    tiers.filter((tier) => tier.notionalFloor <= notional).at(-1) ?? tiers[0]!;
  if (costs.liquidationModel === 'bybit') {
    const price = at(tierFor(quantity * entry));
    return price > 0 ? price : null;
  }
  // A tier whose own price falls into it is the fixed point.
  let tier = tierFor(quantity * entry);
  const prices: number[] = [];
  for (let round = 0; round <= tiers.length + 1; round++) {
    const price = at(tier);
    prices.push(price);
    const next = tierFor(quantity * price);
    if (next === tier) return price > 0 ? price : null;
    tier = next;
  }
  const nearest = side === 1 ? Math.max(...prices) : Math.min(...prices);
  return nearest > 0 ? nearest : null;
}

// --- Section 3 ---

function throughBar(run: ReferenceRun, position: Open, i: number, bar: Bar, isTargetFirst: boolean): Exit | null {
  const { side, quantity } = position;
  const charge = (stamps: Stamp[]): void => {
    const sum = stamps.reduce((total, { rate, mark }) => total + (mark ?? bar.mark.open) * rate, 0);
    position.funding += side * quantity * sum;
  };
  const fundings = fundingsOf(run, i);
  if (i > position.entryIndex) charge(fundings.atOpen);
  const isHeld = run.costs.entryCandleExits === false && i === position.entryIndex; // section 13
  if (bar.volume > 0 && !isHeld) {
    const exit =
      atOpen(run, position, bar) ??
      settledByFine(run, position, i, bar, isTargetFirst) ??
      inside(run, position, bar, isTargetFirst);
    if (exit !== null) return exit;
  }
  charge(fundings.inside);
  position.completedBars++;
  if (bar.volume > 0) {
    position.seen.push(bar.high, bar.low);
    position.best = side === 1 ? Math.max(position.best, bar.high) : Math.min(position.best, bar.low);
    const { breakEvenR = 0 } = run.exits ?? {};
    const isSafe = breakEvenR > 0 && side * (position.best - position.entry) >= breakEvenR * position.firstRisk;
    if (isSafe)
      position.stop = side === 1 ? Math.max(position.stop, position.entry) : Math.min(position.stop, position.entry);
    trail(run, position, i);
  }
  return null;
}

function atOpen({ params, costs }: ReferenceRun, position: Open, bar: Bar): Exit | null {
  const { side, stop, target, liquidation, entry, margin, quantity } = position;
  const exit = (reason: CloseReason, price = bar.open): Exit => ({
    reason,
    price,
    timeMs: bar.time,
    isAmbiguous: false,
    seen: [bar.open],
  });
  const lostTo = (price: number, level: number): boolean => (side === 1 ? price <= level : price >= level);
  if (liquidation !== null && lostTo(bar.mark.open, liquidation))
    return exit('LIQ', entry - (side * margin) / quantity);
  if (lostTo(bar.open, stop)) return exit('SL');
  const isThrough = side === 1 ? bar.open > target : bar.open < target;
  if (isThrough || (bar.open === target && costs.takeProfitOrder === 'market')) return exit('TP');
  const longest = params.holdingBarsMax ?? 0;
  if (longest > 0 && position.completedBars >= longest) return exit('TIME');
  return position.isLeaving === null ? null : exit(position.isLeaving);
}

function reached({ costs }: ReferenceRun, position: Open, bar: Bar): { stop: boolean; liq: boolean; target: boolean } {
  const { side, stop, target, liquidation } = position;
  const isLimit = costs.takeProfitOrder === 'limit';
  if (side === 1) {
    const isTarget = isLimit ? bar.high > target : bar.high >= target;
    return { stop: bar.low <= stop, liq: liquidation !== null && bar.mark.low <= liquidation, target: isTarget };
  }
  const isTarget = isLimit ? bar.low < target : bar.low <= target;
  return { stop: bar.high >= stop, liq: liquidation !== null && bar.mark.high >= liquidation, target: isTarget };
}

function inside(run: ReferenceRun, position: Open, bar: Bar, isTargetFirst: boolean): Exit | null {
  const { side, stop, target, liquidation, entry, margin, quantity } = position;
  const hit = reached(run, position, bar);
  const isLoss = hit.stop || hit.liq;
  const exit = (reason: CloseReason, price: number): Exit => ({
    reason,
    price,
    timeMs: bar.time,
    isAmbiguous: isLoss && hit.target,
    seen: [bar.open],
  });
  if (hit.target && (!isLoss || isTargetFirst)) return exit('TP', target);
  if (!isLoss) return null;
  const isStopNearer = liquidation === null || (side === 1 ? stop > liquidation : stop < liquidation);
  if (hit.stop && (isStopNearer || !hit.liq)) return exit('SL', stop);
  return exit('LIQ', entry - (side * margin) / quantity);
}

/** Shortest time between two candles that open before `end`. */
function shortest(times: Float64Array, end: number): number {
  let least = Infinity;
  for (let i = 1; i < times.length && times[i]! < end; i++) least = Math.min(least, times[i]! - times[i - 1]!);
  return least;
}

/** Indices of the finer candles inside candle `i`; none unless they lie end to end over all of it. */
function coveringParts(times: Float64Array, fineTimes: Float64Array, i: number): number[] {
  const start = times[i]!;
  const end = Math.min(times[i + 1] ?? Infinity, start + shortest(times, start + 1));
  const parts = [...fineTimes.keys()].filter((k) => fineTimes[k]! >= start && fineTimes[k]! < end);
  const step = shortest(fineTimes, end);
  const isCovered = parts.length === (end - start) / step;
  return isCovered && parts.every((k, at) => fineTimes[k]! === start + at * step) ? parts : [];
}

/** Minutes are last prices. Where only the mark price met the liquidation price, they cannot date it; a nearer stop comes before it. */
function isDatedByMinutes({ side, stop, liquidation }: Open, isStopped: boolean, bar: Bar): boolean {
  if (liquidation === null) return true;
  const isLastThere = side === 1 ? bar.low <= liquidation : bar.high >= liquidation;
  return isLastThere || (isStopped && (side === 1 ? stop > liquidation : stop < liquidation));
}

function settledByFine(run: ReferenceRun, position: Open, i: number, bar: Bar, isTargetFirst: boolean): Exit | null {
  const { candles, fineCandles } = run;
  const hit = reached(run, position, bar);
  if (fineCandles === undefined || !hit.target || !(hit.stop || hit.liq)) return null;
  if (hit.liq && !isDatedByMinutes(position, hit.stop, bar)) return null;
  // Where the mark price stayed away from the liquidation price, no last price liquidates.
  const known = hit.liq ? position : { ...position, liquidation: null };
  const fine = { ...run, candles: fineCandles };
  delete fine.markPrices;
  for (const k of coveringParts(candles.time, fineCandles.time, i)) {
    const part = barOf(fine, k);
    if (part.volume <= 0) continue;
    const exit = atOpen(fine, known, part) ?? inside(fine, known, part, isTargetFirst);
    if (exit !== null) return exit;
  }
  return null;
}

// --- Section 4 ---

function trail({ params, costs, atr }: ReferenceRun, position: Open, i: number): void {
  const {
    enabled,
    mode = 'percent',
    callbackFraction,
    stepFraction,
    atrMultiplier = 0,
    activationFraction = 0,
  } = params.trailing;
  const { side, entry, best } = position;
  if (!enabled || side * (best - entry) < activationFraction * entry) return;
  const distance = mode === 'atr' ? atrMultiplier * (atr?.[i] ?? Number.NaN) : best * callbackFraction;
  if (Number.isNaN(distance)) return;
  const raw = mode === 'atr' ? best - side * distance : best * (1 - side * callbackFraction);
  const candidate = side === 1 ? up(raw, costs.tickSize) : down(raw, costs.tickSize);
  const gain = side * (candidate - position.stop);
  if (gain > 0 && gain >= stepFraction * entry) position.stop = candidate;
}

// --- Section 3, fills; section 8 ---

const isLimitTarget = (costs: Costs, wanted: CloseReason): boolean =>
  wanted === 'TP' && costs.takeProfitOrder === 'limit';

/** Section 13: the last close may be a valuation. */
const isMark = (costs: Costs, wanted: CloseReason): boolean => wanted === 'END' && costs.lastClose === 'mark';

const isFreeFill = (costs: Costs, wanted: CloseReason): boolean =>
  isLimitTarget(costs, wanted) || isMark(costs, wanted);

const slippageOf = (costs: Costs, wanted: CloseReason): number =>
  wanted === 'SL' ? costs.stopSlippageFraction : isFreeFill(costs, wanted) ? 0 : costs.slippageFraction;

const feeRateOf = (costs: Costs, wanted: CloseReason): number =>
  isMark(costs, wanted) ? 0 : isLimitTarget(costs, wanted) ? costs.makerFeeFraction : costs.takerFeeFraction;

function closed(
  run: ReferenceRun,
  position: Open,
  exitIndex: number,
  { reason: wanted, price: undisturbed, timeMs, isAmbiguous, seen }: Exit,
): ReferenceTrade {
  const { costs } = run;
  const { side, entry, quantity, margin } = position;
  const isFree = isFreeFill(costs, wanted);
  const moved = isFree ? 0 : impactOn(liquidityAt(run, exitIndex).impact, quantity * undisturbed);
  const slippage = slippageOf(costs, wanted) + moved;
  const slipped = undisturbed * (1 - side * slippage);
  const tick = costs.tickSize;
  const fill = side === 1 ? sold(slipped, tick) : bought(slipped, tick);
  // Section 5: whatever closes it, no more than the margin is lost.
  const isLost = wanted === 'LIQ' || side * (entry - fill) - margin / quantity > entry / 1e9;
  const bankruptcy = entry - (side * margin) / quantity;
  const [reason, price, exitPrice] = isLost
    ? (['LIQ', bankruptcy, bankruptcy] as const)
    : ([wanted, undisturbed, fill] as const);
  const rate = isLost ? 0 : feeRateOf(costs, wanted);
  const fees = position.fees + rate * (quantity * exitPrice);
  const grossPnl = (exitPrice - entry) * side * quantity;
  const prices = [...position.seen, ...seen, exitPrice];
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  return {
    side,
    entryIndex: position.entryIndex,
    exitIndex,
    exitTimeMs: timeMs,
    entryPrice: entry,
    exitPrice,
    quantity,
    margin,
    reason,
    grossPnl,
    fees,
    funding: position.funding,
    isAmbiguous,
    slippage: position.slippage + quantity * Math.abs(exitPrice - price),
    netPnl: grossPnl - fees - position.funding,
    adverse: (side === 1 ? entry - low : high - entry) / entry,
    favourable: (side === 1 ? high - entry : entry - low) / entry,
    stop: position.stop,
    target: position.target,
    liquidation: position.liquidation,
  };
}

// --- Section 6 ---

interface Stamp {
  atMs: number;
  rate: number;
  /** Absent: the mark price at the open of the bar. */
  mark?: number | undefined;
}

const HOUR_MS = 3_600_000;

/** Every stamp that could fall between two times. */
function stampsBetween({ funding, fundingSource, assumedFundingFraction = 0 }: Costs, from: number, end: number) {
  if (fundingSource === 'off') return [];
  if (fundingSource === 'assumed') {
    const stamps: Stamp[] = [];
    for (let hour = Math.floor(from / HOUR_MS); hour * HOUR_MS < end; hour++) {
      if (hour % 8 === 0) stamps.push({ atMs: hour * HOUR_MS, rate: assumedFundingFraction });
    }
    return stamps;
  }
  return Array.from(funding?.time ?? [], (stamp, k): Stamp => {
    return { atMs: stamp - (stamp % 1000), rate: funding!.rate[k]!, mark: funding!.mark?.[k] };
  });
}

function fundingsOf({ candles, costs }: ReferenceRun, i: number): { atOpen: Stamp[]; inside: Stamp[] } {
  const { time } = candles;
  const open = time[i]!;
  const end = time[i + 1] ?? open + (open - time[i - 1]!);
  const stamps = stampsBetween(costs, open, end);
  return {
    atOpen: stamps.filter(({ atMs }) => atMs === open),
    inside: stamps.filter(({ atMs }) => atMs > open && atMs < end),
  };
}
