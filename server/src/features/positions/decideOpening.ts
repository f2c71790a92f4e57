import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { CLOSE_GUARDS, hasMoved } from '@sextant/workers/src/positions/bookTypes.ts';
import { type Plan, planPosition } from '@sextant/workers/src/positions/plan.ts';
import { chartRiskFraction, type Size, type SizingGuard, sizePosition } from '@sextant/workers/src/positions/sizing.ts';
import { type ChosenStrategy, SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import {
  checkSkip,
  confidenceSkip,
  type GuardFacts,
  listSkip,
  percentOf,
  roomSkip,
  type Skip,
} from '@sextant/workers/src/signals/openingRules.ts';
import type { CheckOutcome } from '@sextant/workers/src/signals/signalChecks.ts';
import { type Exposure, guardedEquity } from '../guards/exposure.ts';
import type { ExchangeId, FuturesSymbol, PriceQuote } from '../market/port.ts';
import type { Preferences } from '../preferences/contract.ts';
import type { SignalWire } from '../signals/contract.ts';
import { marketRules } from '../signals/marketRules.ts';
import { type Funds, sizingAccount, strategyAccount } from '../sizing/accountSizing.ts';
import type { SkipDetail, SkipNumbers } from '@sextant/workers/src/signals/skipReasons.ts';

/** A requested position. */
export interface OpeningRequest {
  source: 'scan' | 'vision' | 'manual';
  symbol: string;
  interval: IntervalName;
  direction: 'LONG' | 'SHORT' | 'NEUTRAL';
  /** 0 to 1. */
  confidence: number;
  /** `score` where no chance has been measured; absent where the two are not distinguished. */
  confidenceKind?: SignalWire['confidence_kind'];
  /** Price for which the levels were computed; null: unknown. */
  signalPrice: number | null;
  levels: Levels | null;
  /** `signal`: the settings may replace them by the user's own percent. */
  levelsOf: 'signal' | 'correction' | 'owner';
  /** Size factor of an AI check; 1 without one. */
  riskMultiplier: number;
  /** `settings`: by the risk per trade of the account; `chart`: by that of a chart analysis; `quantity`: as set by the user. */
  sizing: { by: 'settings' } | { by: 'chart'; riskScore: number } | { by: 'quantity'; quantity: number };
  /** The default of the account when absent. */
  leverage?: number;
  /** The size is not reduced to the free equity: too little of it is a rejection. */
  isExact?: boolean;
  /** Fee of the entry, fraction; that of a taker when absent. */
  entryFeeFraction?: number;
  /** Set where an AI check, or without a model the rule check, decides: only a result that passed opens automatically. */
  check?: CheckOutcome;
  /** The saved strategy behind it: levels are measured from the fill, and its sizing applies. */
  strategy?: ChosenStrategy;
  /** Average true range of the deciding candle; null: undefined. Used only by levels of a strategy. */
  range?: number | null;
}

/** Prices, or percent from the entry. A null price is the user's own percent. */
type Levels = { stopLoss: number | null; takeProfit: number | null } | { stopLossPct: number; takeProfitPct: number };

/** Inputs of the decision, all of one moment. */
export interface Facts {
  exchange: ExchangeId;
  preferences: Preferences;
  /** Undefined: not traded on the exchange. */
  market: FuturesSymbol | undefined;
  quote: Pick<PriceQuote, 'last' | 'atMs'>;
  openCount: number;
  /** A position of this symbol and side is open. */
  isOpen: boolean;
  guards: readonly GuardFacts[];
  funds: Funds;
  /** What is open, for the guards that size down; absent: they do not apply. */
  exposure?: Exposure;
}

/** The planned fill; sizes are present as far as they could be computed. */
export interface Draft {
  leverage: number;
  leverageAsked: number;
  riskFraction: number;
  quantity: number;
  /** Share of base x leverage: the `n%` of messages. */
  multiplier: number;
  /** Reduced because the free equity is insufficient for the settings. */
  isReduced: boolean;
  /** The exchange takes no larger market order. */
  isLargestOrder: boolean;
  refusal: Size['refusal'];
  /** The guard that sized it down. */
  sizedDownBy: Size['sizedDownBy'];
  plan: Plan | null;
}

export type Decision = { skip: Skip | null; draft: Draft };

/** Maximum distance of the current price from the signal's entry. */
const MOVED_FRACTION_MAX = 0.05;

/**
 * Largest notional of a position, USDT: above what any market fills and far below the limit of the money columns, so that one position
 * cannot overflow a statement over all users.
 */
export const NOTIONAL_MAX = 1e10;

const no = (detail: SkipDetail, numbers: SkipNumbers | null = null): Skip => ({ reason: 'NO_MATCH', detail, numbers });

/**
 * Decides whether and how a position is opened. Pure: reads and writes nothing.
 * @param kernel an engine whose memory no other call uses meanwhile
 */
export function decide(kernel: Engine, request: OpeningRequest, facts: Facts): Decision {
  const draft = draftOf(kernel, request, facts);
  const skip =
    checkSignal(request, facts.preferences) ??
    checkMarket(request, facts) ??
    checkSize(draft, request, facts) ??
    checkRoom(request, facts);
  return { skip, draft };
}

/** Direction, confidence, levels, check, filters. */
function checkSignal(request: OpeningRequest, preferences: Preferences): Skip | null {
  if (request.direction === 'NEUTRAL') return { reason: 'NEUTRAL', detail: null, numbers: null };
  if (request.source !== 'manual') {
    const byItself = checkAutomatic(request, preferences);
    if (byItself !== null) return byItself;
  }
  return null;
}

function checkAutomatic(request: OpeningRequest, preferences: Preferences): Skip | null {
  if (!preferences.auto_open_enabled) return no('auto_open_off');
  const { confidence, confidenceKind: kind = 'calibrated', strategy, check, symbol } = request;
  const held = { confidence, kind, isOfSavedRules: strategy !== undefined };
  return confidenceSkip(held, preferences) ?? checkSkip(check) ?? listSkip(symbol, preferences);
}

function checkMarket(request: OpeningRequest, { market, quote, preferences }: Facts): Skip | null {
  const { signalPrice, direction } = request;
  if (market?.status !== 'trading') return no('not_traded');
  const moved = signalPrice === null ? 0 : Math.abs(quote.last / signalPrice - 1);
  if (moved > MOVED_FRACTION_MAX) {
    return no('price_moved', { value: percentOf(moved), limit: percentOf(MOVED_FRACTION_MAX) });
  }
  const result = pricesOf(request, preferences, quote.last);
  if (result === null) return no('no_levels');
  const side = direction === 'LONG' ? 1 : -1;
  const isBetween = side * result.stop < side * quote.last && side * quote.last < side * result.target;
  return isBetween && result.stop > 0 && result.target > 0 ? null : no('level_passed');
}

function checkSize(
  { quantity, plan, refusal, isReduced, isLargestOrder, leverage }: Draft,
  { isExact, sizing }: OpeningRequest,
  { preferences, funds, quote, market }: Facts,
): Skip | null {
  if (isExact === true && isLargestOrder && sizing.by === 'quantity') {
    const numbers = { value: sizing.quantity, limit: marketRules(market).maxQuantity };
    return { reason: 'ZERO_QTY', detail: 'largest_order', numbers };
  }
  if (isExact === true && isReduced && sizing.by === 'quantity') {
    const limit = sizing.quantity * quote.last * (1 / leverage + SIZING_COSTS.takerFeeFraction);
    const value = Math.max(0, sizingAccount(preferences, funds).freeUsdt);
    return { reason: 'ZERO_QTY', detail: 'margin_full', numbers: { value, limit } };
  }
  if (refusal !== null) {
    return { reason: 'ZERO_QTY', detail: refusal.detail, numbers: { value: refusal.value, limit: refusal.limit } };
  }
  if (plan === null) return { reason: 'ZERO_QTY', detail: 'quantity', numbers: { value: quantity, limit: 0 } };
  // A level far below the price may be rounded away to ticks.
  if (plan.stopPrice <= 0 || plan.targetPrice <= 0) return no('level_passed');
  if (plan.notional > NOTIONAL_MAX) return no('too_large', { value: plan.notional, limit: NOTIONAL_MAX });
  if (plan.isStopNearer) return null;
  return no('liquidation_before_stop', { value: plan.liquidationPrice ?? Number.NaN, limit: plan.stopPrice });
}

/** Limits on the number of positions; the guards of automatic opening do not apply to manual openings. */
function checkRoom({ source }: OpeningRequest, { isOpen, openCount, preferences, guards }: Facts): Skip | null {
  const slots = preferences.max_concurrent_positions;
  return roomSkip({ isOpen, openCount, slots, guards: source === 'manual' ? [] : guards });
}

/** Levels of the strategy behind a signal, unless an AI check has corrected them. */
function strategyLevels({ strategy, range, levelsOf }: OpeningRequest) {
  if (strategy === undefined || levelsOf !== 'signal') return undefined;
  const { stop, target } = strategy.value;
  return { stop, target, range: range ?? Number.NaN };
}

function distanceOf(level: StrategyLevel, range: number, entry: number): number | null {
  if (level.mode === 'percent') return level.fraction * entry;
  return range > 0 ? level.multiple * range : null;
}

const sideOf = (direction: OpeningRequest['direction']): 1 | -1 => (direction === 'LONG' ? 1 : -1);

function strategyPrices(
  { stop, target, range }: NonNullable<ReturnType<typeof strategyLevels>>,
  side: number,
  entry: number,
): { stop: number; target: number } | null {
  const [loss, gain] = [distanceOf(stop, range, entry), distanceOf(target, range, entry)];
  return loss === null || gain === null ? null : { stop: entry - side * loss, target: entry + side * gain };
}

/**
 * Stop and target as prices; null when one of them is neither given nor configured. The user's own percent replace missing levels, and
 * the levels of a signal where the settings require it. A setting of 0 means none.
 */
function pricesOf(
  request: OpeningRequest,
  { levels_mode: mode, stop_loss_pct: stopPct, take_profit_pct: targetPct }: Preferences,
  entry: number,
): { stop: number; target: number } | null {
  const { levels, levelsOf, direction } = request;
  const side = sideOf(direction);
  const own = strategyLevels(request);
  if (own !== undefined) return strategyPrices(own, side, entry);
  const stopAt = (pct: number): number | null => (pct > 0 ? entry * (1 - (side * pct) / 100) : null);
  const targetAt = (pct: number): number | null => (pct > 0 ? entry * (1 + (side * pct) / 100) : null);
  const ownStop = stopAt(stopPct);
  const ownTarget = targetAt(targetPct);
  const result =
    levels !== null && 'stopLossPct' in levels
      ? { stop: stopAt(levels.stopLossPct), target: targetAt(levels.takeProfitPct) }
      : { stop: levels?.stopLoss ?? ownStop, target: levels?.takeProfit ?? ownTarget };
  const isReplaced = levelsOf === 'signal' && mode === 'own';
  const stop = isReplaced ? (ownStop ?? result.stop) : result.stop;
  const target = isReplaced ? (ownTarget ?? result.target) : result.target;
  return stop === null || target === null ? null : { stop, target };
}

/** What the guards that size down leave for an automatic opening, of the equity that is realised. */
function guardOf(
  { source }: OpeningRequest,
  { exposure, preferences, funds }: Facts,
  side: 'LONG' | 'SHORT',
): SizingGuard | undefined {
  if (source === 'manual' || exposure === undefined) return undefined;
  const { guard_stops_pct: stopsPct, guard_exposure_pct: exposurePct, balance_usdt: balance } = preferences;
  const equity = guardedEquity(balance, funds.realisedUsdt);
  const sign = side === 'LONG' ? 1 : -1;
  return {
    lossLeftUsdt: stopsPct === null ? Infinity : (stopsPct / 100) * equity - exposure.lossAtStops,
    notionalLeftUsdt: exposurePct === null ? Infinity : (exposurePct / 100) * equity - sign * exposure.netNotional,
  };
}

function draftOf(kernel: Engine, request: OpeningRequest, facts: Facts): Draft {
  const { exchange, preferences, market, quote, funds } = facts;
  const { risk_tolerance: tolerance } = preferences;
  const { sizing } = request;
  const requestedLeverage = request.leverage ?? preferences.leverage;
  const account = sizingAccount(preferences, funds);
  const own = request.strategy?.value;
  const settings = own === undefined ? account : strategyAccount(account, own.sizing, funds);
  const levels = strategyLevels(request);
  const riskFraction = sizing.by === 'chart' ? chartRiskFraction(tolerance, sizing.riskScore) : settings.riskFraction;
  const limits = marketRules(market);
  const side = request.direction === 'SHORT' ? 'SHORT' : 'LONG';
  const result =
    request.direction === 'NEUTRAL' || market === undefined ? null : pricesOf(request, preferences, quote.last);
  if (result === null) {
    const none = { quantity: 0, multiplier: 0, isReduced: false, isLargestOrder: false };
    const unsized = { refusal: null, sizedDownBy: null, plan: null };
    return { leverage: requestedLeverage, leverageAsked: requestedLeverage, riskFraction, ...none, ...unsized };
  }
  const size = sizePosition(
    { ...settings, riskFraction },
    limits,
    {
      side,
      price: quote.last,
      stopPrice: result.stop,
      leverage: requestedLeverage,
      aiMultiplier: request.riskMultiplier,
      ...(sizing.by === 'quantity' ? { quantity: sizing.quantity } : {}),
      ...withoutUndefined({ guard: guardOf(request, facts, side) }),
    },
    SIZING_COSTS,
  );
  const { leverage, entryPrice, quantity, multiplier, isReduced, isLargestOrder, refusal, sizedDownBy } = size;
  const toTick = entryPrice / quote.last;
  const plan =
    quantity > 0
      ? planPosition(kernel, {
          exchange,
          side,
          price: entryPrice,
          timeMs: quote.atMs,
          quantity,
          leverage,
          stopPrice: result.stop * toTick,
          targetPrice: result.target * toTick,
          tickSize: limits.tickSize,
          stepSize: limits.stepSize,
          minNotional: limits.minNotional,
          ...SIZING_COSTS,
          ...withoutUndefined({ strategy: levels, entryFeeFraction: request.entryFeeFraction }),
        })
      : null;
  const sized = { leverage, leverageAsked: requestedLeverage, riskFraction, quantity, multiplier };
  return { ...sized, isReduced, isLargestOrder, refusal, sizedDownBy, plan };
}

/** True when the stop is nearer than the minimum move of the closing guards (0.2 %): the position may close beyond it. */
export const isWithinGuard = ({ entryPrice, stopPrice }: Plan): boolean =>
  !hasMoved(entryPrice, stopPrice, CLOSE_GUARDS);
