import { createStore } from '../../../state/store.ts';
import { readSavedInTab, saveInTab } from '../../../state/storage.ts';
import { nameTicket, type TicketRequest } from '../../../state/ticket.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draftOf, isBare, type TicketDraft, withSide } from './draft.ts';
import { newRequestKey } from '../../../api/requestKey.ts';

interface TicketState {
  draft: TicketDraft | null;
  /** Of this order as it is typed: a repeated press, or one after a lost response, is the same order. */
  key: string;
}

const STORAGE_KEY = 'ticket';

function readStored(): TicketState {
  try {
    const stored = JSON.parse(readSavedInTab(STORAGE_KEY) ?? 'null') as TicketState | null;
    if (stored !== null) return stored;
  } catch {
    // Written by another version: the ticket starts empty.
  }
  return { draft: null, key: newRequestKey() };
}

/** The order that is typed and not placed yet. It survives a reload and a lost connection. */
export const ticketState = createStore<TicketState>(readStored());

function setDraft(draft: TicketDraft | null): void {
  ticketState.set({ draft, key: newRequestKey() });
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
  ticketState.set({ key });
  saveInTab(STORAGE_KEY, JSON.stringify(ticketState.current));
  return key;
}

export const forgetDraft = (): void => setDraft(null);

onUserReset(forgetDraft);
