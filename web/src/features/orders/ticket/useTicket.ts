import { useEffect, useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import type { Order, OrderBody, OrderPreview } from '../../../api/types.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { useOrderPreview, usePlaceOrder } from '../../../data/orders.ts';
import { useOwnPrices } from '../../../data/ownPrices.ts';
import { useSymbols } from '../../../data/symbols.ts';
import { formatPrice, formatQuantity, tickDecimals } from '../../../format/number.ts';
import { useStore } from '../../../state/store.ts';
import { closeTicket } from '../../../state/ticket.ts';
import { toast } from '../../../state/toasts.ts';
import { sharesProblem } from '../../shared/targets/targetDraft.ts';
import { bodyOf, formField, orderName, orderPrice, type TicketDraft } from './draft.ts';
import { followUp, isMoved, isSilent } from './sending.ts';
import { bodyToSend, forgetDraft, renewKey, settleSent, ticketState } from './ticketState.ts';

/** A pause in typing after which the figures are requested. */
const TYPING_MS = 180;

/** The value once it has not changed for a moment; the first at once. */
function useSettled<T>(value: T, key: string): T {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), TYPING_MS);
    return () => clearTimeout(timer);
    // The key says whether the value changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return settled.value;
}

type Field = ReturnType<typeof formField>;
export type Problems = Partial<Record<Field, string>>;

function rejectionText({ message, fix }: NonNullable<OrderPreview['rejected']>): string {
  return fix === '' ? message : `${message} ${fix}`;
}

const note = (problems: Problems, name: string, text: string): Problems => ({ ...problems, [formField(name)]: text });

interface Reported {
  draft: TicketDraft;
  /** Preview of the order as typed. */
  preview: OrderPreview | undefined;
  failure: Error | null;
  placing: Error | null;
}

/** Why the order cannot be placed, by field: what this page sees, then the preview, then the last attempt. */
function problemsOf({ draft, preview, failure, placing }: Reported): Problems {
  let problems: Problems = {};
  for (const thrown of [placing, failure]) {
    if (thrown === null || isMoved(thrown)) continue;
    const name = thrown instanceof ApiFailure ? (thrown.field ?? '') : '';
    problems = note(problems, name, messageOf(thrown, 'Could not compute the order.'));
  }
  if (preview?.rejected != null) problems = note(problems, preview.rejected.field, rejectionText(preview.rejected));
  const shares = draft.targets === null || draft.isReduceOnly ? null : sharesProblem(draft.targets);
  return shares === null ? problems : { ...problems, targets: shares };
}

function placedText(order: Order, decimals: number | undefined): string {
  const size = `${formatQuantity(order.quantity)} ${order.symbol}`;
  const verb = order.side === 'LONG' ? 'Bought' : 'Sold';
  if (order.fill !== null) return `${verb} ${size} at ${formatPrice(order.fill.price, decimals)}`;
  const what = `${order.side === 'LONG' ? 'Buy' : 'Sell'} ${order.type} for ${size}`;
  return `${what} rests at ${formatPrice(order.price, decimals)}`;
}

export interface Contract {
  tickSize: number;
  stepSize: number;
  decimals: number | undefined;
  base: string;
  leverageMax: number | null;
  /** Least notional of an order, USDT. */
  notionalMin: number | null;
}

function useContract(symbol: string): Contract {
  const found = useSymbols().data?.symbols.find((each) => each.symbol === symbol);
  return {
    tickSize: found?.tick_size ?? 0,
    stepSize: found?.step_size ?? 0,
    decimals: found === undefined ? undefined : tickDecimals(found.tick_size),
    base: found?.base ?? symbol.replace(/USDT$/, ''),
    leverageMax: found?.max_leverage ?? null,
    notionalMin: found?.min_notional ?? null,
  };
}

/** The last price of the stream, for the price of a resting order until the first preview arrives. */
function useLast(symbol: string): number | null {
  return useOwnPrices([symbol])?.prices.find((each) => each.symbol === symbol)?.price ?? null;
}

/** What the server would do with a draft. `isCurrent`: the figures are those of the draft as it is typed now. */
function useDraftPreview(draft: TicketDraft, contract: Contract) {
  const streamed = useLast(draft.symbol);
  // The start of a resting order's price does not follow the market while it is typed.
  const [start, setStart] = useState<{ symbol: string; price: number } | null>(null);
  if (streamed !== null && start?.symbol !== draft.symbol) setStart({ symbol: draft.symbol, price: streamed });
  const { sent } = useStore(ticketState);
  const typed = orderPrice(draft, start?.symbol === draft.symbol ? start.price : null, contract.tickSize);
  // An order that was sent is sent again at its own price.
  const price = sent?.body.price ?? typed;
  const body = bodyOf(draft, price);
  const text = JSON.stringify(body);
  const settled = useSettled<OrderBody | null>(body, text);
  const isSettled = JSON.stringify(settled) === text;
  const response = useOrderPreview(settled);
  const preview = response.data?.symbol === draft.symbol ? response.data : undefined;
  return {
    price,
    body,
    preview,
    isCurrent: isSettled && !response.isPlaceholderData && preview !== undefined,
    failure: isSettled ? response.error : null,
    refetch: response.refetch,
  };
}

interface Sendable {
  draft: TicketDraft;
  /** Of `orderPrice`. */
  price: number | null;
  preview: OrderPreview | undefined;
  decimals: number | undefined;
  /** Requests the figures again. */
  refetch: () => unknown;
}

/** Sends the order once: a repeated press, or one after a lost response, has the same key. */
function usePlacing({ draft, price, preview, decimals, refetch }: Sendable) {
  const { key, sent } = useStore(ticketState);
  /** The draft whose price moved, and the time of the price it was sent with: an edit is another order. */
  const [moved, setMoved] = useState<{ key: string; priceAt: string } | null>(null);
  const placing = usePlaceOrder();
  const send = () => {
    const isRepeated = ticketState.current.sent !== null;
    const body = bodyToSend(serverClock.now(), (expiresAtMs) => {
      const first = preview === undefined ? null : bodyOf(draft, price, expiresAtMs);
      return first === null || preview === undefined ? null : { ...first, expected_price: preview.last_price };
    });
    if (body === null) return;
    // Uses the promise: the ticket closes before the callbacks of the mutation would run.
    placing.mutateAsync({ body, key }).then(
      (order) => {
        toast(placedText(order, decimals), 'success');
        if (!settleSent(key)) return;
        forgetDraft();
        closeTicket();
      },
      (thrown: unknown) => {
        const next = followUp(key, thrown, isRepeated);
        if (next === 'again') send();
        if (next !== 'moved') return;
        setMoved({ key: renewKey(), priceAt: preview?.price_at ?? '' });
        void refetch();
      },
    );
  };
  const place = () => {
    if (!placing.isPending) send();
  };
  // What failed is about the order as it was sent.
  const failure = placing.variables?.key === key ? placing.error : null;
  const isMovedNow = moved?.key === key;
  return {
    place,
    failure,
    isPlacing: placing.isPending,
    /** Sent, and not known whether it was placed. */
    isUnsettled: sent !== null,
    isMoved: isMovedNow,
    /** The figures on screen are still those of the old price. */
    isOutdated: isMovedNow && preview?.price_at === moved.priceAt,
  };
}

/** Figures, problems and the placing of a draft. */
export function useTicket(draft: TicketDraft) {
  const contract = useContract(draft.symbol);
  const { price, body, preview, isCurrent, failure, refetch } = useDraftPreview(draft, contract);
  const {
    failure: placing,
    isOutdated,
    isUnsettled,
    ...sending
  } = usePlacing({ draft, price, preview, decimals: contract.decimals, refetch });
  const problems = problemsOf({
    draft,
    preview: isCurrent ? preview : undefined,
    failure,
    placing: placing !== null && isSilent(placing) ? null : placing,
  });
  return {
    ...sending,
    contract,
    price,
    preview,
    isCurrent,
    problems,
    unconfirmed:
      isUnsettled && !sending.isPlacing
        ? `Not confirmed: ${orderName(draft)}. Send it again: it is placed once.`
        : null,
    // The figures of an order that was placed count it already; sending it again only confirms it.
    isPossible:
      isUnsettled ||
      (body !== null && preview !== undefined && !isOutdated && !(isCurrent && preview.rejected !== null)),
  };
}

export type Ticket = ReturnType<typeof useTicket>;
