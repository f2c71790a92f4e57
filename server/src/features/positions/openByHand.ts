import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { createHash, randomUUID } from 'node:crypto';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, type Rejection, reject } from '../../platform/errors.ts';
import { checkedResult, readOpeningTerms } from '../scan/checkedResults.ts';
import type { OpenBody, OpenedResponse, Preview, Warning } from './contract.ts';
import type { Skip } from '@sextant/workers/src/signals/openingRules.ts';
import { decide, type OpeningRequest, type Decision, isWithinGuard } from './decideOpening.ts';
import { POSITION_EXCHANGE, type OpenDeps, openPosition, readAccountFacts, readMarketFacts } from './openPosition.ts';
import { openingFill } from './live.ts';
import { positionToWire } from './positionRow.ts';
import { readPosition } from './readPositions.ts';
import { handRequestOfResult } from './scanRequest.ts';
import type { FundingRate, PriceQuote } from '../market/port.ts';
import { skipMessage } from '@sextant/workers/src/signals/skipReasons.ts';
import { openedMessage } from './openMessages.ts';

export type PreviewWire = z.input<typeof Preview>;
type WarningName = z.input<typeof Warning>;

interface WarningFacts {
  balanceUsdt: number;
  /** Null: the exchange did not provide it. */
  funding: Pick<FundingRate, 'rate' | 'nextFundingAtMs'> | null;
  nowMs: number;
}

const FUNDING_SOON_MS = 15 * 60_000;

function warningsOf({ draft }: Decision, { balanceUsdt, funding, nowMs }: WarningFacts): WarningName[] {
  const { plan, leverage, leverageAsked, riskFraction, isReduced, isLargestOrder } = draft;
  const isSoon = funding !== null && funding.nextFundingAtMs - nowMs <= FUNDING_SOON_MS;
  const matches: [boolean, WarningName][] = [
    [plan !== null && isWithinGuard(plan), 'stop_within_guard'],
    [leverage < leverageAsked, 'leverage_capped'],
    [isSoon, 'funding_soon'],
    // Tolerance for the rounding of money on screen.
    [plan !== null && plan.lossAtStop > riskFraction * balanceUsdt * (1 + 1e-9), 'loss_above_risk'],
    [plan !== null && isReduced, 'margin_reduced'],
    [plan !== null && isLargestOrder, 'order_limited'],
  ];
  return matches.flatMap(([holds, name]) => (holds ? [name] : []));
}

/** Converts a decision to its wire form. */
export function previewToWire(
  request: OpeningRequest,
  decision: Decision,
  facts: WarningFacts & { quote: Pick<PriceQuote, 'last' | 'atMs'> },
): PreviewWire {
  const { skip, draft } = decision;
  const { quote, balanceUsdt, funding } = facts;
  return {
    would_open: skip === null,
    reason: skip?.reason ?? null,
    detail: skip?.detail ?? null,
    message:
      skip === null
        ? openedMessage(request.direction, request.symbol, draft.multiplier, true)
        : skipMessage(skip.reason, skip.detail, skip.numbers),
    symbol: request.symbol,
    interval: request.interval,
    side: request.direction === 'NEUTRAL' ? null : request.direction,
    entry_price: quote.last,
    price_at: new Date(quote.atMs).toISOString(),
    leverage: draft.leverage,
    leverage_asked: draft.leverageAsked,
    risk_multiplier: draft.multiplier,
    risk_pct: draft.riskFraction * 100,
    ...planFigures(draft, balanceUsdt),
    funding_rate: funding?.rate ?? null,
    next_funding_at: funding === null ? null : new Date(funding.nextFundingAtMs).toISOString(),
    warnings: warningsOf(decision, facts),
  };
}

/** A level far below the price may be rounded away to ticks: null, and nothing opens. */
const priceOrNull = (price: number): number | null => (price > 0 ? price : null);

function planFigures({ plan, quantity }: Decision['draft'], balanceUsdt: number) {
  if (plan === null) {
    const none = { stop_loss: null, take_profit: null, liquidation_approx: null, loss_at_stop: null };
    const costs = { loss_at_stop_pct: null, gain_at_target: null, fee_exit_at_stop: null };
    return { qty: quantity, notional: 0, margin: 0, fee_entry: 0, ...none, ...costs };
  }
  return {
    qty: plan.quantity,
    notional: plan.notional,
    margin: plan.margin,
    stop_loss: priceOrNull(plan.stopPrice),
    take_profit: priceOrNull(plan.targetPrice),
    liquidation_approx: plan.liquidationPrice,
    loss_at_stop: plan.lossAtStop,
    loss_at_stop_pct: (plan.lossAtStop / balanceUsdt) * 100,
    gain_at_target: plan.gainAtTarget,
    fee_entry: plan.entryFee,
    fee_exit_at_stop: exitFee(plan.quantity, plan.stopPrice, SIZING_COSTS.takerFeeFraction),
  };
}

const exchange = POSITION_EXCHANGE;

interface RequestedOpening {
  requested: OpeningRequest;
  signalId: string | null;
}

/** Resolves the body: a result of one of the caller's scans, or levels given in the body. */
async function readOpening({ db }: OpenDeps, userId: string, body: OpenBody): Promise<Outcome<RequestedOpening>> {
  const { symbol, interval, scan_id: scanId, leverage, qty } = body;
  const chosen: Pick<OpeningRequest, 'leverage' | 'sizing'> | Pick<OpeningRequest, 'leverage'> = {
    ...withoutUndefined({ leverage }),
    ...(qty === undefined ? {} : { sizing: { by: 'quantity', quantity: qty } as const }),
  };
  if (scanId === undefined) return ok({ requested: { ...requestOfBody(body), ...chosen }, signalId: null });
  const { result, terms } = await withUser(db, userId, async (tx) => ({
    result: await checkedResult(tx, { scanId, symbol, interval }),
    terms: await readOpeningTerms(tx, scanId),
  }));
  if (!result.ok) return result;
  const { value } = result;
  return ok({ requested: { ...handRequestOfResult(value, terms.strategy), ...chosen }, signalId: value.signal_id });
}

function requestOfBody(body: OpenBody): OpeningRequest {
  const { symbol, interval, side, stop_loss: stopLoss, take_profit: takeProfit, entry_price, confidence } = body;
  return {
    source: 'manual',
    symbol,
    interval,
    direction: side ?? 'NEUTRAL',
    confidence: confidence ?? 0,
    signalPrice: entry_price ?? null,
    levels: { stopLoss: stopLoss ?? null, takeProfit: takeProfit ?? null },
    levelsOf: 'owner',
    riskMultiplier: 1,
    sizing: { by: 'settings' },
  };
}

/** Preview of an opening at this moment. Nothing is written. */
export async function previewPosition(deps: OpenDeps, userId: string, body: OpenBody): Promise<Outcome<PreviewWire>> {
  const response = await readOpening(deps, userId, body);
  if (!response.ok) return response;
  const { requested } = response.value;
  const facts = await readMarketFacts(deps, exchange, requested.symbol);
  if (!facts.ok) return facts;
  const { market } = deps.config;
  const account = await withSystem(deps.db, async (tx) =>
    readAccountFacts(tx, userId, requested, { nowMs: await databaseNowMs(tx), market }),
  );
  const { quote, market: symbol } = facts.value;
  const filled = { ...quote, last: openingFill(requested, symbol, quote).price };
  const decision = decide(deps.kernel(), requested, { ...account, ...facts.value, quote: filled, exchange });
  const { balance_usdt: balanceUsdt } = account.preferences;
  const about = await warningFacts(deps, userId, { symbol: requested.symbol, balanceUsdt });
  return ok(previewToWire(requested, decision, { quote: filled, ...about }));
}

export type HandOpening = Result<z.input<typeof OpenedResponse>, Rejection & { skip?: Skip }>;

/** Hashes a key of any allowed length to the length of a reference. */
const refOf = (key: string): string => `manual:${createHash('sha256').update(key).digest('hex')}`;

/** Opens manually: at the server's price and by the same rules, except those of automatic opening. @param key idempotency key */
export async function openByHand(
  deps: OpenDeps,
  userId: string,
  body: OpenBody,
  key: string = randomUUID(),
): Promise<HandOpening> {
  const response = await readOpening(deps, userId, body);
  if (!response.ok) return response;
  const { requested, signalId } = response.value;
  const opened = await openPosition(deps, {
    ...requested,
    userId,
    exchange,
    openingRef: refOf(key),
    scanId: body.scan_id ?? null,
    signalId,
    runId: null,
  });
  if (!opened.ok) return opened;
  const opening = opened.value;
  if (opening.outcome === 'skipped') {
    return failWith({ code: 'position_refused', message: opening.message, skip: opening.skip });
  }
  const { id, message, decision } = opening;
  const row = await withUser(deps.db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return reject('not_found', 'The position no longer exists.');
  const isAnother =
    row.symbol !== requested.symbol || row.side !== requested.direction || row.interval !== requested.interval;
  if (isAnother) return reject('conflict', 'This Idempotency-Key came with another body.');
  const warnings =
    decision === null
      ? []
      : warningsOf(
          decision,
          await warningFacts(deps, userId, { symbol: requested.symbol, balanceUsdt: decision.balanceUsdt }),
        );
  return ok({ id, message, position: positionToWire(row), warnings });
}

async function warningFacts(
  { market }: OpenDeps,
  userId: string,
  { symbol, balanceUsdt }: { symbol: string; balanceUsdt: number },
): Promise<WarningFacts> {
  const funding = await market.funding({ exchange, symbol, userId });
  return { balanceUsdt, funding: funding.ok ? funding.value.value : null, nowMs: Date.now() };
}
