import type { OrderBody } from '../../../api/types.ts';
import { createStore } from '../../../state/store.ts';
import { readSavedInTab, saveInTab } from '../../../state/storage.ts';
import { nameTicket, type TicketRequest } from '../../../state/ticket.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draftOf, expiries, isBare, type TicketDraft, withSide } from './draft.ts';
import { newRequestKey } from '../../../api/requestKey.ts';

interface TicketState {
  draft: TicketDraft | null;
  /** Of this order as it is typed: a repeated press, or one after a lost response, is the same order. */
  key: string;
  /** The order as it was first sent with this key; null: not sent yet, or rejected. */
  sent: OrderBody | null;
}

const STORAGE_KEY = 'ticket';

function readStored(): TicketState {
  try {
    const stored = JSON.parse(readSavedInTab(STORAGE_KEY) ?? 'null') as TicketState | null;
    if (stored !== null && 'sent' in stored && (stored.draft === null || stored.draft.expiry in expiries))
      return stored;
  } catch {
    // Written by another version, as one without the fields of this: the ticket starts empty.
  }
  return { draft: null, key: newRequestKey(), sent: null };
}

/** The order that is typed and not placed yet. It survives a reload and a lost connection. */
export const ticketState = createStore<TicketState>(readStored());

function store(part: Partial<TicketState>): void {
  ticketState.set(part);
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
}

function setDraft(draft: TicketDraft | null): void {
  store({ draft, key: newRequestKey(), sent: null });
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

/** The order was rejected: the next press sends it as it is then. */
export const forgetSent = (): void => store({ sent: null });

/**
 * The order as it was first sent: the server takes a repetition, also after a reload, only with the same key and content.
 * @param build the order to send the first time, with its expiry, epoch ms; null: it has none
 * @returns null: there is none to send
 */
export function bodyToSend(nowMs: number, build: (expiresAtMs: number | null) => OrderBody | null): OrderBody | null {
  const { draft, sent } = ticketState.current;
  if (draft === null || sent !== null) return sent;
  const restMs = draft.type === 'market' ? null : expiries[draft.expiry];
  const body = build(restMs === null ? null : nowMs + restMs);
  store({ sent: body });
  return body;
}

export const forgetDraft = (): void => setDraft(null);

onUserReset(forgetDraft);
