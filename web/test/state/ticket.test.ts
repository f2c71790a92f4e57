import { beforeEach, expect, it } from 'vitest';
import { navigation } from '../../src/state/navigation.ts';
import { closeTicket, nameTicket, openTicket, readTicketName, takeTicketRequest } from '../../src/state/ticket.ts';
import { runUserResets } from '../../src/state/userReset.ts';

beforeEach(runUserResets);

it('DESK-055 the request of the open ticket is taken once; later the address has side and market', () => {
  openTicket({ symbol: 'BTCUSDT', side: 'LONG', notional: 500 });
  expect(navigation.opened.ticket).toBe('buy-BTCUSDT');
  expect(takeTicketRequest()).toEqual({ symbol: 'BTCUSDT', side: 'LONG', notional: 500 });
  expect(takeTicketRequest()).toEqual({ symbol: 'BTCUSDT', side: 'LONG' });
  nameTicket({ symbol: 'BTCUSDT', side: 'SHORT' });
  expect(takeTicketRequest()).toEqual({ symbol: 'BTCUSDT', side: 'SHORT' });
  closeTicket();
  expect(takeTicketRequest()).toBeNull();
});

it('DESK-055 a text of the address that names no ticket opens none', () => {
  for (const text of ['', 'BTCUSDT', 'hold-BTCUSDT', 'buy-']) expect(readTicketName(text), text).toBeNull();
  expect(readTicketName('sell-1000PEPEUSDT')).toEqual({ symbol: '1000PEPEUSDT', side: 'SHORT' });
});

it('AUTH-018 another user finds no ticket', () => {
  openTicket({ symbol: 'BTCUSDT', side: 'LONG' });
  runUserResets();
  expect([navigation.opened.ticket, takeTicketRequest()]).toEqual([null, null]);
});
