import { createStore } from '../../../state/store.ts';
import { readSavedInTab, saveInTab } from '../../../state/storage.ts';
import { nameTicket, type TicketRequest } from '../../../state/ticket.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draftOf, isBare, type TicketDraft, withSide } from './draft.ts';

interface TicketState {
  draft: TicketDraft | null;
  /** Of this order as it is typed: a repeated press, or one after a lost response, is the same order. */
  key: string;
}

const STORAGE_KEY = 'ticket';

function readStored(): TicketDraft | null {
  try {
    return JSON.parse(readSavedInTab(STORAGE_KEY) ?? 'null') as TicketDraft | null;
  } catch {
    return null;
  }
}

/** The order that is typed and not placed yet. It survives a reload and a lost connection. */
export const ticketState = createStore<TicketState>({ draft: readStored(), key: crypto.randomUUID() });

function setDraft(draft: TicketDraft | null): void {
  ticketState.set({ draft, key: crypto.randomUUID() });
  saveInTab(STORAGE_KEY, JSON.stringify(draft));
}

/** Opens a request. One that names only market and side continues the draft of that market. */
export function startDraft(request: TicketRequest): void {
  const { draft } = ticketState.current;
  const isSame = draft !== null && draft.symbol === request.symbol && isBare(request) && !draft.isReduceOnly;
  setDraft(isSame ? withSide(draft, request.side) : draftOf(request));
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
  const key = crypto.randomUUID();
  ticketState.set({ key });
  return key;
}

export const forgetDraft = (): void => setDraft(null);

onUserReset(forgetDraft);
