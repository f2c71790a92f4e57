// Long because it is one decision: every rule of an order with its field and its fix.
import { type Contract, leverageAllowed } from '@sextant/workers/src/candles/contract.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { marketFill } from '@sextant/workers/src/positions/marketFill.ts';
import { stopEntryFill } from '@sextant/workers/src/orders/restingOrders.ts';
import {
  rejectTargets,
  roundOrderPrice,
  roundStop,
  roundTarget,
} from '@sextant/workers/src/positions/changedLevels.ts';
import { type OpenCosts, openFigures, partNet, shareOfCosts } from '@sextant/workers/src/positions/openFigures.ts';
import { type BookTarget, type Part, partOf, targetParts } from '@sextant/workers/src/positions/partialClose.ts';
import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { lossAtStop, QUANTITY_STEP_MIN, roundDown, roundUp } from '@sextant/workers/src/positions/sizing.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import { skipMessage, type SkipDetail } from '@sextant/workers/src/signals/skipReasons.ts';
import type { Skip } from '@sextant/workers/src/signals/openingRules.ts';
import { planAddition } from '../positions/addToPosition.ts';
import type { PositionWire } from '../positions/contract.ts';
import { type Decision, decide, type Facts, type OpeningRequest } from '../positions/decideOpening.ts';
import { marketRules } from '../signals/marketRules.ts';
import type { FundingRate, PriceQuote } from '../market/port.ts';
import { sizingAccount } from '../sizing/accountSizing.ts';
import { EXPIRY_DAYS_MAX, type OrderBody, type OrderPreviewWire, RESTING_MAX, sizeNames } from './contract.ts';

/** All of one moment. */
export interface OrderFacts extends Omit<Facts, 'isOpen' | 'guards' | 'quote'> {
  quote: Pick<PriceQuote, 'last' | 'bid' | 'ask' | 'atMs'>;
  /** Open positions of the symbol, one of a side. */
  positions: readonly PositionWire[];
  /** Costs of what is open of each of them, by its id. */
  openCosts: ReadonlyMap<string, OpenCosts>;
  /** Leverage tiers; null: unknown. */
  contract: Contract | null;
  /** Null: the exchange did not provide it. */
  funding: Pick<FundingRate, 'rate' | 'nextFundingAtMs'> | null;
  /** Orders of the account that rest. */
  restingCount: number;
  nowMs: number;
}

export type RejectedOrder = NonNullable<OrderPreviewWire['rejected']>;

/** What an order would do, on the grid of the exchange. */
export interface OrderDraft {
  preview: OrderPreviewWire;
  /** On its tick; null for `market`. */
  price: number | null;
  /** Stop of the position it opens; null when it adds or closes. */
  stopLoss: number | null;
  targets: BookTarget[] | null;
  /** Margin and fee to set aside while it rests. */
  reserved: number;
}

const signOf = (side: 'LONG' | 'SHORT'): 1 | -1 => (side === 'LONG' ? 1 : -1);
const rejectedOf = (field: string, message: string, fix: string): RejectedOrder => ({ field, message, fix });
const DAY_MS = 86_400_000;

function entryOf({ side, type }: OrderBody, price: number | null, quote: OrderFacts['quote'], tick: number): number {
  if (type === 'market' || price === null) return marketFill(side, quote, tick);
  return type === 'limit' ? price : stopEntryFill(side, price, tick);
}

/** Why the price of a resting order does not rest. */
function rejectPrice({ side, type }: OrderBody, price: number | null, last: number): RejectedOrder | null {
  if (price === null) return null;
  if (!(price > 0)) return rejectedOf('price', 'The price rounds to 0.', 'Set a higher price.');
  const sign = signOf(side);
  const isBelow = sign * price < sign * last;
  const [act, wanted] = [
    side === 'LONG' ? 'buy' : 'sell',
    (side === 'LONG') === (type === 'limit') ? 'below' : 'above',
  ];
  if (isBelow === (type === 'limit')) return null;
  const message = `A ${type} order to ${act} at ${price} would fill at once: the price is ${last}.`;
  return rejectedOf('price', message, `Set it ${wanted} ${last}, or choose market.`);
}

function rejectTimes({ type, expires_at: at }: OrderBody, { restingCount, nowMs }: OrderFacts): RejectedOrder | null {
  if (type === 'market') return null;
  if (restingCount >= RESTING_MAX)
    return rejectedOf('type', `${RESTING_MAX} orders rest already.`, 'Cancel one, or choose market.');
  if (at === undefined || at === null) return null;
  const leftMs = Date.parse(at) - nowMs;
  if (leftMs < 60_000) return rejectedOf('expires_at', 'The order would expire within a minute.', 'Set a later time.');
  if (leftMs > EXPIRY_DAYS_MAX * DAY_MS)
    return rejectedOf('expires_at', `Orders rest at most ${EXPIRY_DAYS_MAX} days.`, 'Set an earlier time.');
  return null;
}

/** The field of the size that was given. */
const sizeField = (body: OrderBody): string => sizeNames.find((name) => body[name] !== undefined) ?? 'quantity';

const fixes: Partial<Record<SkipDetail, [field: string | null, fix: string]>> = {
  quantity: [null, 'Set a larger size.'],
  min_notional: [null, 'Set a larger size.'],
  min_above_risk: [null, 'Set a nearer stop, or a size of your own.'],
  margin_full: [null, 'Set a smaller size, raise the leverage, or close a position.'],
  no_levels: ['stop_loss', 'Give a stop and a target, or set percents under Account, Trading.'],
  level_passed: ['stop_loss', 'Set the stop and the target on their sides of the entry.'],
  liquidation_before_stop: ['leverage', 'Lower the leverage, or set a nearer stop.'],
  max_concurrent: ['symbol', 'Close a position, or raise the limit under Account, Trading.'],
  not_traded: ['symbol', 'Choose another symbol.'],
  too_large: [null, 'Set a smaller size.'],
  largest_order: [null, 'Set a smaller size.'],
};

/** The limit in the unit of the field that was given. */
const largestFix = (body: OrderBody, limit: number): string =>
  sizeField(body) === 'quantity'
    ? `Set at most ${limit}.`
    : `At most ${limit} coins fit into one order. Set a smaller size.`;

/** @param fitting base units that the free equity covers; 0: unknown or none */
function rejectSkip({ reason, detail, numbers }: Skip, body: OrderBody, fitting = 0): RejectedOrder {
  const [field, fix] = (detail === null ? undefined : fixes[detail]) ?? ['symbol', 'Change the order.'];
  const most = detail === 'margin_full' && fitting > 0 ? `At most ${fitting} fits. ` : '';
  const largest = detail === 'largest_order' ? numbers?.limit : undefined;
  const change = largest === undefined ? `${most}${fix}` : largestFix(body, largest);
  return rejectedOf(field ?? sizeField(body), skipMessage(reason, detail, numbers), change);
}

/** Notes on what was rounded or capped. */
class Notes {
  readonly texts: string[] = [];

  rounded(what: string, given: number | undefined, used: number, unit: string): void {
    if (given !== undefined && given !== used) this.texts.push(`${what} ${given} is ${used} on the ${unit}.`);
  }
}

/** Decides what an order would do. Pure: reads and writes nothing. @param kernel an engine whose memory no other call uses meanwhile */
export function draftOrder(kernel: Engine, body: OrderBody, facts: OrderFacts): OrderDraft {
  const { market, quote } = facts;
  const rules = marketRules(market);
  const notes = new Notes();
  const price = roundOrderPrice({ side: body.side, type: body.type, price: body.price ?? null }, rules.tickSize);
  notes.rounded('Price', body.price, price ?? Number.NaN, `tick of ${rules.tickSize}`);
  const entry = entryOf(body, price, quote, rules.tickSize);
  const role = body.type === 'limit' ? 'maker' : 'taker';
  const fees = venueFees[facts.exchange];
  const feeFraction = role === 'maker' ? fees.makerFeeFraction : fees.takerFeeFraction;
  const wantedSide = body.reduce_only === (body.side === 'LONG') ? 'SHORT' : 'LONG';
  const position = facts.positions.find(({ side }) => side === wantedSide);
  const context: Context = { kernel, body, facts, rules, notes, price, entry, role, feeFraction, position };
  const early =
    (market?.status === 'trading'
      ? null
      : rejectSkip({ reason: 'NO_MATCH', detail: 'not_traded', numbers: null }, body)) ??
    rejectPrice(body, price, quote.last) ??
    rejectTimes(body, facts);
  if (body.reduce_only) return draftClose(context, early);
  return position === undefined ? draftOpen(context, early) : draftAdd(context, position, early);
}

interface Context {
  kernel: Engine;
  body: OrderBody;
  facts: OrderFacts;
  rules: ReturnType<typeof marketRules>;
  notes: Notes;
  price: number | null;
  entry: number;
  role: 'maker' | 'taker';
  feeFraction: number;
  /** The position it adds to or closes. */
  position: PositionWire | undefined;
}

/** Fields that do not depend on the action. */
function previewBase({ body, facts, entry, role, notes }: Context, free: number) {
  const { symbol, side, type } = body;
  const { quote, funding } = facts;
  return {
    symbol,
    side,
    type,
    last_price: quote.last,
    price_at: new Date(quote.atMs).toISOString(),
    entry: entry > 0 ? entry : null,
    role,
    funding_rate: funding?.rate ?? null,
    next_funding_at: funding === null ? null : new Date(funding.nextFundingAtMs).toISOString(),
    equity_free: free,
    notes: notes.texts,
  };
}

const nothing = {
  quantity: 0,
  notional: 0,
  margin: 0,
  fee_in: 0,
  fee_out_at_stop: null,
  stop_loss: null,
  loss_at_stop: null,
  loss_at_stop_pct: null,
  targets: [],
  gain_at_targets: null,
  liquidation: null,
  liquidation_distance_pct: null,
  average_entry: null,
  position_quantity: 0,
  funding_next: null,
  realised: null,
  costs_so_far: null,
};

const freeOf = ({ preferences, funds }: OrderFacts): number => sizingAccount(preferences, funds).freeUsdt;

/** A closing order: never more than is open, nothing is reserved. */
function draftClose(context: Context, early: RejectedOrder | null): OrderDraft {
  const { body, facts, rules, notes, entry, feeFraction, position, price } = context;
  const free = freeOf(facts);
  const none = { price, stopLoss: null, targets: null, reserved: 0 };
  const base = { ...previewBase(context, free), ...nothing, equity_left: free, leverage: position?.leverage ?? 1 };
  if (position === undefined) {
    const other = body.side === 'LONG' ? 'SHORT' : 'LONG';
    const why = rejectedOf('reduce_only', `No ${other} of ${body.symbol} is open.`, 'Turn reduce-only off.');
    return { ...none, preview: { ...base, action: 'close', rejected: early ?? why } };
  }
  const wanted = body.quantity ?? (body.notional === undefined ? position.qty : body.notional / entry);
  const part: Part | null = partOf({ open: position.qty, wanted, price: entry, ...rules });
  if (part === null) {
    const least = Math.max(rules.stepSize, QUANTITY_STEP_MIN);
    const why = rejectedOf(sizeField(body), `${wanted} is below the step of ${least}.`, `Close at least ${least}.`);
    return { ...none, preview: { ...base, action: 'reduce', rejected: early ?? why } };
  }
  if (part.note === 'rest_too_small') notes.texts.push('The rest would be below the least order: all of it is closed.');
  else notes.rounded('Quantity', wanted, part.quantity, 'step, and what is open');
  const { quantity, left } = part;
  const share = quantity / position.qty;
  const { id, side, entry_price: entryPrice } = position;
  const costs = shareOfCosts(facts.openCosts.get(id) ?? position, quantity, position.qty);
  const fee = exitFee(quantity, entry, feeFraction);
  const gross = openFigures({ side, entryPrice, qty: quantity, fees: 0, funding: 0 }, entry).worth;
  const preview: OrderPreviewWire = {
    ...base,
    action: part.isWhole ? 'close' : 'reduce',
    rejected: early,
    quantity,
    notional: quantity * entry,
    fee_in: fee,
    average_entry: part.isWhole ? null : entryPrice,
    position_quantity: left,
    equity_left: free + position.margin * share + gross - fee,
    realised: partNet({ side, entryPrice }, { quantity, costs }, entry, feeFraction),
    costs_so_far: costs,
  };
  return { ...none, preview };
}

/** Leverage of the order: of the position it adds to, or what was requested, capped by the symbol. */
function leverageOf({ body, facts, rules, notes, position }: Context): number {
  if (position !== undefined) return position.leverage;
  const wanted = body.leverage ?? facts.preferences.leverage;
  const used = Math.max(1, Math.min(wanted, Math.floor(rules.maxLeverage ?? wanted)));
  if (used < wanted) notes.texts.push(`Leverage ${wanted}x is ${used}x: ${body.symbol} allows no more.`);
  return used;
}

/** The size in base units on the step; null: by the settings of the account. */
function quantityOf(
  { body, facts, rules, entry, notes, feeFraction }: Context,
  leverage: number,
  stop: number | null,
): number | null {
  const account = sizingAccount(facts.preferences, facts.funds);
  const equity = account.balanceUsdt + facts.funds.realisedUsdt;
  const { quantity, notional, equity_fraction: share, risk_fraction: risk } = body;
  let wanted = quantity ?? null;
  if (notional !== undefined) wanted = notional / entry;
  else if (share !== undefined) wanted = (share * equity * leverage) / entry;
  else if (risk !== undefined && stop !== null) {
    const costs = { ...SIZING_COSTS, entryFeeFraction: feeFraction };
    const perUnit = lossAtStop({ side: body.side, entryPrice: entry, stopPrice: stop, quantity: 1 }, costs);
    wanted = (risk * account.balanceUsdt) / perUnit;
  }
  if (wanted === null || !(wanted > 0)) return wanted;
  const used = roundDown(wanted, Math.max(rules.stepSize, QUANTITY_STEP_MIN));
  notes.rounded('Quantity', quantity, used, `step of ${rules.stepSize}`);
  return used;
}

/** Limits of the exchange for a position of this size. */
function rejectTiers({ body, facts: { contract } }: Context, leverage: number, notional: number): RejectedOrder | null {
  if (contract === null || contract.tiers === null) return null;
  const allowed = leverageAllowed({ leverageMax: contract.leverageMax, tiers: contract.tiers }, notional);
  if (allowed >= leverage) return null;
  const size = Math.round(notional);
  if (allowed < 1)
    return rejectedOf(sizeField(body), `${body.symbol} has no tier for ${size} USDT.`, 'Set a smaller size.');
  return rejectedOf(
    'leverage',
    `A position of ${size} USDT has at most ${allowed}x.`,
    `Set ${allowed}x, or a smaller size.`,
  );
}

function rejectSmall({ body, entry, rules }: Context, quantity: number): RejectedOrder | null {
  const step = Math.max(rules.stepSize, QUANTITY_STEP_MIN);
  if (!(quantity > 0))
    return rejectedOf(sizeField(body), `The size is below the step of ${step}.`, `Set at least ${step}.`);
  if (quantity * entry >= rules.minNotional) return null;
  const least = roundUp(rules.minNotional / entry, step);
  const message = `${quantity} is worth less than the least order of ${rules.minNotional} USDT.`;
  const field = sizeField(body);
  const fix = field === 'quantity' ? `Set at least ${least}.` : `Set a larger size: at least ${least} coins.`;
  return rejectedOf(field, message, fix);
}

/** An order of the exchange is never split: an entry above the largest is rejected with that size. */
function rejectLargest({ body, rules }: Context, quantity: number): RejectedOrder | null {
  const { maxQuantity: most } = rules;
  if (!(most > 0) || quantity <= most) return null;
  const numbers = { value: quantity, limit: most };
  return rejectSkip({ reason: 'ZERO_QTY', detail: 'largest_order', numbers }, body);
}

/** Stop and targets on their ticks, as given or by the percents of the settings; null: neither. */
function levelsOf({ body, facts, rules, entry, notes }: Context): {
  stop: number | null;
  targets: BookTarget[] | null;
} {
  const { stop_loss_pct: stopPct, take_profit_pct: targetPct } = facts.preferences;
  const { side } = body;
  const sign = signOf(side);
  const stopAt = body.stop_loss ?? (stopPct > 0 ? entry * (1 - (sign * stopPct) / 100) : null);
  const own = targetPct > 0 ? [{ price: entry * (1 + (sign * targetPct) / 100), fraction: 1 }] : null;
  const given = body.take_profits ?? own;
  const stop = stopAt === null ? null : roundStop(side, stopAt, rules.tickSize);
  const targets = given?.map((each) => ({ ...each, price: roundTarget(side, each.price, rules.tickSize) })) ?? null;
  if (stop !== null) notes.rounded('Stop', body.stop_loss, stop, `tick of ${rules.tickSize}`);
  targets?.forEach(({ price }, i) =>
    notes.rounded(`Target ${i + 1}`, body.take_profits?.[i]?.price, price, `tick of ${rules.tickSize}`),
  );
  return { stop, targets };
}

function rejectLevels(
  { body, entry }: Context,
  stop: number | null,
  targets: BookTarget[] | null,
): RejectedOrder | null {
  const sign = signOf(body.side);
  const [below, above] = body.side === 'LONG' ? ['below', 'above'] : ['above', 'below'];
  if (stop === null) return rejectedOf('stop_loss', 'A stop is missing.', `Set one ${below} ${entry}.`);
  if (targets === null) return rejectedOf('take_profits', 'A target is missing.', `Set one ${above} ${entry}.`);
  if (!(stop > 0) || sign * stop >= sign * entry)
    return rejectedOf(
      'stop_loss',
      `The stop at ${stop} is not ${below} the entry at ${entry}.`,
      `Set it ${below} ${entry}.`,
    );
  const why = rejectTargets({ side: body.side, price: entry }, targets);
  return why === null ? null : rejectedOf('take_profits', why, `Set each ${above} the one before it.`);
}

/** What each target closes and gains, its part of the entry fee included. */
function targetFigures(
  { body, entry, rules }: Context,
  targets: readonly BookTarget[],
  terms: { quantity: number; entryFee: number; loss: number },
) {
  const { quantity, entryFee, loss } = terms;
  const { takerFeeFraction } = SIZING_COSTS;
  const opened = { side: body.side, entryPrice: entry, quantity, entryFee, takerFeeFraction };
  return targetParts(targets, opened, rules).map((part): OrderPreviewWire['targets'][number] => {
    const fraction = part.quantity / quantity;
    return { ...part, fraction, r: loss > 0 ? part.gain / (loss * fraction) : null };
  });
}

/** The opening by hand that an order stands for. */
function openingOf(
  { body, feeFraction }: Context,
  {
    leverage,
    stop,
    targets,
    quantity,
  }: { leverage: number; stop: number | null; targets: BookTarget[] | null; quantity: number | null },
): OpeningRequest {
  return {
    source: 'manual',
    symbol: body.symbol,
    interval: body.interval,
    direction: body.side,
    confidence: 0,
    signalPrice: null,
    levels: { stopLoss: stop, takeProfit: targets?.[0]?.price ?? null },
    levelsOf: 'owner',
    riskMultiplier: 1,
    sizing: quantity === null ? { by: 'settings' } : { by: 'quantity', quantity },
    leverage,
    isExact: true,
    entryFeeFraction: feeFraction,
  };
}

/** The first rule that an opening order fails. */
function rejectOpening(
  context: Context,
  {
    leverage,
    stop,
    targets,
    quantity,
    skip,
    draft,
  }: Decision & { leverage: number; stop: number | null; targets: BookTarget[] | null; quantity: number | null },
): RejectedOrder | null {
  const { plan, isReduced } = draft;
  return (
    rejectLevels(context, stop, targets) ??
    (quantity === null ? null : rejectSmall(context, quantity)) ??
    (plan === null ? null : rejectTiers(context, leverage, plan.notional)) ??
    (skip === null ? null : rejectSkip(skip, context.body, isReduced ? draft.quantity : 0))
  );
}

/** An order that opens a position: by the rules of an opening by hand. */
function draftOpen(context: Context, early: RejectedOrder | null): OrderDraft {
  const { kernel, facts, entry, price } = context;
  const leverage = leverageOf(context);
  const { stop, targets } = levelsOf(context);
  const free = freeOf(facts);
  const quantity = quantityOf(context, leverage, stop);
  const request = openingOf(context, { leverage, stop, targets, quantity });
  const quote = { ...facts.quote, last: entry };
  const { skip, draft } = decide(kernel, request, { ...facts, quote, isOpen: false, guards: [] });
  const { plan } = draft;
  const rejected = early ?? rejectOpening(context, { leverage, stop, targets, quantity, skip, draft });
  const base = { ...previewBase(context, free), ...nothing, leverage, action: 'open' as const, rejected };
  if (plan === null || targets === null) {
    const preview = { ...base, stop_loss: stop, equity_left: free, quantity: quantity ?? 0 };
    return { price, stopLoss: stop, targets, reserved: 0, preview };
  }
  const figures = targetFigures(context, targets, {
    quantity: plan.quantity,
    entryFee: plan.entryFee,
    loss: plan.lossAtStop,
  });
  const reserved = plan.margin + plan.entryFee;
  const preview: OrderPreviewWire = {
    ...base,
    quantity: plan.quantity,
    notional: plan.notional,
    margin: plan.margin,
    fee_in: plan.entryFee,
    fee_out_at_stop: exitFee(plan.quantity, plan.stopPrice, SIZING_COSTS.takerFeeFraction),
    stop_loss: plan.stopPrice > 0 ? plan.stopPrice : null,
    loss_at_stop: plan.lossAtStop,
    loss_at_stop_pct: (plan.lossAtStop / facts.preferences.balance_usdt) * 100,
    targets: figures,
    gain_at_targets: figures.reduce((sum, { gain }) => sum + gain, 0),
    liquidation: plan.liquidationPrice,
    liquidation_distance_pct: distancePct(plan.liquidationPrice, entry),
    average_entry: plan.entryPrice,
    position_quantity: plan.quantity,
    funding_next: fundingNext(context, plan.notional),
    equity_left: free - reserved,
  };
  return { price, stopLoss: stop, targets, reserved, preview };
}

const distancePct = (liquidation: number | null, entry: number): number | null =>
  liquidation === null ? null : (Math.abs(entry - liquidation) / entry) * 100;

const fundingNext = ({ body, facts: { funding } }: Context, notional: number): number | null =>
  funding === null ? null : signOf(body.side) * funding.rate * notional;

/** Levels and leverage are those of the position. */
function rejectAdding({ body, entry }: Context, position: PositionWire): RejectedOrder | null {
  const own = 'It stays that of the position. Change it there.';
  const field = (['stop_loss', 'take_profits', 'trailing'] as const).find((name) => body[name] !== undefined);
  if (field !== undefined)
    return rejectedOf(field, `The order adds to an open ${position.side}.`, `Leave it out: ${own}`);
  if (body.leverage !== undefined && body.leverage !== position.leverage)
    return rejectedOf('leverage', `The open ${position.side} has ${position.leverage}x.`, `Set ${position.leverage}x.`);
  if (sizeNames.every((name) => body[name] === undefined))
    return rejectedOf('quantity', 'A size is missing.', 'Set how much to add.');
  const sign = signOf(position.side);
  const { stop_loss: stop } = position;
  if (sign * entry > sign * stop) return null;
  return rejectedOf(
    'price',
    `The entry at ${entry} is beyond the stop at ${stop}.`,
    'Move the stop first, or set another price.',
  );
}

/** An order that adds to an open position: average entry, and a new liquidation price by the engine. */
function draftAdd(context: Context, position: PositionWire, early: RejectedOrder | null): OrderDraft {
  const { kernel, body, facts, entry, rules, feeFraction, price } = context;
  const { leverage, stop_loss: stop } = position;
  const free = freeOf(facts);
  const quantity = quantityOf(context, leverage, stop) ?? 0;
  const base = { ...previewBase(context, free), ...nothing, leverage, action: 'add' as const };
  const none = { price, stopLoss: null, targets: null };
  const wrong =
    early ?? rejectAdding(context, position) ?? rejectSmall(context, quantity) ?? rejectLargest(context, quantity);
  if (!(quantity > 0)) {
    const preview = { ...base, rejected: wrong, equity_left: free, position_quantity: position.qty };
    return { ...none, reserved: 0, preview };
  }
  const plan = planAddition(kernel, position, { price: entry, quantity, feeFraction, tickSize: rules.tickSize });
  const reserved = plan.margin + plan.entryFee;
  const full = {
    reason: 'ZERO_QTY',
    detail: 'margin_full',
    numbers: { value: Math.max(0, free), limit: reserved },
  } as const;
  const before = { value: plan.liquidationPrice ?? Number.NaN, limit: stop };
  const early2 = { reason: 'NO_MATCH', detail: 'liquidation_before_stop', numbers: before } as const;
  const rejected =
    wrong ??
    (reserved > free * (1 + 1e-9) ? rejectSkip(full, body) : null) ??
    (plan.isStopNearer
      ? null
      : rejectedOf(
          sizeField(body),
          skipMessage(early2.reason, early2.detail, before),
          'Set a smaller size, or a nearer stop.',
        )) ??
    rejectTiers(context, leverage, plan.quantity * plan.averagePrice);
  const ahead = position.take_profits ?? [{ price: position.take_profit, fraction: 1 }];
  const whole = { ...context, entry: plan.averagePrice };
  const fees = position.fees + plan.entryFee - position.realised_pnl + position.funding;
  const figures = targetFigures(whole, ahead, { quantity: plan.quantity, entryFee: fees, loss: plan.lossAtStop });
  const { takerFeeFraction } = SIZING_COSTS;
  const preview: OrderPreviewWire = {
    ...base,
    rejected,
    quantity,
    notional: quantity * entry,
    margin: plan.margin,
    fee_in: plan.entryFee,
    fee_out_at_stop: exitFee(plan.quantity, stop, takerFeeFraction),
    stop_loss: stop,
    loss_at_stop: plan.lossAtStop,
    loss_at_stop_pct: (plan.lossAtStop / facts.preferences.balance_usdt) * 100,
    targets: figures,
    gain_at_targets: figures.reduce((sum, { gain }) => sum + gain, 0),
    liquidation: plan.liquidationPrice,
    liquidation_distance_pct: distancePct(plan.liquidationPrice, plan.averagePrice),
    average_entry: plan.averagePrice,
    position_quantity: plan.quantity,
    funding_next: fundingNext(context, quantity * entry),
    equity_left: free - reserved,
  };
  return { ...none, reserved, preview };
}
