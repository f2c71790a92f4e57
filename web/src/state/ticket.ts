import { navigation, setOpened } from './navigation.ts';
import { createStore } from './store.ts';
import { onUserReset } from './userReset.ts';

/** What the order ticket opens with. Absent values are those of the settings, or of a draft of the same market. Prices in quote currency. */
export interface TicketRequest {
  symbol: string;
  side: 'LONG' | 'SHORT';
  type?: 'market' | 'limit' | 'stop';
  price?: number;
  /** USDT, leverage included. */
  notional?: number;
  /** Base units. */
  quantity?: number;
  leverage?: number;
  stopLoss?: number;
  target?: number;
  /** Candles of the signal, for ranges of a trailing stop. */
  interval?: string;
  isReduceOnly?: boolean;
  /** The scan of the signal that it follows, on `interval`. */
  scanId?: string;
}

let requested: TicketRequest | null = null;

/** Counts the requests: one for the market whose ticket is open changes nothing else. */
export const ticketRequests = createStore({ count: 0 });

onUserReset(() => {
  requested = null;
});

const words = { LONG: 'buy', SHORT: 'sell' } as const;

/** Writes side and symbol of the open ticket to the address. */
export const nameTicket = ({ side, symbol }: Pick<TicketRequest, 'side' | 'symbol'>): void =>
  setOpened('ticket', `${words[side]}-${symbol}`);

/** Opens the order ticket, from wherever the user is. Back closes it. */
export function openTicket(request: TicketRequest): void {
  requested = request;
  nameTicket(request);
  ticketRequests.set({ count: ticketRequests.current.count + 1 });
}

export const closeTicket = (): void => setOpened('ticket', null);

/** Side and symbol of `buy-BTCUSDT`, as the address has them; null for another text. */
export function readTicketName(name: string): TicketRequest | null {
  const [, word, symbol] = /^(buy|sell)-(.+)$/.exec(name) ?? [];
  return symbol === undefined ? null : { symbol, side: word === 'buy' ? 'LONG' : 'SHORT' };
}

/** The request of the open ticket, once; from the address after a reload. */
export function takeTicketRequest(): TicketRequest | null {
  const name = navigation.opened.ticket;
  const taken = requested;
  requested = null;
  if (name === null) return null;
  return taken ?? readTicketName(name);
}
