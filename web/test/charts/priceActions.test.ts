import { describe, expect, it } from 'vitest';
import { chartMarketOf, priceActionsOf, registerPriceActions } from '../../src/charts/priceActions.ts';

const market = { exchange: 'binance', symbol: 'BTCUSDT', interval: '1h' } as const;

describe('actions of the price menu', () => {
  it('come in the order of their registration, with the market of the chart', () => {
    const ran: string[] = [];
    const source = (id: string) => () =>
      registerPriceActions(({ symbol }) => [
        { id, label: (price) => `${id} ${symbol} ${price}`, run: (price, time) => ran.push(`${id} ${price} ${time}`) },
      ]);
    const [stopFirst, stopSecond] = [source('buy')(), source('alert')()];
    expect(priceActionsOf(market).map(({ label }) => label('1.5'))).toEqual(['buy BTCUSDT 1.5', 'alert BTCUSDT 1.5']);
    for (const { run } of priceActionsOf(market)) run(1.5, 60_000);
    expect(ran).toEqual(['buy 1.5 60000', 'alert 1.5 60000']);
    stopFirst();
    expect(priceActionsOf(market).map(({ id }) => id)).toEqual(['alert']);
    stopSecond();
  });

  it('are absent for candles without a market', () => {
    const stop = registerPriceActions(() => [{ id: 'buy', label: String, run: () => undefined }]);
    expect(priceActionsOf(null)).toEqual([]);
    stop();
  });
});

describe('the market of loaded candles', () => {
  const empty = new Float64Array();
  const candles = { time: empty, open: empty, high: empty, low: empty, close: empty, volume: empty };
  const loaded = { candles, interval: '1h', intervalMs: 3_600_000, funding: null } as const;

  it('is that of the exchange', () =>
    expect(chartMarketOf({ ...loaded, label: 'BTCUSDT', source: 'exchange', exchange: 'binance' })).toEqual(market));
  it('is null for a file', () =>
    expect(chartMarketOf({ ...loaded, label: 'mine.csv', source: 'csv', exchange: null })).toBeNull());
});
