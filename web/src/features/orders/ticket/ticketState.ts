import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { OrderBody } from '../../../api/types.ts';
import { createStore } from '../../../state/store.ts';
import { readSavedInTab, saveInTab } from '../../../state/storage.ts';
import { nameTicket, type TicketRequest } from '../../../state/ticket.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draftOf, expiresAtMs, expiries, isBare, type TicketDraft, withSide } from './draft.ts';
import { newRequestKey } from '../../../api/requestKey.ts';

/** An order that was sent, and not known yet whether it was placed. */
interface Sent {
  key: string;
  /** First sent at, epoch ms. */
  atMs: number;
}

interface TicketState {
  draft: TicketDraft | null;
  /** Idempotency key of the order as typed: a repeated press, or one after a lost response, is the same order. */
  key: string;
  /** The order as it was first sent with this key; null: not sent yet, or rejected. */
  sent: { body: OrderBody; atMs: number } | null;
  /** Not confirmed, and not in the ticket any more. Oldest first. */
  left: readonly Sent[];
}

const STORAGE_KEY = 'ticket';

/** The server forgets a key after 24 hours: sent again after that, the order would be placed a second time. */
export const RESEND_MS = 20 * HOUR_MS;

function readStored(): TicketState {
  try {
    const stored = JSON.parse(readSavedInTab(STORAGE_KEY) ?? 'null') as TicketState | null;
    if (stored !== null && 'left' in stored && (stored.draft === null || stored.draft.expiry in expiries))
      return stored;
  } catch {
    // Written by another version, as one without the fields of this: the ticket starts empty.
  }
  return { draft: null, key: newRequestKey(), sent: null, left: [] };
}

/** The order that is typed and not placed yet. It survives a reload and a lost connection. */
export const ticketState = createStore<TicketState>(readStored());

function store(part: Partial<TicketState>): void {
  ticketState.set(part);
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
}

/** Another order: one that was sent and is not confirmed stays named. */
function setDraft(draft: TicketDraft | null): void {
  const { key, sent, left } = ticketState.current;
  store({
    draft,
    key: newRequestKey(),
    sent: null,
    left: sent === null ? left : [...left, { key, atMs: sent.atMs }],
  });
}

/** Leaves an order whose key the server may have forgotten: it is not sent again. */
export function leaveExpired(nowMs: number): void {
  const { draft, sent } = ticketState.current;
  if (sent !== null && nowMs - sent.atMs >= RESEND_MS) setDraft(draft);
}

/** Opens a request. One that names only market and side continues the draft of that market. */
export function startDraft(request: TicketRequest): void {
  const { draft } = ticketState.current;
  const isSame = draft !== null && draft.symbol === request.symbol && isBare(request) && !draft.isReduceOnly;
  if (!isSame) setDraft(draftOf(request));
  // The same draft keeps its key: it may have been sent before a reload.
  else if (draft.side !== request.side) setDraft(withSide(draft, request.side));
}

export function editDraft(change: Partial<TicketDraft>): void {
  const { draft } = ticketState.current;
  if (draft !== null) setDraft({ ...draft, ...change });
}

export function setSide(side: TicketDraft['side']): void {
  const { draft } = ticketState.current;
  if (draft === null) return;
  setDraft(withSide(draft, side));
  nameTicket({ side, symbol: draft.symbol });
}

/** Nothing was placed with this key: the next press is another order. */
export function renewKey(): string {
  const key = newRequestKey();
  store({ key, sent: null });
  return key;
}

export const dismissLeft = (key: string): void =>
  store({ left: ticketState.current.left.filter((each) => each.key !== key) });

/**
 * Whether the order was placed is known now: the next press sends the ticket as it is then.
 * @returns whether it is still the order in the ticket
 */
export function settleSent(key: string): boolean {
  dismissLeft(key);
  if (ticketState.current.key !== key) return false;
  store({ sent: null });
  return true;
}

/**
 * The order as it was first sent: the server takes a repetition, also after a reload, only with the same key and content.
 * @param build the order to send the first time, with its expiry, epoch ms; null: it has none
 * @returns null: there is none to send, or one that is too old to be sent again was left
 */
export function bodyToSend(nowMs: number, build: (expiresAtMs: number | null) => OrderBody | null): OrderBody | null {
  const { draft, sent } = ticketState.current;
  if (sent !== null) {
    leaveExpired(nowMs);
    return ticketState.current.sent?.body ?? null;
  }
  if (draft === null) return null;
  const body = build(draft.type === 'market' ? null : expiresAtMs(draft.expiry, nowMs));
  store({ sent: body === null ? null : { body, atMs: nowMs } });
  return body;
}

export const forgetDraft = (): void => setDraft(null);

onUserReset(() => {
  forgetDraft();
  store({ left: [] });
});
