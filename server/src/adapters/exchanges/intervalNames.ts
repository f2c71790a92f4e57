import type { ExchangeId, Interval } from '../../features/market/port.ts';

/** Interval names of each exchange. */
export const intervalNames: Record<ExchangeId, Record<Interval, string>> = {
  binance: { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1h', '4h': '4h', '1d': '1d' },
  bybit: { '1m': '1', '5m': '5', '15m': '15', '1h': '60', '4h': '240', '1d': 'D' },
  // Days begin in Hong Kong unless UTC is asked for.
  okx: { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1H', '4h': '4H', '1d': '1Dutc' },
};
