import { DAY_MS, HOUR_MS, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { roundDown, roundUp } from '@sextant/workers/src/positions/sizing.ts';
import type { IntervalName, OrderBody, OrderPreview } from '../../../api/types.ts';
import type { TrailingView } from '../../../api/positionView.ts';
import type { TicketRequest } from '../../../state/ticket.ts';
import { sharesProblem, type TargetDraft, targetsBody } from '../../shared/targets/targetDraft.ts';
import { trailingBody } from '../../shared/trailing/trailing.ts';

export const orderTypes = ['market', 'limit', 'stop'] as const;
export type OrderType = (typeof orderTypes)[number];

/** The fields by which a size can be typed; the others follow from it. */
export const sizeNames = ['notional', 'quantity', 'equity_fraction', 'risk_fraction'] as const;
export type SizeName = (typeof sizeNames)[number];

/** How long an order rests from when it is sent, ms; null: until it is cancelled. */
export const expiries = { never: null, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export type Expiry = keyof typeof expiries;

/** @returns epoch ms; null: it does not expire */
export function expiresAtMs(expiry: Expiry, nowMs: number): number | null {
  const durationMs = expiries[expiry];
  return durationMs === null ? null : nowMs + durationMs;
}

export const expiryNames: Record<Expiry, string> = {
  never: 'Until cancelled',
  hour: '1 hour',
  day: '1 day',
  week: '7 days',
  month: '30 days',
};

/** An order as it is typed. What is null follows the settings of the account. */
export interface TicketDraft {
  symbol: string;
  side: 'LONG' | 'SHORT';
  type: OrderType;
  /** Null: the market price, or one beside it until it is typed. */
  price: number | null;
  size: { by: SizeName; value: number } | null;
  leverage: number | null;
  stopLoss: number | null;
  /** Nearest first; null: one at the target of the settings. */
  targets: TargetDraft[] | null;
  /** 'settings', 'off', or its own. */
  trailing: TrailingView | 'settings' | 'off';
  /** Expiry of a resting order. */
  expiry: Expiry;
  isReduceOnly: boolean;
  interval: IntervalName;
  /** The scan whose signal it follows; null: none, or the other side was chosen. */
  scanId: string | null;
}

const readInterval = (text: string | undefined): IntervalName => intervals.find((name) => name === text) ?? '1h';

export function draftOf(request: TicketRequest): TicketDraft {
  const { symbol, side, type, price, notional, quantity, leverage, stopLoss, target, interval, isReduceOnly } = request;
  const size =
    notional !== undefined
      ? ({ by: 'notional', value: notional } as const)
      : quantity !== undefined
        ? ({ by: 'quantity', value: quantity } as const)
        : null;
  return {
    symbol,
    side,
    type: type ?? (price === undefined ? 'market' : 'limit'),
    price: price ?? null,
    size,
    leverage: leverage ?? null,
    stopLoss: stopLoss ?? null,
    targets: target === undefined ? null : [{ price: target, sharePct: 100 }],
    trailing: 'settings',
    expiry: 'never',
    isReduceOnly: isReduceOnly === true,
    interval: readInterval(interval),
    scanId: request.scanId ?? null,
  };
}

/** Whether a request only names market and side, so that a draft of this market may stay. */
export const isBare = (request: TicketRequest): boolean => Object.keys(request).length === 2;

/** The draft for the other side: levels of one side are on the wrong side of the other. */
export function withSide(draft: TicketDraft, side: TicketDraft['side']): TicketDraft {
  if (side === draft.side) return draft;
  return {
    ...draft,
    side,
    stopLoss: null,
    targets: null,
    scanId: null,
    price: draft.type === 'market' ? draft.price : null,
  };
}

/** Where a resting order starts until its price is typed: on the side of the market where it rests. */
const BESIDE_FRACTION = 0.005;

/** @param last last price; null while unknown @returns null for a market order, and while no price is known */
export function orderPrice({ type, price, side }: TicketDraft, last: number | null, tickSize: number): number | null {
  if (type === 'market') return null;
  if (price !== null || last === null) return price;
  const isBelow = (side === 'LONG') === (type === 'limit');
  return isBelow ? roundDown(last * (1 - BESIDE_FRACTION), tickSize) : roundUp(last * (1 + BESIDE_FRACTION), tickSize);
}

function trailingOf(trailing: TicketDraft['trailing']): Pick<OrderBody, 'trailing'> {
  if (trailing === 'settings') return {};
  return { trailing: trailingBody(trailing === 'off' ? null : trailing) };
}

function levelsOf({ isReduceOnly, stopLoss, targets, trailing, side, leverage }: TicketDraft): Partial<OrderBody> {
  const body: Partial<OrderBody> = {};
  if (leverage !== null) body.leverage = leverage;
  if (isReduceOnly) return body;
  if (stopLoss !== null) body.stop_loss = stopLoss;
  if (targets !== null) body.take_profits = targetsBody(targets, side);
  return Object.assign(body, trailingOf(trailing));
}

const isShare = (name: SizeName): boolean => name === 'equity_fraction' || name === 'risk_fraction';

function sizeOf({ size, isReduceOnly }: TicketDraft): Partial<Pick<OrderBody, SizeName>> {
  if (size === null || (isReduceOnly && isShare(size.by))) return {};
  return { [size.by]: isShare(size.by) ? size.value / 100 : size.value };
}

/**
 * The body of a draft; null while its price is not known, or its shares cannot be sent.
 * @param price from `orderPrice`
 * @param expiresAtMs when it expires, once it is sent: the figures do not depend on it
 */
export function bodyOf(draft: TicketDraft, price: number | null, expiresAtMs: number | null = null): OrderBody | null {
  const { symbol, side, type, interval, isReduceOnly, targets } = draft;
  if (type !== 'market' && price === null) return null;
  if (!isReduceOnly && targets !== null && sharesProblem(targets) !== null) return null;
  const body: OrderBody = { symbol, side, type, interval, reduce_only: isReduceOnly };
  if (draft.scanId !== null && !isReduceOnly) body.scan_id = draft.scanId;
  if (price !== null) body.price = price;
  if (type !== 'market' && expiresAtMs !== null) body.expires_at = new Date(expiresAtMs).toISOString();
  return Object.assign(body, sizeOf(draft), levelsOf(draft));
}

/** The sizes to show: as typed in the field that leads, as the server computed them in the others. Percent for shares; null: unknown. */
export function shownSizes(
  { size }: TicketDraft,
  preview: OrderPreview | undefined,
  equity: number | null,
): Record<SizeName, number | null> {
  const isSized = preview !== undefined && preview.quantity > 0;
  const shown: Record<SizeName, number | null> = {
    notional: isSized ? preview.notional : null,
    quantity: isSized ? preview.quantity : null,
    equity_fraction: isSized && equity !== null && equity > 0 ? (preview.margin / equity) * 100 : null,
    risk_fraction: isSized ? preview.loss_at_stop_pct : null,
  };
  if (size !== null) shown[size.by] = size.value;
  return shown;
}

/** The field of the form that a field of the request belongs to. */
export function formField(
  name: string,
): 'size' | 'price' | 'leverage' | 'stop' | 'targets' | 'trailing' | 'expiry' | 'reduce' | 'other' {
  const [head = ''] = name.split('.');
  if ((sizeNames as readonly string[]).includes(head)) return 'size';
  const fields: Partial<Record<string, ReturnType<typeof formField>>> = {
    price: 'price',
    expected_price: 'other',
    leverage: 'leverage',
    stop_loss: 'stop',
    take_profits: 'targets',
    take_profit: 'targets',
    trailing: 'trailing',
    expires_at: 'expiry',
    reduce_only: 'reduce',
  };
  return fields[head] ?? 'other';
}

/** What the order is, in words, for messages: `buy limit of 0.01 BTCUSDT`. */
export function orderName(
  { side, type, symbol }: Pick<TicketDraft, 'side' | 'type' | 'symbol'>,
  quantityText?: string,
): string {
  const what = type === 'market' ? 'market order' : type;
  const size = quantityText === undefined ? 'for' : `for ${quantityText}`;
  return `${side === 'LONG' ? 'buy' : 'sell'} ${what} ${size} ${symbol}`;
}
