/** As each exchange writes itself. */
export const exchangeNames = { binance: 'Binance', bybit: 'Bybit', okx: 'OKX' } as const;

const names: ReadonlyMap<string, string> = new Map(Object.entries(exchangeNames));

/** For a name that comes with an answer; one that is not known yet stands as it is. */
export const exchangeName = (id: string): string => names.get(id) ?? id;
