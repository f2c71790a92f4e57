import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signalRules.ts';
import type { z } from 'zod';
import type { FundingRate, PriceQuote } from '../market/port.ts';
import type { Preview, Warning } from './contract.ts';
import { type Decision, isWithinGuard, type Wish } from './decide.ts';
import { openedMessage, skipMessage } from './messages.ts';

export type PreviewWire = z.input<typeof Preview>;
type WarningName = z.input<typeof Warning>;

export interface WarningFacts {
  balanceUsdt: number;
  /** Null: the exchange did not say. */
  funding: Pick<FundingRate, 'rate' | 'nextFundingAtMs'> | null;
  nowMs: number;
}

const FUNDING_SOON_MS = 15 * 60_000;

export function warningsOf({ draft }: Decision, { balanceUsdt, funding, nowMs }: WarningFacts): WarningName[] {
  const { plan, leverage, leverageAsked, riskFraction, isReduced } = draft;
  const isSoon = funding !== null && funding.nextFundingAtMs - nowMs <= FUNDING_SOON_MS;
  const found: [boolean, WarningName][] = [
    [plan !== null && isWithinGuard(plan), 'stop_within_guard'],
    [leverage < leverageAsked, 'leverage_capped'],
    [isSoon, 'funding_soon'],
    // Rounding of money on screen is no loss above the risk.
    [plan !== null && plan.lossAtStop > riskFraction * balanceUsdt * (1 + 1e-9), 'loss_above_risk'],
    [plan !== null && isReduced, 'margin_reduced'],
  ];
  return found.flatMap(([holds, name]) => (holds ? [name] : []));
}

/** A decision in the words of the wire. */
export function previewToWire(
  wish: Wish,
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
        ? openedMessage(wish.direction, wish.symbol, draft.multiplier)
        : skipMessage(skip.reason, skip.detail, skip.numbers),
    symbol: wish.symbol,
    interval: wish.interval,
    side: wish.direction === 'NEUTRAL' ? null : wish.direction,
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

/** A level far below the price can lose itself in the rounding to ticks: then it is no price, and nothing opens. */
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
