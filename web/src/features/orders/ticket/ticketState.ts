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
  /** When the order with this key expires, epoch ms; null: never, or not sent yet. */
  expiresAtMs: number | null;
}

const STORAGE_KEY = 'ticket';

function readStored(): TicketState {
  try {
    const stored = JSON.parse(readSavedInTab(STORAGE_KEY) ?? 'null') as TicketState | null;
    if (stored !== null && (stored.draft === null || stored.draft.expiry in expiries)) return stored;
  } catch {
    // Written by another version, as one without the fields of this: the ticket starts empty.
  }
  return { draft: null, key: newRequestKey(), expiresAtMs: null };
}

/** The order that is typed and not placed yet. It survives a reload and a lost connection. */
export const ticketState = createStore<TicketState>(readStored());

function setDraft(draft: TicketDraft | null): void {
  ticketState.set({ draft, key: newRequestKey(), expiresAtMs: null });
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
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
  ticketState.set({ key, expiresAtMs: null });
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
  return key;
}

/**
 * When the order expires: counted from its first sending, and the same when it is sent again, also after a reload.
 * @returns epoch ms; null: it does not
 */
export function fixExpiry(nowMs: number): number | null {
  const { draft, expiresAtMs } = ticketState.current;
  if (draft === null || draft.type === 'market') return null;
  const restMs = expiries[draft.expiry];
  if (expiresAtMs !== null || restMs === null) return expiresAtMs;
  ticketState.set({ expiresAtMs: nowMs + restMs });
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
  return nowMs + restMs;
}

export const forgetDraft = (): void => setDraft(null);

onUserReset(forgetDraft);
