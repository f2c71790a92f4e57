import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { CLOSE_GUARDS, hasMoved } from '@sextant/workers/src/positions/bookTypes.ts';
import { type Plan, planPosition, riskFractionOf, riskLevels } from '@sextant/workers/src/positions/plan.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signalRules.ts';
import type { FuturesSymbol, PriceQuote } from '../market/port.ts';
import type { Preferences } from '../preferences/contract.ts';
import { symbolsOf } from '../scan/universe.ts';
import type { SkipDetail, SkipReason } from './contract.ts';
import { type Guard, trippedGuard } from './guards.ts';

/** What somebody or something wants opened. Levels as prices, or in percent from the entry where an AI check corrected them. */
export interface Wish {
  source: 'scan' | 'vision' | 'manual';
  symbol: string;
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
  direction: 'LONG' | 'SHORT' | 'NEUTRAL';
  /** 0 to 1. */
  confidence: number;
  /** Price the levels were made for; null: not known. */
  signalPrice: number | null;
  levels: { stopLoss: number; takeProfit: number } | { stopLossPct: number; takeProfitPct: number } | null;
  /** 1 when nobody scaled the size. */
  riskMultiplier: number;
  /** `base`: base x multiplier x leverage / entry; `risk`: balance x risk per trade x leverage / price; `chart`: by the risk score of a chart analysis. */
  sizing: { by: 'base' } | { by: 'risk' } | { by: 'chart'; riskScore: number } | { by: 'quantity'; quantity: number };
  /** The default of the account when absent. */
  leverage?: number;
  /** Where an AI check has a say: only an approved result opens by itself. */
  aiState?: 'unchecked' | 'approved' | 'online' | 'offline';
}

/** What the decision is made on, all of one moment. */
export interface Facts {
  preferences: Preferences;
  /** Undefined: not traded on the exchange. */
  market: FuturesSymbol | undefined;
  quote: Pick<PriceQuote, 'last' | 'atMs'>;
  openCount: number;
  /** A position of this symbol and side is open. */
  isOpen: boolean;
  guards: readonly Guard[];
  /** Net PnL of closed positions, oldest first. */
  results: Float64Array;
}

export interface Skip {
  reason: SkipReason;
  detail: SkipDetail | null;
  /** What failed the rule and what it had to be, in the units of the rule; null where there is no number. */
  numbers: SkipNumbers | null;
}

export interface SkipNumbers {
  value: number;
  limit: number;
}

/** What would be filled; the sizes are there as far as they could be reckoned. */
export interface Draft {
  leverage: number;
  leverageAsked: number;
  riskFraction: number;
  quantity: number;
  plan: Plan | null;
}

export type Decision = { skip: Skip | null; draft: Draft };

/** The entry the signal was made for may be this far from the price now. */
const MOVED_FRACTION_MAX = 0.05;

/**
 * USDT. No market fills more, and the money columns hold many times as much: one person's position must not break a statement that
 * reckons for everybody.
 */
export const NOTIONAL_MAX = 1e10;

const no = (detail: SkipDetail, numbers: SkipNumbers | null = null): Skip => ({ reason: 'NO_MATCH', detail, numbers });

/**
 * Whether a position is opened, and as what. Everything is decided here; nothing is read and nothing is written.
 * @param kernel an engine whose arena nobody else uses meanwhile
 */
export function decide(kernel: Engine, wish: Wish, facts: Facts): Decision {
  const draft = draftOf(kernel, wish, facts);
  const skip =
    askSignal(wish, facts.preferences) ?? askMarket(wish, facts) ?? askSize(facts, draft) ?? askRoom(wish, facts);
  return { skip, draft };
}

/** Direction, confidence, levels, AI check, filters. */
function askSignal(wish: Wish, preferences: Preferences): Skip | null {
  if (wish.direction === 'NEUTRAL') return { reason: 'NEUTRAL', detail: null, numbers: null };
  if (wish.source !== 'manual') {
    const byItself = askAutomatic(wish, preferences);
    if (byItself !== null) return byItself;
  }
  return wish.levels === null ? no('no_levels') : null;
}

/** Fraction to percent, without the noise of the product. */
export const percentOf = (fraction: number): number => Math.round(fraction * 1e8) / 1e6;

const aiDetails = { unchecked: 'ai_unchecked', offline: 'ai_offline', online: 'ai_not_approved' } as const;

function askAutomatic({ confidence, aiState, symbol }: Wish, preferences: Preferences): Skip | null {
  if (!preferences.auto_open_enabled) return no('auto_open_off');
  const { min_auto_conf_pct: least, tuning_conf_floor: floor } = preferences;
  // In percent, as people set it; rounding must not turn 0.6 into less than 60.
  const value = percentOf(confidence);
  const low = { reason: 'LOW_CONF' } as const;
  if (floor !== null && confidence < floor) {
    return { ...low, detail: 'tuning_floor', numbers: { value, limit: percentOf(floor) } };
  }
  if (value < least) return { ...low, detail: 'min_confidence', numbers: { value, limit: least } };
  if (aiState !== undefined && aiState !== 'approved') return no(aiDetails[aiState]);
  if (symbolsOf(preferences.blacklist).includes(symbol)) return no('blacklisted');
  const whitelist = symbolsOf(preferences.whitelist);
  return whitelist.length > 0 && !whitelist.includes(symbol) ? no('not_whitelisted') : null;
}

function askMarket({ signalPrice, levels, direction }: Wish, { market, quote }: Facts): Skip | null {
  if (market?.status !== 'trading') return no('not_traded');
  const moved = signalPrice === null ? 0 : Math.abs(quote.last / signalPrice - 1);
  if (moved > MOVED_FRACTION_MAX) {
    return no('price_moved', { value: percentOf(moved), limit: percentOf(MOVED_FRACTION_MAX) });
  }
  const found = pricesOf(levels, direction, quote.last);
  if (found === null) return no('no_levels');
  const side = direction === 'LONG' ? 1 : -1;
  const isBetween = side * found.stop < side * quote.last && side * quote.last < side * found.target;
  return isBetween && found.stop > 0 && found.target > 0 ? null : no('level_passed');
}

function askSize({ market, quote }: Facts, { quantity, plan }: Draft): Skip | null {
  if (plan === null) {
    const [step, least] = [market?.stepSize ?? 0, market?.minNotional ?? 0];
    const isNothing = !(quantity > 0) || quantity < step;
    return isNothing
      ? { reason: 'ZERO_QTY', detail: 'quantity', numbers: { value: quantity, limit: step } }
      : { reason: 'ZERO_QTY', detail: 'min_notional', numbers: { value: quantity * quote.last, limit: least } };
  }
  if (plan.notional > NOTIONAL_MAX) return no('too_large', { value: plan.notional, limit: NOTIONAL_MAX });
  if (plan.isStopNearer) return null;
  return no('liquidation_before_stop', { value: plan.liquidationPrice ?? Number.NaN, limit: plan.stopPrice });
}

/** Room for one more; what its owner opens by hand is not held back by the guards of automatic opening. */
function askRoom({ source }: Wish, { isOpen, openCount, preferences, guards }: Facts): Skip | null {
  if (isOpen) return no('duplicate');
  const { max_concurrent_positions: room } = preferences;
  if (openCount >= room) return no('max_concurrent', { value: openCount, limit: room });
  const guard = source === 'manual' ? undefined : trippedGuard(guards);
  return guard === undefined ? null : no(guard.detail, { value: guard.value, limit: guard.limit });
}

function pricesOf(levels: Wish['levels'], direction: string, entry: number): { stop: number; target: number } | null {
  if (levels === null) return null;
  if ('stopLoss' in levels) return { stop: levels.stopLoss, target: levels.takeProfit };
  const side = direction === 'LONG' ? 1 : -1;
  return {
    stop: entry * (1 - (side * levels.stopLossPct) / 100),
    target: entry * (1 + (side * levels.takeProfitPct) / 100),
  };
}

function draftOf(kernel: Engine, wish: Wish, { preferences, market, quote, results }: Facts): Draft {
  const leverageAsked = wish.leverage ?? preferences.leverage;
  const leverage = Math.max(1, Math.min(leverageAsked, Math.floor(market?.maxLeverage ?? leverageAsked)));
  const riskFraction = riskFractionOf(kernel, {
    level: preferences.risk_tolerance,
    isDynamic: preferences.dynamic_risk_on,
    results,
    lookback: preferences.risk_perf_lookback,
    smoothing: preferences.risk_smoothing,
    min: preferences.risk_min_pct,
    max: preferences.risk_max_pct,
  });
  const quantity = quantityOf(kernel, wish, { preferences, leverage, riskFraction, price: quote.last });
  const found = pricesOf(wish.levels, wish.direction, quote.last);
  const isPlanned = quantity > 0 && found !== null && wish.direction !== 'NEUTRAL' && market !== undefined;
  const plan = isPlanned
    ? planPosition(kernel, {
        side: wish.direction === 'SHORT' ? 'SHORT' : 'LONG',
        price: quote.last,
        timeMs: quote.atMs,
        quantity,
        leverage,
        stopPrice: found.stop,
        targetPrice: found.target,
        tickSize: market.tickSize,
        stepSize: market.stepSize,
        minNotional: market.minNotional ?? 0,
        takerFeeFraction: SIZING_COSTS.takerFeeFraction,
        maintenanceMarginFraction: SIZING_COSTS.maintenanceMarginFraction,
      })
    : null;
  return { leverage, leverageAsked, riskFraction, quantity, plan };
}

/** The three sizes (automatic, by risk, by chart), in base units to four decimals. */
function quantityOf(
  { raw }: Engine,
  { sizing, riskMultiplier }: Wish,
  {
    preferences,
    leverage,
    riskFraction,
    price,
  }: { preferences: Preferences; leverage: number; riskFraction: number; price: number },
): number {
  const { balance_usdt: balance, risk_tolerance: tolerance } = preferences;
  if (sizing.by === 'quantity') return sizing.quantity;
  if (sizing.by === 'base') return raw.scanQuantity(balance, riskMultiplier, leverage, price);
  const fraction =
    sizing.by === 'chart' ? raw.chartRiskFraction(riskLevels[tolerance], sizing.riskScore) : riskFraction;
  return raw.riskQuantity(balance, fraction, leverage, price);
}

/** A stop nearer than the guard of closing lets it be: it cannot be honoured exactly. */
export const isWithinGuard = ({ entryPrice, stopPrice }: Plan): boolean =>
  !hasMoved(entryPrice, stopPrice, CLOSE_GUARDS);
