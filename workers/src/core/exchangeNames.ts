/** Exchanges as screens and messages name them. */
export const exchangeNames = { binance: 'Binance', bybit: 'Bybit', okx: 'OKX' } as const;
