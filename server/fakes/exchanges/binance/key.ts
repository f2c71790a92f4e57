/** The API key of the fake Binance for its signed routes. */
export const fakeBinanceKey = { key: 'simulated-binance-key', secret: 'simulated-binance-secret' };
