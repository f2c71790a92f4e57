/** The key that the stand-in of Binance takes for what it shows to keys only. */
export const fakeBinanceKey = { key: 'simulated-binance-key', secret: 'simulated-binance-secret' };
