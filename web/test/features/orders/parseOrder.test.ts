import { describe, expect, it } from 'vitest';
import { orderLine, parseOrder } from '../../../src/features/orders/parseOrder.ts';

const symbols = ['BTCUSDT', 'BTCDOMUSDT', 'ETHUSDT', 'ETCUSDT', '1000PEPEUSDT'];
const first = (text: string) => parseOrder(text, symbols)[0];

describe('DESK-054 an order in words', () => {
  it.each([
    ['buy BTC', { symbol: 'BTCUSDT', side: 'LONG' }],
    ['Sell eth 500', { symbol: 'ETHUSDT', side: 'SHORT', notional: 500 }],
    ['short ETHUSDT 1.5k', { symbol: 'ETHUSDT', side: 'SHORT', notional: 1500 }],
    ['long btc 0,02 btc', { symbol: 'BTCUSDT', side: 'LONG', quantity: 0.02 }],
    ['buy eth 200 usdt @ 2100.5', { symbol: 'ETHUSDT', side: 'LONG', notional: 200, type: 'limit', price: 2100.5 }],
    ['buy btc at 60k', { symbol: 'BTCUSDT', side: 'LONG', type: 'limit', price: 60_000 }],
    ['buy 1000pepe 50$', { symbol: '1000PEPEUSDT', side: 'LONG', notional: 50 }],
  ])('%s', (text, request) => expect(first(text)).toEqual(request));

  it.each(['', 'buy', 'btc', 'buy doge', 'buying btc', 'buy btc 5 eth', 'buy btc -5', 'settings'])(
    '"%s" is none',
    (text) => expect(parseOrder(text, symbols)).toEqual([]),
  );

  it('the coin itself comes before symbols that start alike', () => {
    expect(parseOrder('buy btc', symbols).map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'BTCDOMUSDT']);
    expect(parseOrder('sell et', symbols).map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'ETCUSDT']);
  });

  it('reads back as a line', () => {
    expect(orderLine({ symbol: 'BTCUSDT', side: 'LONG', quantity: 0.02, price: 60_000 })).toBe(
      'Buy BTCUSDT 0.02 BTC at 60000',
    );
    expect(orderLine({ symbol: 'ETHUSDT', side: 'SHORT', notional: 500 })).toBe('Sell ETHUSDT 500 USDT');
  });
});
