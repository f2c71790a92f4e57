import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { FillMarket } from '@sextant/workers/src/positions/marketFill.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import type { Plan } from '@sextant/workers/src/positions/plan.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { type ChosenStrategy, SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import type { ExchangeId, FuturesSymbol, Market, PriceQuote } from '../market/port.ts';
import { queueNotification } from '../notifications/queueNotification.ts';
import type { Preferences } from '../preferences/contract.ts';
import { preferencesFor } from '../preferences/preferencesOf.ts';
import { readFunds } from '../sizing/accountSizing.ts';
import type { Skip } from '@sextant/workers/src/signals/openingRules.ts';
import { type Decision, decide, type Facts, type OpeningRequest } from './decideOpening.ts';
import type { TrailingChange } from './contract.ts';
import { readOpenOn } from './readPositions.ts';
import { positionToWire } from './positionRow.ts';
import { type FillRole, insertPosition, insertSkip } from './eventWriter.ts';
import { freshPrices, OPENING_PRICE_AGE_MS_MAX, openingFill, priceKey } from './live.ts';
import { skipMessage } from '@sextant/workers/src/signals/skipReasons.ts';
import { openedMessage, sizedDownMessages } from './openMessages.ts';
import { exposureOf } from '../guards/exposure.ts';
import { readGuards } from '../guards/readGuards.ts';

/** Exchange of simulated positions. */
export const POSITION_EXCHANGE = 'binance';

export interface OpenDeps {
  db: Db;
  market: Market;
  /** An engine of this thread for plans. Each call leaves its arena unchanged. */
  kernel: () => Engine;
  config: { market: MarketMode };
  /** Called with the error of an opening that could not be stored; the run continues. */
  onOpenFailure?: (error: unknown) => void;
}

/** What an opening in a transaction needs: no request to an exchange. */
export type OpeningDeps = Pick<OpenDeps, 'kernel' | 'config'>;

export interface OpenRequest extends OpeningRequest {
  userId: string;
  exchange: ExchangeId;
  /** Idempotency key of the opening: `scan:<id>:BTCUSDT`. */
  openingRef: string;
  scanId: string | null;
  signalId: string | null;
  runId: string | null;
  /** The position closed by the same signal: the other half of a reversal. */
  reverses?: string;
  /** Several targets, nearest first, on their ticks. */
  targets?: readonly BookTarget[];
  /** How its stop trails; as the settings have it when absent. */
  trailing?: TrailingChange | null;
  /** The order that opens it, and how it is filled; absent: a market order, now. */
  fill?: OrderFill;
}

/** A fill of an order. */
export interface OrderFill {
  orderId: string;
  price: number;
  /** The price before its costs; null of a limit order. */
  market: FillMarket | null;
  role: FillRole;
  /** Epoch ms; null: now. */
  atMs: number | null;
  /** Open of the candle that fills it, epoch ms; null: a price does. */
  candleMs: number | null;
}

export type Opening =
  /** `decision`, with the balance it was made on: null when it was opened before. */
  | { outcome: 'opened'; id: string; message: string; decision: (Decision & { balanceUsdt: number }) | null }
  | { outcome: 'skipped'; skip: Skip; message: string };

/** Current market data, fetched before any transaction. */
export interface MarketFacts {
  market: FuturesSymbol | undefined;
  quote: PriceQuote;
}

/** Returns an error without a price younger than `OPENING_PRICE_AGE_MS_MAX`. */
export async function readMarketFacts(
  { market }: Pick<OpenDeps, 'market'>,
  exchange: ExchangeId,
  symbol: string,
): Promise<Outcome<MarketFacts>> {
  const symbols = await market.symbols({ exchange });
  if (!symbols.ok) return symbols;
  const match = symbols.value.value.find((each) => each.symbol === symbol);
  if (match === undefined) {
    return reject('symbol_unknown', `${symbol} is not traded on ${exchange}.`, { field: 'symbol' });
  }
  const prices = await freshPrices(market, [{ exchange, symbol }], Date.now(), OPENING_PRICE_AGE_MS_MAX);
  const quote = prices.get(priceKey(exchange, symbol));
  if (quote === undefined) return reject('price_stale', noPriceMessage(exchange, symbol));
  return ok({ market: match, quote });
}

const noPriceMessage = (exchange: string, symbol: string): string =>
  `No price of ${symbol} on ${exchange} in the last ${OPENING_PRICE_AGE_MS_MAX / 1000} seconds. Try again when prices arrive.`;

/** Account data for the decision, limited to the served market. */
export async function readAccountFacts(
  tx: SystemTx,
  userId: string,
  request: OpeningRequest,
  { nowMs, market }: { nowMs: number; market: MarketMode },
): Promise<Omit<Facts, 'exchange' | 'market' | 'quote'>> {
  const preferences = await preferencesFor(tx, userId);
  const open = await readOpenOn(tx, userId, market);
  return {
    preferences,
    openCount: open.length,
    isOpen: open.some(({ symbol, side }) => symbol === request.symbol && side === request.direction),
    guards: await readGuards(tx, userId, preferences, { nowMs, market }),
    funds: await readFunds(tx, userId, market),
    exposure: exposureOf(open.map(positionToWire)),
  };
}

/**
 * Opens a position, or returns why not. The only code that opens positions: after a scan, after a chart analysis, manually. Openings of
 * one user are serialised, so that limits hold for parallel requests.
 */
export async function openPosition(deps: OpenDeps, request: OpenRequest): Promise<Outcome<Opening>> {
  const facts = await readMarketFacts(deps, request.exchange, request.symbol);
  if (!facts.ok) return facts;
  return withSystem(deps.db, (tx) => openInTurn(deps, tx, request, facts.value));
}

/** Serialises openings of this user until the end of the transaction. */
export async function openingsInTurn(tx: SystemTx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`open ${userId}`}, 0))`.execute(tx);
}

/** The same within a transaction of the caller. Opens nothing for an account that is being deleted. */
export async function openInTurn(
  deps: OpeningDeps,
  tx: SystemTx,
  request: OpenRequest,
  { market, quote }: MarketFacts,
): Promise<Outcome<Opening>> {
  const { userId, openingRef, symbol } = request;
  const isByHand = request.source === 'manual';
  await openingsInTurn(tx, userId);
  const before = await tx
    .selectFrom('positions')
    .select(['id', 'symbol', 'side', 'risk_multiplier'])
    .where('user_id', '=', userId)
    .where('opening_ref', '=', openingRef)
    .executeTakeFirst();
  if (before !== undefined) {
    const message = openedMessage(before.side, before.symbol, before.risk_multiplier, isByHand);
    return ok({ outcome: 'opened', id: before.id, message, decision: null });
  }
  if (await isLeaving(tx, userId)) return reject('conflict', LEAVING_MESSAGE);
  const { fill } = request;
  const nowMs = fill?.atMs ?? (await databaseNowMs(tx));
  const account = await readAccountFacts(tx, userId, request, { nowMs, market: deps.config.market });
  const filled = fill ?? openingFill(request, market, quote);
  const facts = { ...account, exchange: request.exchange, market, quote: { ...quote, last: filled.price } };
  const decision = decide(deps.kernel(), request, facts);
  const { skip } = decision;
  if (skip !== null) {
    await writeSkip(tx, request, skip, nowMs);
    return ok({ outcome: 'skipped', skip, message: skipMessage(skip.reason, skip.detail, skip.numbers) });
  }
  const { preferences } = account;
  const id = await write(deps, tx, request, { decision, preferences, market, nowMs, entryMarket: filled.market });
  const { multiplier, sizedDownBy } = decision.draft;
  const opened = openedMessage(request.direction, symbol, multiplier, isByHand);
  const message = sizedDownBy === null ? opened : `${opened} ${sizedDownMessages[sizedDownBy]}`;
  const { balance_usdt: balanceUsdt } = preferences;
  return ok({ outcome: 'opened', id, message, decision: { ...decision, balanceUsdt } });
}

const LEAVING_MESSAGE = 'Your account is being deleted. Cancel the deletion to open a position.';

/** Records a skip because automatic opening is off, without a market request. */
export async function skipOff(tx: SystemTx, request: OpenRequest): Promise<Opening> {
  const skip: Skip = { reason: 'NO_MATCH', detail: 'auto_open_off', numbers: null };
  await writeSkip(tx, request, skip, await databaseNowMs(tx));
  return { outcome: 'skipped', skip, message: skipMessage(skip.reason, skip.detail) };
}

async function writeSkip(tx: SystemTx, request: OpenRequest, skip: Skip, nowMs: number): Promise<void> {
  const { userId, runId, symbol, interval, direction, confidence, scanId, reverses } = request;
  const side = direction === 'NEUTRAL' ? null : direction;
  const { reason, detail, numbers } = skip;
  const data = {
    symbol,
    interval,
    side,
    confidence,
    reason,
    detail,
    scan_id: scanId,
    ...numbers,
    ...(reverses && { reverses }),
  };
  await insertSkip(tx, { userId, runId, atMs: nowMs, data });
  await notifyUser(tx, userId, 'positions', { change: 'skipped' });
}

interface Decided {
  decision: Decision;
  preferences: Preferences;
  market: FuturesSymbol | undefined;
  nowMs: number;
  entryMarket: FillMarket | null;
}

async function write(
  { config }: OpeningDeps,
  tx: SystemTx,
  request: OpenRequest,
  { decision: { draft }, preferences, market, nowMs, entryMarket }: Decided,
): Promise<string> {
  const { plan, leverage, multiplier, sizedDownBy } = draft;
  const { direction, userId, symbol } = request;
  if (plan === null || direction === 'NEUTRAL') throw new Error('a decision to open has a plan and a side');
  const { openingRef, source, scanId, signalId, runId, exchange, interval, confidence } = request;
  const id = await insertPosition(tx, {
    userId,
    openingRef,
    source,
    scanId,
    signalId,
    runId,
    exchange,
    symbol,
    interval,
    confidence,
    riskMultiplier: multiplier,
    ...plan,
    entryMarket,
    side: direction,
    market: config.market,
    leverage,
    sizedDownBy,
    tickSize: market?.tickSize ?? 0,
    stepSize: market?.stepSize ?? 0,
    minNotional: market?.minNotional ?? 0,
    targets: targetsFrom(request.targets, plan),
    role: request.fill?.role ?? 'taker',
    orderId: request.fill?.orderId ?? null,
    takerFeeFraction: SIZING_COSTS.takerFeeFraction,
    ...(request.strategy === undefined
      ? { trailing: requestedTrailing(preferences, plan, request.trailing ?? undefined), strategy: null, exitDue: null }
      : strategyExits(request.strategy, interval, nowMs)),
    openedAtMs: nowMs,
  });
  await notifyUser(tx, userId, 'positions', { change: 'opened', position_id: id });
  await queueNotification(tx, userId, 'position_opened', {
    position_id: id,
    symbol,
    side: direction,
    quantity: plan.quantity,
    entry_price: plan.entryPrice,
    leverage,
  });
  return id;
}

/**
 * Exits of a strategy for its position. Its time limit is counted in candles of its interval from the opening candle on, as in a backtest,
 * where that candle's open is the fill.
 */
function strategyExits(strategy: ChosenStrategy, interval: OpeningRequest['interval'], nowMs: number) {
  const { trailing, atrPeriod, holdingBarsMax } = strategy.value;
  const { mode } = trailing;
  const stepMs = intervalMs[interval];
  return {
    strategy,
    trailing: {
      mode: mode === 'off' ? null : mode,
      // The row is for display only; the watch reads the fractions of the strategy.
      callbackPct: mode === 'percent' ? Math.max(trailing.callbackFraction * 100, 1e-9) : null,
      stepPct: mode === 'percent' ? trailing.stepFraction * 100 : null,
      atrMultiplier: mode === 'atr' ? trailing.atrMultiple : null,
      atrPeriod: mode === 'atr' ? atrPeriod : null,
      activationPct: mode === 'off' ? null : trailing.activationFraction * 100,
    },
    exitDue:
      holdingBarsMax === 0
        ? null
        : { atMs: (Math.floor(nowMs / stepMs) + holdingBarsMax) * stepMs, reason: 'TIME' as const },
  };
}

/** The first target is on the tick that the plan has. */
const targetsFrom = (targets: readonly BookTarget[] | undefined, { targetPrice }: Plan): BookTarget[] | null =>
  targets?.map((each, i) => (i === 0 ? { ...each, price: targetPrice } : each)) ?? null;

/** Trailing as requested; what is not given is as the settings have it. */
export function requestedTrailing(preferences: Preferences, plan: Plan, given: TrailingChange | undefined) {
  if (given === undefined) return trailingOf(preferences, plan);
  const settings = {
    ...preferences,
    trailing_enabled: given.enabled,
    trail_mode: given.mode ?? preferences.trail_mode,
    trail_callback_pct: given.callback_pct ?? preferences.trail_callback_pct,
    trail_step_pct: given.step_pct ?? preferences.trail_step_pct,
    trail_atr_mult: given.atr_mult ?? preferences.trail_atr_mult,
    trail_atr_period: given.atr_period ?? preferences.trail_atr_period,
  };
  const trailing = trailingOf(settings, plan);
  return given.enabled ? { ...trailing, activationPct: given.activation_pct ?? trailing.activationPct } : trailing;
}

/** Trailing settings are copied into the position: later changes do not affect open positions. */
export function trailingOf(
  preferences: Preferences,
  { entryPrice, stopPrice }: Pick<Plan, 'entryPrice' | 'stopPrice'>,
) {
  const off = {
    mode: null,
    callbackPct: null,
    stepPct: null,
    atrMultiplier: null,
    atrPeriod: null,
    activationPct: null,
  };
  if (!preferences.trailing_enabled) return off;
  const { trail_mode: mode, trail_atr_mult: atrMultiplier, trail_atr_period: atrPeriod } = preferences;
  const stopDistancePct = (100 * Math.abs(entryPrice - stopPrice)) / entryPrice;
  const activationPct = preferences.trail_activation_stops * stopDistancePct;
  if (mode === 'atr') return { ...off, mode, activationPct, atrMultiplier, atrPeriod };
  const { trail_callback_pct: callbackPct, trail_step_pct: stepPct } = preferences;
  return { ...off, mode, activationPct, callbackPct, stepPct };
}
