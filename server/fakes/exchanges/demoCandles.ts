import { packCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import { instruments } from './market/instruments.ts';
import { createSeededMarket } from './market/seededMarket.ts';
import { listingOf } from './market/venues.ts';

/** Candles of the demo backtest on the home page: simulated, chosen once by date and seed, not by its result. */
const seed = 20_220_101;
const hourMs = 3_600_000;
const startMs = Date.UTC(2025, 0, 1);
const count = 1500;

/**
 * The candles as text for the web, in whole ticks and lots and as differences, which compress well. web's demo/LiveDemo.tsx reads it.
 * @throws Error when the simulated market does not list the symbol
 */
export function demoCandleFiles(): { path: string; content: string }[] {
  const bitcoin = instruments.find(({ base }) => base === 'BTC');
  const listing = bitcoin && listingOf('binance', bitcoin);
  if (listing === undefined) throw new Error('the simulated market lists no BTC');
  const candles = createSeededMarket(seed).candles(
    listing,
    '1h',
    startMs,
    startMs + count * hourMs,
    startMs + count * hourMs,
  );
  const content = {
    symbol: listing.id,
    seed,
    ...packCandles(candles, {
      startMs,
      intervalMs: hourMs,
      priceDecimals: listing.priceDecimals,
      quantityDecimals: listing.quantityDecimals,
    }),
  };
  return [{ path: 'web/src/features/public/demo/candles.gen.json', content: `${JSON.stringify(content)}\n` }];
}
